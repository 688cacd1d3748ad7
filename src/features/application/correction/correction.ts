/** Length of the note to the traveller, in characters. */
export const LONGEST_NOTE = 2000;

/** Days that a traveller has to answer; the link in the email is valid for as long. */
export const CORRECTION_DAYS = 28;
/** Days before the end at which a traveller who has not answered gets a reminder. */
export const REMINDER_DAYS = 5;

export const DAY_MS = 24 * 3600_000;

/** The end of the time to answer; afterwards the application is decided without the answer. */
export const answerBy = (askedAt: Date): Date =>
  new Date(askedAt.getTime() + CORRECTION_DAYS * DAY_MS);

/** What one field said before and after the traveller's answer. */
export type Change = { field: string; before: string; after: string };

/** The fields that an answer changed, in form order. */
export const changesOf = (
  fields: readonly string[],
  before: Readonly<Record<string, string | undefined>>,
  after: Readonly<Record<string, string | undefined>>,
): Change[] =>
  fields
    .map((field) => ({ field, before: before[field] ?? '', after: after[field] ?? '' }))
    .filter((change) => change.before !== change.after);
