import { inputs, type ControlKind } from '~/features/form/answers/controls.ts';
import type { StepId } from './step-ids.ts';

/** Where the review, copies and the desk show an answer. */
export type QuestionGroup = 'trip' | 'document' | 'passport' | 'parents' | 'contact';

/** What an answer is: how it is checked follows from it (`schemas.ts`), and how it is written wherever it is shown. */
export type AnswerType =
  | 'choice'
  | 'country'
  | 'date'
  | 'date_or_unlimited'
  | 'document_number'
  | 'email'
  | 'name'
  | 'phone'
  | 'place'
  | 'text'
  | 'tick';

/** The shortest and the longest text, in characters. */
export type LengthRange = readonly [min: number, max: number];

type Written = 'name' | 'place' | 'text';

type Question = {
  step: StepId;
  /** `sometimes`: depends on other answers (`asked.ts`). */
  asked: 'always' | 'optional' | 'sometimes';
  /** Its control; null for choices and ticks, which their pages draw. */
  input: ControlKind | null;
  /** Null for what confirms something and is no answer about the traveller. */
  group: QuestionGroup | null;
  /**
   * Whether staff may ask a traveller to correct it. Not nationality and speed, because the price depends on them (a new
   * arrival must suit the paid speed), and not the email address, because the link was sent to it.
   */
  mayBeCorrected: boolean;
  /** Whether those who travel together ordinarily answer it alike: a companion begins with this answer. */
  isShared: boolean;
  /**
   * The column that holds it, of every application or of the e-visa's details; staff calls and exports name it so. Null:
   * implied by submitting or by other answers, so calls do not send it either.
   */
  stored: readonly ['application' | 'details', string] | null;
} & (
  | { answer: Written; length: LengthRange }
  | { answer: Exclude<AnswerType, Written>; length?: undefined }
);

/** A condition that travellers confirm. */
const tick = {
  answer: 'tick',
  input: null,
  group: null,
  mayBeCorrected: false,
  isShared: false,
  stored: null,
} as const;

/** A choice on a page of its own. */
const choice = { answer: 'choice', input: null, mayBeCorrected: false, isShared: false } as const;

/**
 * Every question of a visa application by its API name, in the order in which they are asked. Pages, checks, review,
 * copies, corrections, storing, the desk and the calls all go by this table; rules across answers are in `check.ts`.
 */
export const questions = {
  countryId: {
    step: 'nationality',
    answer: 'country',
    asked: 'always',
    input: null,
    group: 'trip',
    mayBeCorrected: false,
    isShared: false,
    stored: ['application', 'countryCode'],
  },
  documentType: {
    ...choice,
    step: 'nationality',
    asked: 'always',
    group: 'trip',
    stored: ['application', 'travelDocument'],
  },
  hasSupportingDocument: {
    ...choice,
    step: 'supporting_document',
    asked: 'sometimes',
    group: 'document',
    stored: null,
  },
  supportingDocumentType: {
    ...choice,
    step: 'supporting_document',
    asked: 'sometimes',
    group: 'document',
    stored: ['details', 'supportingDocumentType'],
  },
  // One of the two countries is asked.
  visaCountry: {
    ...choice,
    step: 'supporting_document',
    asked: 'sometimes',
    group: 'document',
    stored: ['details', 'supportingDocumentCountry'],
  },
  residenceCountry: {
    ...choice,
    step: 'supporting_document',
    asked: 'sometimes',
    group: 'document',
    stored: ['details', 'supportingDocumentCountry'],
  },
  supportingDocumentNumber: {
    step: 'supporting_document',
    answer: 'document_number',
    asked: 'sometimes',
    input: inputs.latin,
    group: 'document',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'supportingDocumentNumber'],
  },
  supportingDocumentStartDate: {
    step: 'supporting_document',
    answer: 'date',
    asked: 'sometimes',
    input: inputs.date,
    group: 'document',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'supportingDocumentStartDate'],
  },
  supportingDocumentEndDate: {
    step: 'supporting_document',
    answer: 'date_or_unlimited',
    asked: 'sometimes',
    input: inputs.date,
    group: 'document',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'supportingDocumentEndDate'],
  },
  purpose: {
    ...choice,
    isShared: true,
    step: 'what_it_allows',
    asked: 'sometimes',
    group: 'trip',
    stored: ['details', 'purpose'],
  },
  arrivalDate: {
    step: 'arrival',
    answer: 'date',
    asked: 'always',
    input: inputs.date,
    group: 'trip',
    mayBeCorrected: true,
    isShared: true,
    stored: ['application', 'startsOn'],
  },
  processingType: {
    ...choice,
    step: 'arrival',
    asked: 'always',
    group: 'trip',
    stored: ['application', 'service'],
  },
  ordinaryPassport: { ...tick, step: 'prerequisites', asked: 'sometimes' },
  validPassport: { ...tick, step: 'prerequisites', asked: 'sometimes' },
  enterWithin3Months: { ...tick, step: 'prerequisites', asked: 'sometimes' },
  stayWithin30Days: { ...tick, step: 'prerequisites', asked: 'sometimes' },
  lastName: {
    step: 'details',
    answer: 'name',
    length: [1, 60],
    asked: 'always',
    input: inputs.lastName,
    group: 'passport',
    mayBeCorrected: true,
    isShared: false,
    stored: ['application', 'lastName'],
  },
  firstName: {
    step: 'details',
    answer: 'name',
    length: [1, 60],
    asked: 'always',
    input: inputs.firstName,
    group: 'passport',
    mayBeCorrected: true,
    isShared: false,
    stored: ['application', 'firstName'],
  },
  nameConfirmed: { ...tick, step: 'details', asked: 'sometimes' },
  passportNumber: {
    step: 'details',
    answer: 'document_number',
    asked: 'always',
    input: inputs.passportNumber,
    group: 'passport',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'passportNumber'],
  },
  dateOfBirth: {
    step: 'details',
    answer: 'date',
    asked: 'always',
    input: inputs.birthday,
    group: 'passport',
    mayBeCorrected: true,
    isShared: false,
    stored: ['application', 'dateOfBirth'],
  },
  placeOfBirth: {
    step: 'details',
    answer: 'place',
    length: [2, 60],
    asked: 'always',
    input: inputs.latin,
    group: 'passport',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'placeOfBirth'],
  },
  passportIssueDate: {
    step: 'details',
    answer: 'date',
    asked: 'always',
    input: inputs.date,
    group: 'passport',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'passportIssueDate'],
  },
  passportExpiryDate: {
    step: 'details',
    answer: 'date',
    asked: 'always',
    input: inputs.date,
    group: 'passport',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'passportExpiryDate'],
  },
  motherName: {
    step: 'details',
    answer: 'name',
    length: [2, 80],
    asked: 'always',
    input: inputs.wideLatin,
    group: 'parents',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'motherName'],
  },
  fatherName: {
    step: 'details',
    answer: 'name',
    length: [2, 80],
    asked: 'always',
    input: inputs.wideLatin,
    group: 'parents',
    mayBeCorrected: true,
    isShared: false,
    stored: ['details', 'fatherName'],
  },
  email: {
    step: 'details',
    answer: 'email',
    asked: 'always',
    input: inputs.email,
    group: 'contact',
    mayBeCorrected: false,
    isShared: true,
    stored: ['application', 'email'],
  },
  phone: {
    step: 'details',
    answer: 'phone',
    asked: 'always',
    input: inputs.phone,
    group: 'contact',
    mayBeCorrected: true,
    isShared: true,
    stored: ['application', 'phone'],
  },
  address: {
    step: 'details',
    answer: 'text',
    length: [10, 300],
    asked: 'always',
    input: inputs.address,
    group: 'contact',
    mayBeCorrected: true,
    isShared: true,
    stored: ['details', 'address'],
  },
} as const satisfies Record<string, Question>;

export type Questions = typeof questions;
export type VisaField = keyof Questions;

/** The fields whose descriptor has these properties. */
export type FieldWith<Properties> = {
  [F in VisaField]: Questions[F] extends Properties ? F : never;
}[VisaField];

const isField = (name: string): name is VisaField => name in questions;

/** All questions, in the order in which they are asked. */
export const fields: readonly VisaField[] = Object.keys(questions).filter(isField);

/** What the table says of a question. */
export const questionByField = (field: VisaField): Question => questions[field];
/** What an e-visa may be asked for. */
export const purposes = ['tourism', 'trade'] as const;
