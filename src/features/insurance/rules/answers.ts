import type * as z from 'zod/mini';
import { travelDocuments } from '~/features/catalog/regime.ts';
import type { ReadPhone } from '~/features/application/phone.ts';
import type { Plan } from './plans.ts';
import {
  countryCode,
  date,
  documentNumber,
  email,
  name,
  oneOf,
  phone,
  place,
  text,
} from '~/features/application/texts.ts';

/**
 * Every question of an insurance application under the API's name, with what makes a single answer valid; what answers
 * mean for one another stands in `check.ts`. The page, its inline checks and the call use this one table.
 */
export const questions = {
  productId: text(1, 60),
  firstName: name(1, 60),
  lastName: name(1, 60),
  email: email(),
  phone: phone(),
  passportNumber: documentNumber(),
  nationality: countryCode(),
  documentType: oneOf(travelDocuments),
  placeOfBirth: place(2, 60),
  destination: text(2, 60),
  travelDate: date(),
  returnDate: date(),
  dateOfBirth: date(),
} as const;

export type Question = keyof typeof questions;
export const questionNames = Object.keys(questions) as Question[];

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
