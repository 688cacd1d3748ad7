import { formatMoney, type Money } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Leads the payer to the page that refunds the processing price after a missed promise. */
export function ProcessingRefundLink({ number, due }: { number: string; due: Money }) {
  const { t } = useTranslation('application');
  const language = useLanguage();
  return (
    <div className="print:hidden">
      <ButtonLink
        look="plain"
        to={`/status/processing-refund?${new URLSearchParams({ ref: number })}`}
      >
        {t('late.link')}
      </ButtonLink>
      <p className="text-small text-ink-2" data-testid="processing-refund">
        {t('late.text', { amount: formatMoney(due, language) })}
      </p>
    </div>
  );
}
