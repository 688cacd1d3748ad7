import { pathOf, type Answers, type CountryTerms } from './answers.ts';
import { steps, type Step } from './steps.ts';
import type { StepId } from './step-ids.ts';

/** The traveller's steps, first to last. Whoever is exempt by age has said so on the step of the supporting document. */
export function stepsFor(country: CountryTerms | null, answers: Answers): readonly Step[] {
  const path = pathOf(country, answers) ?? 'without_document';
  const asksDocument = country?.regime === 'evisa_with_document';
  return steps.filter(({ id, paths }) =>
    id === 'supporting_document' ? asksDocument : paths.includes(path),
  );
}

/** The step before this one; null on the first. */
export function previous(id: StepId, country: CountryTerms | null, answers: Answers): Step | null {
  const way = stepsFor(country, answers);
  return way[way.findIndex((step) => step.id === id) - 1] ?? null;
}
