import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDate } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { LuggageTag, type TagFact } from '~/ui/tag/luggage-tag.tsx';
import { planLength } from '../rules/plans.ts';
import { lastInsuredDay } from '../rules/trip.ts';
import type { InsuranceForm } from './use-insurance-form.tsx';

/** A summary of the insurance so far, beside the form. */
export function InsuranceTag({ form }: { form: InsuranceForm }) {
  const { t } = useTranslation('insurance');
  const language = useLanguage();
  const { travelDate, days, typed } = form;
  const { chosen } = form.selection;
  const facts: TagFact[] = [];
  const length = (count: number) => planLength(count, t);
  if (chosen) facts.push({ term: t('tag.plan'), value: length(chosen.days) });
  if (travelDate) facts.push({ term: t('tag.first'), value: formatDate(travelDate, language) });
  if (travelDate && chosen) {
    const last = formatDate(lastInsuredDay(travelDate, chosen), language);
    facts.push({ term: t('tag.last'), value: last });
  }
  if (days !== null) facts.push({ term: t('tag.trip'), value: t('days', { count: days }) });
  return (
    <LuggageTag
      facts={facts}
      from={{ code: typed.nationality || undefined, label: t('tag.passport') }}
      label={t('tag.label')}
      numberLabel={t('tag.number')}
      numberPrefix="TRI"
      to={{ code: 'TUR', label: t('tag.destination') }}
      total={{
        label: t('tag.total'),
        amount: chosen ? formatMoney(chosen.price, language) : '–',
      }}
    />
  );
}
