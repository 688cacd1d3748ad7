import type * as z from 'zod/mini';
import type { ReadPhone } from '~/features/application/phone/phone.ts';
import type { Plan } from './plans.ts';
import type { questions } from './questions.ts';

export type Question = keyof typeof questions;

/** All questions: their table is for those who check answers, not for every page. */
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

/** What somebody may leave out; the travel document is then an ordinary passport, the destination Turkey. */
export const optional: readonly Question[] = ['documentType', 'placeOfBirth', 'destination'];

/** A question, or the parent's ID that an under-age traveller uploads. */
export type Field = Question | 'parentIdPhotos';

/** What was answered, as texts in the API's form: dates YYYY-MM-DD, nothing as ''. */
export type Answers = Partial<Record<Question, string>>;
/** Answers that are valid one by one. */
export type Values = { [Q in Question]?: z.output<(typeof questions)[Q]> };

/** What the answers are judged against. */
export type Situation = {
  now: Date;
  /** The plans that are sold, shortest first. */
  plans: readonly Plan[];
  /** Whether the nationality is one that exists. */
  isNationality: (code: string) => boolean;
  readPhone: ReadPhone;
  /** How many photos of a parent's ID came along. */
  photos: number;
};

/** The destination that nobody has to type; the word is the specification's. */
export const DEFAULT_DESTINATION = 'Turkey';
