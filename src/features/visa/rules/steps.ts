import type { Field } from './answers.ts';
import type { Path } from './speeds.ts';

export const stepIds = [
  'nationality',
  'supporting_document',
  'what_it_allows',
  'arrival',
  'prerequisites',
  'details',
  'review',
] as const;

export type StepId = (typeof stepIds)[number];

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

/** The wizard's steps: 5 without a supporting document, 6 with one. */
export const steps: readonly [Step, ...Step[]] = [
  {
    id: 'nationality',
    url: '/application',
    fields: ['countryId', 'documentType'],
    paths: both,
  },
  {
    id: 'supporting_document',
    url: '/application/supporting-document',
    fields: [
      'hasSupportingDocument',
      'supportingDocumentType',
      'visaCountry',
      'residenceCountry',
      'supportingDocumentNumber',
      'supportingDocumentStartDate',
      'supportingDocumentEndDate',
    ],
    paths: ['with_document'],
  },
  {
    id: 'what_it_allows',
    url: '/application/what-it-allows',
    fields: ['purpose'],
    paths: ['without_document'],
  },
  {
    id: 'arrival',
    url: '/application/arrival',
    fields: ['arrivalDate', 'processingType'],
    paths: both,
  },
  {
    id: 'prerequisites',
    url: '/application/prerequisites',
    fields: ['ordinaryPassport', 'validPassport', 'enterWithin3Months', 'stayWithin30Days'],
    paths: ['with_document'],
  },
  {
    id: 'details',
    url: '/application/details',
    fields: [
      'lastName',
      'firstName',
      'nameConfirmed',
      'passportNumber',
      'dateOfBirth',
      'placeOfBirth',
      'passportIssueDate',
      'passportExpiryDate',
      'motherName',
      'fatherName',
      'email',
      'phone',
      'address',
    ],
    paths: both,
  },
  { id: 'review', url: '/application/review', fields: [], paths: both },
];

/** All questions, in the order in which they are asked. */
export const fields: readonly Field[] = steps.flatMap((step) => step.fields);

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
