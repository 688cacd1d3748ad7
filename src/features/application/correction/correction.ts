import { DAY_MS, formatDate, parseDate, TURKIYE } from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import type { Office } from '~/base/dates/office.ts';
import { lastOpenMinute } from '~/base/dates/working-hours.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';

/** Length of the note to the traveller, in characters. */
export const MAX_CORRECTION_NOTE_LENGTH = 2000;

/** Days that a traveller has to answer; the link in the email is valid for as long. */
export const CORRECTION_DAYS = 28;
/** Days before the end, but not before half of the time has passed, at which a traveller who has not answered gets a reminder. */
export const REMINDER_DAYS = 5;

const HOUR_MS = 3600_000;

/**
 * Until when a traveller may answer; afterwards the application is decided without the answer. `keepsStart`: an answer
 * until then leaves enough of our time before the trip or the cover begins.
 */
type Deadline = { answerBy: Date; keepsStart: boolean };

/**
 * The latest answer that still makes the trip, four weeks at most. The promised moment waits while we do (`resumeClock`),
 * so an answer makes it while the moved one lies within working hours before the day of arrival in Türkiye. Where less
 * than an hour is left for that, the answer is awaited until that day begins, or for a day where it has begun.
 * @param startsOn - The arrival of a visa, the first insured day of an insurance.
 * @param promisedAt - As it stood when the clock was paused; null where nothing was promised.
 */
export function correctionDeadline(
  { askedAt, promisedAt, startsOn }: { askedAt: Date; promisedAt: Date | null; startsOn: string },
  office: Office,
): Deadline {
  const asked = askedAt.getTime();
  const start = startOfDay(startsOn, TURKIYE);
  const ready = lastOpenMinute(start, office).getTime();
  const latest = promisedAt ? asked + ready - promisedAt.getTime() : ready;
  const keepsStart = latest >= asked + HOUR_MS;
  const over = start.getTime() >= asked + HOUR_MS ? start.getTime() : asked + DAY_MS;
  const end = Math.min(keepsStart ? latest : over, asked + CORRECTION_DAYS * DAY_MS);
  return { answerBy: new Date(end), keepsStart };
}

/** The deadline in words: until when, and what happens to the trip and to the application. */
export const deadlineWords = (
  t: Translate<'correction'>,
  language: Language,
  {
    kind,
    startsOn,
    keepsStart,
    moment,
  }: { kind: 'visa' | 'insurance'; startsOn: string; keepsStart: boolean; moment: string },
): string[] => {
  const first = parseDate(startsOn);
  const day = first ? formatDate(first, language) : startsOn;
  return [
    t('until', { moment }),
    t(keepsStart ? `keeps.${kind}` : `late.${kind}`, { day }),
    t('afterwards'),
  ];
};

/** What one field said before and after the traveller's answer. */
export type AnswerChange = { field: string; before: string; after: string };

/** The fields that an answer changed, in form order. */
export const answerChanges = (
  fields: readonly string[],
  before: Readonly<Record<string, string | undefined>>,
  after: Readonly<Record<string, string | undefined>>,
): AnswerChange[] =>
  fields
    .map((field) => ({ field, before: before[field] ?? '', after: after[field] ?? '' }))
    .filter((change) => change.before !== change.after);
