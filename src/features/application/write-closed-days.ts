import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { ClosedDays } from '~/base/dates/working-hours.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';

/** Closed days in one line: "28 October 2026 to 29 October 2026: Republic Day". */
export function writeClosedDays(
  { why, first, last }: ClosedDays,
  t: Translate<'application'>,
  language: Language,
): string {
  const write = (text: string) => {
    const date = parseDate(text);
    return date ? formatDate(date, language) : text;
  };
  return t(first === last ? 'closedDays.day' : 'closedDays.days', {
    date: write(first),
    until: write(last),
    holiday: t(`closedDays.${why}`),
  });
}
