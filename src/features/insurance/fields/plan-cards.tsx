import { useTranslation } from 'react-i18next';
import { formatDate } from '~/base/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/features/application/moment.tsx';
import { RadioCards, type RadioCard } from '~/ui/radio-cards.tsx';
import { planLength } from '../plan-words.ts';
import { lastInsuredDay } from '../trip.ts';
import type { InsuranceForm } from '../use-insurance-form.tsx';

/** The plans with their prices; one that is shorter than the trip cannot be chosen, and says why. */
export function PlanCards({ form }: { form: InsuranceForm }) {
  const { t } = useTranslation('insurance');
  const language = useLanguage();
  const { selection, days, travelDate } = form;
  const cards = selection.offers.map(({ plan, isTooShort }): RadioCard => {
    const fit = days === null ? 'upTo' : isTooShort ? 'tooShort' : 'covers';
    const hasMoment = travelDate !== null && !isTooShort;
    return {
      value: plan.id,
      name: planLength(plan.days, (key, values) => t(key, values ?? {})),
      details: [t(`plan.${fit}`, { count: days ?? plan.days })],
      momentLabel: hasMoment ? t('plan.until') : '',
      moment: hasMoment ? formatDate(lastInsuredDay(travelDate, plan), language) : '',
      momentNote: hasMoment ? t('plan.untilNote') : undefined,
      price: formatMoney(plan.price, language),
      disabled: isTooShort,
    };
  });
  return (
    <RadioCards
      cards={cards}
      defaultValue={selection.chosen?.id}
      error={form.errorAt('productId')}
      heading="h2"
      hint={t('plan.hint')}
      // Other dates choose anew, and so do other plans: the controls begin again with them.
      key={[days ?? 'open', ...cards.map(({ value }) => value)].join(' ')}
      label={t('labels.productId')}
      name="productId"
    />
  );
}
