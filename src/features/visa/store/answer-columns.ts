import type { Application } from '~/features/application/store.server.ts';
import { makeRecord } from '~/base/record-of.ts';
import { EXEMPT, isExemptByAge } from '../rules/answers.ts';
import {
  fields,
  questionByField,
  questions,
  type AnswerType,
  type VisaField,
  type FieldWith,
  type Questions,
} from '../rules/questions.ts';
import type { VisaValues } from '../rules/schemas.ts';
import type { VisaDetails } from './store.server.ts';

type Table = 'application' | 'details';
type ColumnIn<T extends Table> = Extract<Questions[VisaField]['stored'], readonly [T, string]>[1];

/** The columns of every application that hold answers. */
export type PersonColumns = Pick<Application, ColumnIn<'application'>>;
/** The columns of a visa application that hold answers. */
type DetailColumns = Pick<VisaDetails, ColumnIn<'details'>>;

/**
 * The columns that some answers fill: null where nothing was answered.
 * @throws Error for a missing answer to a question that is always asked.
 */
function columnsOf(table: Table, values: VisaValues, some: readonly VisaField[]) {
  const columns: Record<string, string | null> = {};
  for (const field of some) {
    const { stored, asked } = questionByField(field);
    if (stored?.[0] !== table) continue;
    const value = values[field] ?? null;
    if (value === null && asked === 'always') throw new Error(`${field} is missing`);
    // Of two questions with one column, one is asked.
    columns[stored[1]] ??= value;
  }
  return columns;
}

type SealedField = FieldWith<{ answer: 'document_number' }>;
/** The columns of a visa application that hold answers as they are, not sealed. */
export type PlainColumn = Exclude<keyof DetailColumns, SealedField>;

const isPlainColumn = (column: keyof DetailColumns): column is PlainColumn =>
  column !== 'passportNumber' && column !== 'supportingDocumentNumber';

export const plainColumns: readonly PlainColumn[] = [
  ...new Set(
    fields.flatMap((field) => {
      const { stored } = questions[field];
      return stored?.[0] === 'details' && isPlainColumn(stored[1]) ? [stored[1]] : [];
    }),
  ),
];

/** What an answer in a column is. */
export const answerByColumn = (column: PlainColumn): AnswerType | undefined =>
  Object.values(questions).find(({ stored }) => stored?.[1] === column)?.answer;

const isWhole = <Columns>(table: Table, columns: Partial<Columns>): columns is Columns =>
  fields.every((field) => {
    const { stored } = questionByField(field);
    return stored?.[0] !== table || stored[1] in columns;
  });

/** What some answers say of the person and the trip. */
export const correctedPerson = (
  values: VisaValues,
  some: readonly VisaField[],
): Partial<PersonColumns> => columnsOf('application', values, some);

/** What some answers say of passport, parents and supporting document. */
export const correctedDetails = (
  values: VisaValues,
  some: readonly VisaField[],
): Partial<DetailColumns> => columnsOf('details', values, some);

/** All answers, as they are stored. */
export function answerColumns(values: VisaValues): {
  person: PersonColumns;
  details: DetailColumns;
} {
  const person = correctedPerson(values, fields);
  const details = correctedDetails(values, fields);
  if (
    !isWhole<PersonColumns>('application', person) ||
    !isWhole<DetailColumns>('details', details)
  ) {
    throw new Error('A column without an answer');
  }
  return { person, details };
}

/** A stored application as answers; confirmations that submitting required are given. */
export function storedAnswers(
  application: Application,
  details: VisaDetails,
): Record<VisaField, string> {
  const { supportingDocumentType: type, supportingDocumentCountry: issuer } = details;
  const isExempt = isExemptByAge(
    { code: application.countryCode, regime: 'evisa_with_document' },
    { dateOfBirth: application.dateOfBirth, arrivalDate: application.startsOn },
  );
  return {
    ...makeRecord(fields, (field) => {
      const { stored } = questions[field];
      if (stored === null) return 'yes';
      return (stored[0] === 'application' ? application[stored[1]] : details[stored[1]]) ?? '';
    }),
    hasSupportingDocument: type === null ? (isExempt ? EXEMPT : '') : 'yes',
    visaCountry: type === 'visa' ? (issuer ?? '') : '',
    residenceCountry: type === 'residence' ? (issuer ?? '') : '',
  };
}
