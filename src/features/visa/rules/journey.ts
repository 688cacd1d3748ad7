import { pathOf, type CountryTerms } from './answers.ts';
import { steps, type Step, type StepId } from './steps.ts';

/** The steps of this nationality, first to last. */
export function stepsFor(country: CountryTerms | null): readonly Step[] {
  const path = pathOf(country) ?? 'without_document';
  return steps.filter(({ paths }) => paths.includes(path));
}

/** The step before this one; null on the first. */
export function previous(id: StepId, country: CountryTerms | null): Step | null {
  const way = stepsFor(country);
  return way[way.findIndex((step) => step.id === id) - 1] ?? null;
}
