import {
  formatDateShort,
  formatDayOfMonth,
  formatMonth,
  formatMonthShort,
} from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { lastDayOf, type Period } from './period.ts';

/** A step in a sentence or a table: "5 Mar 2027", "5 Mar 2027 – 11 Mar 2027", "March 2027". */
export function stepName(period: Period, step: number, language: Language): string {
  const first = period.starts[step] ?? period.end;
  if (period.step === 'month') return formatMonth(first, language);
  const last = lastDayOf(period, step);
  const named = formatDateShort(first, language);
  return first === last ? named : `${named} – ${formatDateShort(last, language)}`;
}

/** A step below its column, by its first day: "5 Mar", "Mar". */
export function stepMark(period: Period, step: number, language: Language): string {
  const first = period.starts[step] ?? period.end;
  return period.step === 'month'
    ? formatMonthShort(first, language)
    : formatDayOfMonth(first, language);
}
