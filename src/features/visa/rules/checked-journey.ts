import type { Answers, Field, Situation } from './answers.ts';
import { check } from './check.ts';
import { stepsFor } from './journey.ts';
import type { Problem } from './rule.ts';
import { stepOf, type Step, type StepId } from './steps.ts';

/** The problems of a step. */
export function problemsAt(id: StepId, answers: Answers, situation: Situation): Problem[] {
  const asked: readonly Field[] = stepOf(id).fields;
  return check(answers, situation).problems.filter(({ field }) => asked.includes(field));
}

/** The first step with problems; the review when there are none. */
export function firstIncomplete(answers: Answers, situation: Situation): Step {
  const { problems } = check(answers, situation);
  const open = new Set(problems.map(({ field }) => field));
  const incomplete = stepsFor(situation.country).find(({ fields }) =>
    fields.some((field) => open.has(field)),
  );
  return incomplete ?? stepOf('review');
}

/** Whether a step is one of the traveller's and all steps before it are complete. */
export function mayOpen(id: StepId, answers: Answers, situation: Situation): boolean {
  const way = stepsFor(situation.country);
  const wanted = way.findIndex((step) => step.id === id);
  return wanted >= 0 && wanted <= way.indexOf(firstIncomplete(answers, situation));
}

/** The step after this one; null while it or a step before it has problems. */
export function next(id: StepId, answers: Answers, situation: Situation): Step | null {
  const way = stepsFor(situation.country);
  const following = way[way.findIndex((step) => step.id === id) + 1];
  return following && mayOpen(following.id, answers, situation) ? following : null;
}
