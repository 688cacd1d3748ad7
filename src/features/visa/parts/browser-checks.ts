import { leavePhoneToServer } from '~/features/application/phone.ts';
import { stillJudged } from '~/features/form/answers/check.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { Judged } from '~/features/form/page/use-form.tsx';
import type { Answers, CountryTerms, Field } from '../rules/answers.ts';
import { problemsAt } from '../rules/checked-journey.ts';
import type { Problem } from '../rules/rule.ts';
import type { StepId } from '../rules/steps.ts';

/** What is wrong on a page that is being answered, by the server's rules, as far as a browser can tell. */
export const problemsInBrowser = (
  id: StepId,
  answers: Answers,
  situation: { now: Date; country: CountryTerms | null },
  { entries, judged }: { entries: Typed; judged: Judged<Field> },
): Problem[] => [
  ...problemsAt(id, answers, { ...situation, readPhone: leavePhoneToServer }),
  ...stillJudged(judged, entries),
];
