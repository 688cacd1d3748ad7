import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useSearchParams } from 'react-router';
import { formatDateShort, parseDate } from '~/base/dates/dates.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ListBusy } from './cursor-links.tsx';
import { MOST_DAYS, type DayPeriod } from './day-period.ts';
import { FilterForm } from './filter-form.tsx';
import { formatCount } from './formats.ts';

/**
 * The state of a day filter's control. `read`: the day in the address, '' without one. A text that is no day stays in
 * the control, with `error`.
 */
export function useTypedDay(name: string, read: string): { shown: string; error?: string } {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const [query] = useSearchParams();
  const day = parseDate(read);
  if (day) return { shown: formatDateShort(day, language) };
  const typed = (query.get(name) ?? '').trim();
  return typed === '' ? { shown: '' } : { shown: typed, error: t('filter.unreadableDay') };
}

/** A day to filter by, as text: the browser's own control would show the month first in some languages. */
export function DayFilter({ name, label, read }: { name: string; label: string; read: string }) {
  const { shown, error } = useTypedDay(name, read);
  return (
    <TextField
      autoComplete="off"
      defaultValue={shown}
      error={error}
      label={label}
      maxLength={40}
      name={name}
    />
  );
}

/** The days of a report, chosen above its figures. `from`, `to`: labels, which say by whose clocks a day begins. */
export function PeriodForm({
  action,
  period: { first, last, isShortened },
  from,
  to,
}: {
  action: string;
  period: DayPeriod;
  from: string;
  to: string;
}) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const [query] = useSearchParams();
  const isNarrowed = query.has('from') || query.has('to');
  return (
    <>
      <FilterForm action={action} query={isNarrowed ? `${first} ${last}` : ''}>
        <DayFilter label={from} name="from" read={first} />
        <DayFilter label={to} name="to" read={last} />
      </FilterForm>
      <ListBusy />
      {isShortened ? (
        <Notice className="mt-3" tone="blue">
          {t('shortened', { days: formatCount(MOST_DAYS, language) })}
        </Notice>
      ) : null}
    </>
  );
}
