import { isServersAlone, leavePhoneToServer } from '~/features/application/phone.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { Answers, CountryTerms } from '../rules/answers.ts';
import { problemsAt as problemsOf } from '../rules/checked-journey.ts';
import type { Problem } from '../rules/rule.ts';
import type { StepId } from '../rules/steps.ts';
import { controlsOf } from '../rules/typed.ts';

/** What the server said of what was sent. */
export type Judged = { problems: readonly Problem[]; typed: Typed };

/**
 * What is wrong on a page that is being answered, in a browser: by the server's rules, and what the server alone could
 * find as long as the field holds what was sent.
 */
export function problemsAt(
  id: StepId,
  answers: Answers,
  { now, country }: { now: Date; country: CountryTerms | null },
  { entries, judged }: { entries: Typed; judged: Judged },
): Problem[] {
  const readPhone = leavePhoneToServer;
  const found = problemsOf(id, answers, { now, country, readPhone });
  const isSame = (control: string) => (entries[control] ?? '') === (judged.typed[control] ?? '');
  const kept = judged.problems.filter(
    (problem) => isServersAlone(problem) && controlsOf(problem.field).every(isSame),
  );
  return [...found, ...kept];
}
