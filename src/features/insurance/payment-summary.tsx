import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/features/application/moment.tsx';
import { OfficialLink } from '~/ui/official-link.tsx';
import { Button } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { OrderSummary } from '~/ui/order-summary.tsx';
import { planLength } from './plan-words.ts';
import type { InsuranceForm } from './use-insurance-form.tsx';

/** What is paid, what happens at the payment partner, and the button that says the amount. */
export function PaymentSummary({ form, isBusy }: { form: InsuranceForm; isBusy: boolean }) {
  const { t } = useTranslation('insurance');
  const language = useLanguage();
  const { chosen } = form.selection;
  const amount = chosen ? formatMoney(chosen.price, language) : '–';
  const plan = chosen ? planLength(chosen.days, (key, values) => t(key, values ?? {})) : '';
  return (
    <>
      <OrderSummary
        lines={[{ label: chosen ? t('summary.line', { plan }) : t('summary.lineOpen'), amount }]}
        note={
          <>
            {chosen ? null : <span className="block">{t('summary.open')}</span>}
            <Trans components={{ official: <OfficialLink /> }} i18nKey="summary.note" t={t} />
          </>
        }
        title={t('summary.title')}
        total={{ label: t('summary.total'), amount }}
      />
      <Notice className="mt-6" icon="lock" title={t('partner.title')} tone="blue">
        {t('partner.text')}
      </Notice>
      <FormActions>
        <Button busy={isBusy} name="intent" type="submit" value="pay">
          {isBusy ? t('paying') : chosen ? t('pay', { amount }) : t('payOpen')}
        </Button>
      </FormActions>
      <p className="micro mt-5 text-ink-2">
        <Trans
          components={{
            terms: <Link to="/terms">terms</Link>,
            cancellation: <Link to="/cancellation-policy">policy</Link>,
          }}
          i18nKey="accept"
          t={t}
        />
      </p>
    </>
  );
}
