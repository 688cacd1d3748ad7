import type * as z from 'zod/mini';
import { makeRecord } from '~/base/record-of.ts';
import type { PlainDate } from '~/base/dates/dates.ts';
import {
  countryCode,
  date,
  dateOrUnlimited,
  documentNumber,
  email,
  latinText,
  name,
  oneOf,
  phone,
  place,
  ticked,
} from '~/features/application/texts.ts';
import { travelDocuments } from '~/features/catalog/regime.ts';
import {
  residenceCountries,
  supportingVisaCountries,
} from '~/features/catalog/supporting-documents.ts';
import { purposes } from './questions.ts';
import {
  fields,
  questionByField,
  type AnswerType,
  type VisaField,
  type FieldWith,
  type LengthRange,
} from './questions.ts';
import { processingTypes } from './speeds.ts';

type ChoiceField = FieldWith<{ answer: 'choice' }>;

/** What each choice offers. */
const choices = {
  documentType: travelDocuments,
  hasSupportingDocument: ['yes', 'no', 'exempt'],
  supportingDocumentType: ['visa', 'residence'],
  visaCountry: supportingVisaCountries,
  residenceCountry: residenceCountries,
  purpose: purposes,
  processingType: processingTypes,
} as const satisfies Record<ChoiceField, readonly string[]>;

type ValueOf<F extends VisaField> = F extends ChoiceField
  ? (typeof choices)[F][number]
  : F extends FieldWith<{ answer: 'date' }>
    ? PlainDate
    : F extends FieldWith<{ answer: 'date_or_unlimited' }>
      ? PlainDate | 'unlimited'
      : string;

/** Answers that are each valid. */
export type VisaValues = { [F in VisaField]?: ValueOf<F> };

/** The options of a choice; none for another question. */
export const fieldChoices = (field: VisaField): readonly string[] => {
  const all: Readonly<Partial<Record<VisaField, readonly string[]>>> = choices;
  return all[field] ?? [];
};

const schemaBy: Readonly<
  Record<AnswerType, (field: VisaField, length: LengthRange) => z.ZodMiniType>
> = {
  choice: (field) => oneOf(fieldChoices(field)),
  country: countryCode,
  date,
  date_or_unlimited: dateOrUnlimited,
  document_number: documentNumber,
  email,
  name: (_, length) => name(...length),
  phone,
  place: (_, length) => place(...length),
  text: (_, length) => latinText(...length),
  tick: ticked,
};

/**
 * The schema of each single answer. Only checking code needs them: pages load it at the first entry, not with
 * themselves.
 */
export const schemas = makeRecord(fields, (field) => {
  const { answer, length = [0, 0] } = questionByField(field);
  return schemaBy[answer](field, length);
});
