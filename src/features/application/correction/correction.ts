/** Characters of the note to the traveller, at most. */
export const LONGEST_NOTE = 1000;

/** So long a traveller has to answer; the link in the e-mail is good for as long. */
export const CORRECTION_DAYS = 28;
/** So long before the end somebody who has not answered is written to once more. */
export const REMINDER_DAYS = 5;

export const DAY_MS = 24 * 3600_000;

/** Until when an answer is waited for; then the application goes on without one. */
export const answerBy = (askedAt: Date): Date =>
  new Date(askedAt.getTime() + CORRECTION_DAYS * DAY_MS);

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
