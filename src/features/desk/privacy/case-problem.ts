import type { CodeIn } from '~/base/text-keys.ts';

/** Why something about a request was refused; texts are `privacy:error.<code>`. */
export type CaseProblem = CodeIn<'privacy', 'error'>;

/** Characters. */
export const LONGEST_REASON = 1000;
export const LONGEST_ANSWER = 10_000;

/** The field that a problem is about; null for one of the whole form. */
export const fieldOf: Readonly<Partial<Record<CaseProblem, string>>> = {
  kind_required: 'kind',
  law_required: 'law',
  arrival_required: 'arrival',
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
