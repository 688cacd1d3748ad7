import type { VisaAnswers, CheckContext, VisaProblem } from './answers.ts';
import type { VisaField } from './questions.ts';
import { check } from './check.ts';
import { journeySteps, stepById, type WizardStep } from './steps.ts';
import type { StepId } from './step-ids.ts';

/** The problems of a step. */
export function stepProblems(
  id: StepId,
  answers: VisaAnswers,
  checkContext: CheckContext,
): VisaProblem[] {
  const asked: readonly VisaField[] = stepById(id).fields;
  return check(answers, checkContext).problems.filter(({ field }) => asked.includes(field));
}

/** The traveller's steps with problems, first to last. */
export function incompleteSteps(answers: VisaAnswers, checkContext: CheckContext): StepId[] {
  const { problems } = check(answers, checkContext);
  const open = new Set(problems.map(({ field }) => field));
  return journeySteps(checkContext.country, answers)
    .filter(({ fields }) => fields.some((field) => open.has(field)))
    .map(({ id }) => id);
}

/** The first step with problems; the review when there are none. */
export function firstIncomplete(answers: VisaAnswers, checkContext: CheckContext): WizardStep {
  return stepById(incompleteSteps(answers, checkContext)[0] ?? 'review');
}

/** Whether a step is one of the traveller's and all steps before it are complete. */
export function mayOpen(id: StepId, answers: VisaAnswers, checkContext: CheckContext): boolean {
  const way = journeySteps(checkContext.country, answers);
  const wanted = way.findIndex((step) => step.id === id);
  return wanted >= 0 && wanted <= way.indexOf(firstIncomplete(answers, checkContext));
}

/** The step after this one; null while it or a step before it has problems. */
export function nextStep(
  id: StepId,
  answers: VisaAnswers,
  checkContext: CheckContext,
): WizardStep | null {
  const way = journeySteps(checkContext.country, answers);
  const following = way[way.findIndex((step) => step.id === id) + 1];
  return following && mayOpen(following.id, answers, checkContext) ? following : null;
}
