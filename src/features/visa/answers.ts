import * as z from 'zod/mini';
import { travelDocuments, type Country } from '~/features/catalog/regime.ts';
import {
  residenceCountries,
  supportingVisaCountries,
} from '~/features/catalog/supporting-documents.ts';
import { processingTypes, type Path } from './speeds.ts';
import {
  date,
  dateOrUnlimited,
  documentNumber,
  email,
  latinText,
  name,
  oneOf,
  phone,
  ticked,
} from '~/features/application/texts.ts';

export const purposes = ['tourism', 'trade'] as const;
export type Purpose = (typeof purposes)[number];

/**
 * Every question of a visa application under the API's name, with what makes a single answer valid; what answers mean
 * for one another stands in `rules.ts`. Wizard pages, inline checks and `POST /api/applications` use this one table.
 */
export const questions = {
  countryId: z
    .string('required')
    .check(z.trim(), z.toUpperCase(), z.minLength(1, 'required'), z.regex(/^[A-Z]{3}$/, 'unknown')),
  documentType: oneOf(travelDocuments),
  hasSupportingDocument: oneOf(['yes', 'no']),
  supportingDocumentType: oneOf(['visa', 'residence']),
  visaCountry: oneOf(supportingVisaCountries),
  residenceCountry: oneOf(residenceCountries),
  supportingDocumentNumber: documentNumber(),
  supportingDocumentStartDate: date(),
  supportingDocumentEndDate: dateOrUnlimited(),
  purpose: oneOf(purposes),
  arrivalDate: date(),
  processingType: oneOf(processingTypes),
  ordinaryPassport: ticked(),
  validPassport: ticked(),
  enterWithin3Months: ticked(),
  stayWithin30Days: ticked(),
  lastName: name(1, 60),
  firstName: name(1, 60),
  nameConfirmed: ticked(),
  passportNumber: documentNumber(),
  dateOfBirth: date(),
  placeOfBirth: latinText(2, 60),
  passportIssueDate: date(),
  passportExpiryDate: date(),
  motherName: name(2, 80),
  fatherName: name(2, 80),
  email: email(),
  phone: phone(),
  address: latinText(10, 300),
} as const;

export type Field = keyof typeof questions;
export const fields = Object.keys(questions) as Field[];

/** What was answered, as texts in the API's form: dates YYYY-MM-DD, nothing as ''. */
export type Answers = Partial<Record<Field, string>>;
/** Answers that are valid one by one. */
export type Values = { [F in Field]?: z.output<(typeof questions)[F]> };

/** What a nationality is granted, as far as an application depends on it. */
export type CountryTerms = Pick<Country, 'code' | 'regime' | 'maxStayDays' | 'entries'>;

/** What the answers are judged against. `country`: the one that `countryId` names, null if there is none such. */
export type Situation = { now: Date; country: CountryTerms | null };

/** The price table and the steps of a nationality; null where it gets no e-visa. */
export function pathOf(country: CountryTerms | null): Path | null {
  if (country?.regime === 'evisa') return 'without_document';
  return country?.regime === 'evisa_with_document' ? 'with_document' : null;
}
