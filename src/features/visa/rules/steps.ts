import { fields, questionOf, type Field } from './questions.ts';
import type { StepId } from './step-ids.ts';
import type { Path } from './speeds.ts';
import { pathOf, type Answers, type CountryTerms } from './answers.ts';

export type Step = {
  id: StepId;
  /** Its page; texts are `visa:<id>.…`. */
  url: string;
  /** The questions, in reading order. */
  fields: readonly Field[];
  /** The paths that have this step; before a nationality is chosen the one without a document counts. */
  paths: readonly Path[];
};

const both: readonly Path[] = ['without_document', 'with_document'];

const step = (id: StepId, url: string, paths: readonly Path[]): Step => ({
  id,
  url,
  fields: fields.filter((field) => questionOf(field).step === id),
  paths,
});

/** The wizard's steps: 5 without a supporting document, 6 with one. */
export const steps: readonly Step[] = [
  step('nationality', '/application', both),
  step('supporting_document', '/application/supporting-document', ['with_document']),
  step('what_it_allows', '/application/what-it-allows', ['without_document']),
  step('arrival', '/application/arrival', both),
  step('prerequisites', '/application/prerequisites', ['with_document']),
  step('details', '/application/details', both),
  step('review', '/application/review', both),
];

const byId = new Map(steps.map((step) => [step.id, step]));

/**
 * The step with that id.
 * @throws Error for an id that is not in the table, which its type rules out.
 */
export function stepOf(id: StepId): Step {
  const step = byId.get(id);
  if (!step) throw new Error(`No step ${id}`);
  return step;
}

/** The query of a step that was opened from the review page to change an answer: its Next leads back there. */
export const BACK_TO_REVIEW = 'then=review';

export const leadsToReview = (query: URLSearchParams): boolean => query.get('then') === 'review';

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
