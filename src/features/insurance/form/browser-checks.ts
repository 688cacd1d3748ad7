import { leavePhoneToServer } from '~/features/application/phone.ts';
import { stillJudged } from '~/features/form/answers/check.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { Judged } from '~/features/form/page/use-form.tsx';
import type { Field } from '../rules/answers.ts';
import { check, type Problem } from '../rules/check.ts';
import { answersOf } from '../rules/typed.ts';
import type { InsuranceView } from './form-view.ts';

/** What is wrong on the page, by the server's rules, as far as a browser can tell. */
export const problemsInBrowser = (
  { now, plans, countries }: InsuranceView,
  entries: Typed,
  judged: Judged<Field>,
  /** Kept and chosen. */
  photos: number,
): Problem[] => [
  ...check(answersOf(entries), {
    now: new Date(now),
    plans,
    photos,
    readPhone: leavePhoneToServer,
    isNationality: (code) => countries.some(({ id }) => id === code),
  }).problems,
  ...stillJudged(judged, entries),
];
