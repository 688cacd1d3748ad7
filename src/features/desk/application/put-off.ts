import { addDays, DAY_MS, toPlainDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { Office } from '~/base/dates/office.ts';
import { nextOpening } from '~/base/dates/working-hours.ts';

/** Why an application is put off; `other` in one's own words. */
export const putOffReasons = ['later', 'traveller', 'authority', 'other'] as const;

/** Until when; `reply`: until the traveller answers. */
export const putOffEnds = ['hours', 'opening', 'week', 'reply', 'day'] as const;
export type PutOffEnd = (typeof putOffEnds)[number];

/** Hours of the end `hours`. */
export const PUT_OFF_HOURS = 2;
/** Days ahead of a chosen day. */
export const MAX_PUT_OFF_DAYS = 60;
/** Characters of one's own words. */
export const MAX_PUT_OFF_LENGTH = 200;

/** The names of the form's fields; each is also the code of what is wrong with it. */
export const putOffFields = {
  reason: 'put_off_reason',
  words: 'put_off_words',
  end: 'put_off_end',
  day: 'put_off_day',
} as const;

/**
 * Why an application was not put off: which of the fields says nothing, or no possible day. `put_off_already`: a colleague
 * did.
 */
export type PutOffProblem = (typeof putOffFields)[keyof typeof putOffFields] | 'put_off_already';

/**
 * The moment at which an application comes back, if nothing brings it back before: an answer of the traveller always does,
 * and one that is waited for until the ready-by time, as that is a promise. Null for a day that is not ahead, or too far.
 */
export function putOffUntil(
  end: PutOffEnd,
  {
    at,
    office,
    promisedAt,
    day,
  }: {
    at: Date;
    office: Office;
    promisedAt: Date | null;
    day: PlainDate | null;
  },
): Date | null {
  const today = toPlainDate(at, UTC);
  const morning = (date: PlainDate) => new Date(Date.parse(date) + office.opens * 3600_000);
  switch (end) {
    case 'hours':
      return new Date(at.getTime() + PUT_OFF_HOURS * 3600_000);
    case 'opening':
      return nextOpening(morning(addDays(today, 1)), office);
    case 'week':
      return nextOpening(morning(addDays(today, 7)), office);
    case 'reply':
      return promisedAt && promisedAt > at ? promisedAt : new Date(at.getTime() + 7 * DAY_MS);
    case 'day':
      return day !== null && day > today && day <= addDays(today, MAX_PUT_OFF_DAYS)
        ? morning(day)
        : null;
  }
}
