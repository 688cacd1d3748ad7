import { addDays, addMonths, daysBetween, type PlainDate } from '~/base/dates/dates.ts';
import { KVKK_REPLY_DAYS } from '~/features/site/retention.ts';
import type { CodeIn } from '~/base/text-keys.ts';

/** What a person asks for (GDPR art. 15 to 17; Law No. 6698, art. 11). */
export const caseKinds = ['access', 'correction', 'erasure'] as const;

/**
 * How staff made sure who asks. `email_reply`: answered from the address that we have; `birth_date`: named the
 * application number and the date of birth; `passport_copy`: showed a passport, of which no copy is kept; `in_person`.
 */
export const identityChecks = ['email_reply', 'birth_date', 'passport_copy', 'in_person'] as const;

export const outcomes = ['granted', 'partly', 'refused', 'withdrawn'] as const;

/** What a person gave to be found by, as it was typed; at least one. */
export type GivenIdentifiers = { number: string; email: string; passport: string };

/** GDPR, art. 12(3): a month from receipt. */
export const GDPR_MONTHS = 1;

/** Days before the last one from which a request counts as urgent. */
export const URGENT_DAYS = 7;

/**
 * The last day to answer a request that arrived on a day: thirty days (Law No. 6698, art. 13) or a month (GDPR, art.
 * 12(3)), whichever is over first, as both laws may bind us; in February that is the month.
 */
export function answerDueDate(arrivedOn: PlainDate): PlainDate {
  const days = addDays(arrivedOn, KVKK_REPLY_DAYS);
  const month = addMonths(arrivedOn, GDPR_MONTHS);
  return days < month ? days : month;
}

/** Days until the last one to answer: 0 on it, negative once it is over. */
export const daysLeft = (arrivedOn: PlainDate, today: PlainDate): number =>
  daysBetween(today, answerDueDate(arrivedOn));

/** Why something about a request was refused; texts are `privacy:error.<code>`. */
export type CaseProblem = CodeIn<'privacy', 'error'>;

/** Characters. */
export const MAX_PRIVACY_REASON_LENGTH = 1000;
export const MAX_PRIVACY_ANSWER_LENGTH = 10_000;

/** The field that a problem is about; null for one of the whole form. */
export const problemFields: Readonly<Partial<Record<CaseProblem, string>>> = {
  kind_required: 'kind',
  arrived_on_invalid: 'arrivedOn',
  language_required: 'language',
  given_required: 'number',
  number_invalid: 'number',
  check_required: 'check',
  why_required: 'why',
  trip_confirm_required: 'confirmTrip',
  confirm_required: 'confirm',
  outcome_required: 'outcome',
  answer_required: 'answer',
  until_invalid: 'until',
};
