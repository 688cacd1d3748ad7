import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import {
  fields,
  questions,
  type Field,
  type FieldWith,
  type Group,
} from '~/features/visa/rules/questions.ts';
import type { Detail } from './detail.server.ts';

type DetailField = FieldWith<{ stored: readonly ['details', string] }>;

/** Answers that the desk puts in words of its own, alone or together with others. */
const worded: readonly Field[] = [
  'supportingDocumentType',
  'visaCountry',
  'residenceCountry',
  'supportingDocumentNumber',
  'supportingDocumentStartDate',
  'supportingDocumentEndDate',
  'purpose',
  'passportNumber',
  'placeOfBirth',
  'passportIssueDate',
  'passportExpiryDate',
  'motherName',
  'fatherName',
  'address',
];

const isPlain = (field: Field): field is DetailField =>
  questions[field].stored?.[0] === 'details' && !worded.includes(field);

/**
 * The other answers of an e-visa's details in some groups, all by default, under the labels of the form; '' for what was
 * not answered.
 */
export const plainAnswers = (
  t: Translate<'desk'>,
  language: Language,
  visa: Detail['visa'],
  groups?: readonly Group[],
): { term: string; value: string; latin: boolean }[] =>
  fields
    .filter(isPlain)
    .filter((field) => !groups || groups.includes(questions[field].group))
    .map((field) => {
      const value = visa?.[questions[field].stored[1]] ?? '';
      const day = parseDate(value);
      return {
        term: t(`visa:labels.${field}`),
        value: day ? formatDate(day, language) : value,
        latin: !day,
      };
    });

/** From when until when a supporting document is valid. */
export function validityWords(
  t: Translate<'desk'>,
  day: (date: string) => string,
  { startDate, endDate }: { startDate: string | null; endDate: string | null },
): string {
  const until =
    endDate === 'unlimited'
      ? t('detail.unlimited')
      : endDate && t('detail.until', { date: day(endDate) });
  return [startDate && t('detail.from', { date: day(startDate) }), until]
    .filter(Boolean)
    .join(', ');
}
