import type { Office } from '~/base/dates/office.ts';
import { closedDays, type ClosedDays } from '~/base/dates/working-hours.ts';
import { runningPromise } from './promised.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';

/**
 * The closed days that a promise counted from the payment skips; none while nothing is promised. `office`: as known at
 * the payment, because a later closure moves no promise.
 */
export function skippedDays(
  promise: { promisedAt: Date | null; pausedAt: Date | null },
  paidAt: Date,
  office: Office,
): ClosedDays[] {
  const promised = runningPromise(promise);
  return promised ? closedDays(paidAt, promised, office) : [];
}

/** The closed days that promises paid together skip: those of the latest promise that is still to be kept. */
export function skippedClosedDays(
  promises: readonly {
    promisedAt: Date | null;
    decidedAt: Date | null;
    skipped: readonly ClosedDays[];
  }[],
): readonly ClosedDays[] {
  const open = promises.flatMap(({ promisedAt, decidedAt, skipped }) =>
    promisedAt && !decidedAt ? [{ at: promisedAt, skipped }] : [],
  );
  return open.sort((a, b) => b.at.getTime() - a.at.getTime())[0]?.skipped ?? [];
}

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
