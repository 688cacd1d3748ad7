import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { WaysToPay } from './fallback-provider.ts';

/** Says, above a button that pays, where the payment is made. */
export function PartnerNotice({ ways }: { ways: WaysToPay }) {
  const { t } = useTranslation('payment');
  return (
    <Notice className="mt-6" icon="lock" tone="blue">
      {t(`partner.${ways}`)}
    </Notice>
  );
}

/**
 * Says, above the button, which terms are accepted by paying. `insurerTerms`: the path of the insurer's, where an insurance
 * is bought.
 */
export function AcceptedTerms({ insurerTerms = null }: { insurerTerms?: string | null }) {
  const { t } = useTranslation('payment');
  return (
    <p className="text-micro mt-3 text-ink-2 wide:mt-5">
      <Trans
        components={{
          terms: <Link to="/terms">terms</Link>,
          insurer: <Link to={insurerTerms ?? '/terms'}>insurer</Link>,
          cancellation: <Link to="/cancellation-policy">policy</Link>,
        }}
        i18nKey={insurerTerms === null ? 'accept' : 'acceptInsured'}
        t={t}
      />
    </p>
  );
}
