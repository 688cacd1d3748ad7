import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDate } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { RadioCards, type RadioCard } from '~/ui/fields/radio-cards.tsx';
import { Notice } from '~/ui/notice.tsx';
import { planLength } from '../rules/plans.ts';
import { lastInsuredDay } from '../rules/trip.ts';
import { PLAN_SHOWN, PLAN_WISH } from '../rules/typed.ts';
import type { InsuranceForm } from '../form/use-insurance-form.tsx';

/** The plans with their prices; one that is shorter than the trip is disabled and says why. */
export function PlanCards({ form }: { form: InsuranceForm }) {
  const { t } = useTranslation('insurance');
  const language = useLanguage();
  const { selection, days, travelDate } = form;
  const cards = selection.offers.map(({ plan, isTooShort }): RadioCard => {
    const fit = days === null ? 'upTo' : isTooShort ? 'tooShort' : 'covers';
    const hasMoment = travelDate !== null && !isTooShort;
    return {
      value: plan.id,
      name: planLength(plan.days, t),
      details: [t(`plan.${fit}`, { count: days ?? plan.days })],
      momentLabel: hasMoment ? t('plan.until') : '',
      moment: hasMoment ? formatDate(lastInsuredDay(travelDate, plan), language) : '',
      price: formatMoney(plan.price, language),
      disabled: isTooShort,
    };
  });
  const length = (days: number) => planLength(days, t);
  const { chosen, cheaper, ruledOut, choice } = selection;
  return (
    <>
      <RadioCards
        cards={cards}
        defaultValue={chosen?.id}
        error={form.errorAt('productId')}
        heading="h2"
        hint={t('plan.hint')}
        // Remounted for other dates and other plans, so that the default selection applies again.
        key={[days ?? 'open', ...cards.map(({ value }) => value)].join(' ')}
        label={t('labels.productId')}
        name="productId"
      />
      <input name={PLAN_SHOWN} type="hidden" value={choice.selected} />
      <input name={PLAN_WISH} type="hidden" value={choice.wish} />
      <div aria-live="polite" className="mt-5 empty:absolute">
        {chosen && cheaper ? (
          <Notice tone="blue">
            {t('plan.cheaper', {
              own: length(chosen.days),
              plan: length(cheaper.days),
              amount: formatMoney(cheaper.price, language),
            })}
          </Notice>
        ) : null}
        {chosen && ruledOut ? (
          <Notice tone="amber">
            {t('plan.ruledOut', {
              own: length(ruledOut.days),
              plan: length(chosen.days),
              amount: formatMoney(chosen.price, language),
            })}
          </Notice>
        ) : null}
      </div>
    </>
  );
}
