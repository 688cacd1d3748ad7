import type * as z from 'zod/mini';
import type { ReadPhone } from '~/features/application/phone-codes.ts';
import type { ChosenPhoneCountry } from '~/features/form/answers/controls.ts';
import type { Plan } from './plans.ts';
import type { questions } from './questions.ts';

export type Question = keyof typeof questions;

/** All question names, without the schemas, which only checking code needs. */
export const questionNames: readonly Question[] = [
  'productId',
  'firstName',
  'lastName',
  'email',
  'phone',
  'passportNumber',
  'nationality',
  'documentType',
  'placeOfBirth',
  'travelDate',
  'returnDate',
  'dateOfBirth',
];

/** The fields as they stand on the page; problems are found in the specification's order. */
export const fieldsOnPage: readonly InsuranceField[] = [
  'travelDate',
  'returnDate',
  'productId',
  'nationality',
  'documentType',
  'lastName',
  'firstName',
  'passportNumber',
  'dateOfBirth',
  'placeOfBirth',
  'parentIdPhotos',
  'email',
  'phone',
];

/** Questions that may be left out; the default is an ordinary passport. */
export const optional: readonly Question[] = ['documentType', 'placeOfBirth'];

/** A question, the parent's ID that an under-age traveller uploads, or the destination that a call may name. */
export type InsuranceField = Question | 'parentIdPhotos' | 'destination';

/** Answers as texts in the API's form: dates YYYY-MM-DD, none as ''. */
export type InsuranceAnswers = Partial<Record<Question, string>> & ChosenPhoneCountry;
/** Answers that are each valid. */
export type InsuranceValues = { [Q in Question]?: z.output<(typeof questions)[Q]> };

/** What answers are checked against. */
export type CheckContext = {
  now: Date;
  /** The plans on sale, shortest first. */
  plans: readonly Plan[];
  /** Whether a code is a known nationality. */
  isNationality: (code: string) => boolean;
  readPhone: ReadPhone;
  /** Number of uploaded photos of a parent's ID. */
  photos: number;
};

/** Where every insurance is valid, in the specification's word. */
export const DESTINATION = 'Turkey';
