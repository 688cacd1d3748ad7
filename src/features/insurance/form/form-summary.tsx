import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Button } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { OfficialLink } from '~/ui/official-link.tsx';
import { OrderSummary } from '~/ui/order-summary.tsx';
import { planLength } from '../rules/plans.ts';
import type { InsuranceForm } from './use-insurance-form.tsx';

/** The price so far, and the button that continues to the review. */
export function FormSummary({ form, isBusy }: { form: InsuranceForm; isBusy: boolean }) {
  const { t } = useTranslation('insurance');
  const language = useLanguage();
  const { chosen } = form.selection;
  const amount = chosen ? formatMoney(chosen.price, language) : '–';
  const plan = chosen ? planLength(chosen.days, t) : '';
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
      <FormActions>
        <Button arrow busy={isBusy} name="intent" type="submit" value="next">
          {t('next')}
        </Button>
      </FormActions>
    </>
  );
}
