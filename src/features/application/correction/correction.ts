import { parseDate, partsOf } from '~/base/dates/dates.ts';

/** Longer is a letter, not a note. */
export const LONGEST_NOTE = 1000;

/** So long a traveller has to answer; the link in the e-mail is good for as long. */
export const CORRECTION_DAYS = 28;
/** So long before the end somebody who has not answered is written to once more. */
export const REMINDER_DAYS = 5;

export const DAY_MS = 24 * 3600_000;

/** Until when an answer is waited for; then the application goes on without one. */
export const answerBy = (askedAt: Date): Date =>
  new Date(askedAt.getTime() + CORRECTION_DAYS * DAY_MS);

/** What the controls begin with for answers that are kept: a date is asked for by day, month and year. */
export const controlsFor = (
  fields: readonly string[],
  answers: Readonly<Record<string, string | undefined>>,
  dates: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const answer = answers[field] ?? '';
      const day = dates.includes(field) ? parseDate(answer) : null;
      if (!day) return [[field, answer]];
      return Object.entries(partsOf(day)).map(([part, value]) => [
        `${field}-${part}`,
        String(value),
      ]);
    }),
  );

/** What one field said before the traveller's answer, and says since. */
export type Change = { field: string; before: string; after: string };

/** The fields that an answer changed, in their order. */
export const changesOf = (
  fields: readonly string[],
  before: Readonly<Record<string, string | undefined>>,
  after: Readonly<Record<string, string | undefined>>,
): Change[] =>
  fields
    .map((field) => ({ field, before: before[field] ?? '', after: after[field] ?? '' }))
    .filter((change) => change.before !== change.after);
