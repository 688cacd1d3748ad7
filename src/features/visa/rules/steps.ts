import { fields, questionByField, type VisaField } from './questions.ts';
import type { StepId } from './step-ids.ts';
import type { PricePath } from './speeds.ts';
import { pricePath, type VisaAnswers, type CountryTerms } from './answers.ts';

export type WizardStep = {
  id: StepId;
  /** Its page; texts are `visa:<id>.…`. */
  url: string;
  /** The questions, in reading order. */
  fields: readonly VisaField[];
  /** The paths that have this step; before a nationality is chosen the one without a document counts. */
  paths: readonly PricePath[];
};

const both: readonly PricePath[] = ['without_document', 'with_document'];

const step = (id: StepId, url: string, paths: readonly PricePath[]): WizardStep => ({
  id,
  url,
  fields: fields.filter((field) => questionByField(field).step === id),
  paths,
});

/** The wizard's steps: 5 without a supporting document, 6 with one. */
export const steps: readonly WizardStep[] = [
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
export function stepById(id: StepId): WizardStep {
  const step = byId.get(id);
  if (!step) throw new Error(`No step ${id}`);
  return step;
}

/** The query of a step that was opened from the review page to change an answer: its Next leads back there. */
export const BACK_TO_REVIEW = 'then=review';

export const isReviewNext = (query: URLSearchParams): boolean => query.get('then') === 'review';

/** The traveller's steps, first to last. Whoever is exempt by age has said so on the step of the supporting document. */
export function journeySteps(
  country: CountryTerms | null,
  answers: VisaAnswers,
): readonly WizardStep[] {
  const path = pricePath(country, answers) ?? 'without_document';
  const asksDocument = country?.regime === 'evisa_with_document';
  return steps.filter(({ id, paths }) =>
    id === 'supporting_document' ? asksDocument : paths.includes(path),
  );
}

/** The step before this one; null on the first. */
export function previousStep(
  id: StepId,
  country: CountryTerms | null,
  answers: VisaAnswers,
): WizardStep | null {
  const way = journeySteps(country, answers);
  return way[way.findIndex((step) => step.id === id) - 1] ?? null;
}
