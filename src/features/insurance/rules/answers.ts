import type * as z from 'zod/mini';
import type { ReadPhone } from '~/features/application/phone/phone.ts';
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
  'destination',
  'travelDate',
  'returnDate',
  'dateOfBirth',
];

/** Questions that may be left out; defaults are an ordinary passport and the destination Turkey. */
export const optional: readonly Question[] = ['documentType', 'placeOfBirth', 'destination'];

/** A question, or the parent's ID that an under-age traveller uploads. */
export type Field = Question | 'parentIdPhotos';

/** Answers as texts in the API's form: dates YYYY-MM-DD, none as ''. */
export type Answers = Partial<Record<Question, string>>;
/** Answers that are each valid. */
export type Values = { [Q in Question]?: z.output<(typeof questions)[Q]> };

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

/** The destination by default, in the specification's word. */
export const DEFAULT_DESTINATION = 'Turkey';
