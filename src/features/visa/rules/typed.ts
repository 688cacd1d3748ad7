import { dateFromParts, noDate, parseDate, partsOf } from '~/base/dates/dates.ts';
import type { Typed } from '~/features/draft/draft-content.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { mayBeUnlimited, type Answers, type Field } from './answers.ts';
import { voidedByCountry } from './journey.ts';
import { fields } from './steps.ts';

export type { Typed };

export const dateFields = [
  'supportingDocumentStartDate',
  'supportingDocumentEndDate',
  'arrivalDate',
  'dateOfBirth',
  'passportIssueDate',
  'passportExpiryDate',
] as const satisfies readonly Field[];
export type DateField = (typeof dateFields)[number];

const isDateField = (field: Field): field is DateField =>
  dateFields.some((dateField) => dateField === field);

/** Ticked for a document that does not end; the API says so in `supportingDocumentEndDate`. */
export const UNLIMITED = 'supportingDocumentUnlimited';
/** Whose choice the processing type is: see `~/base/default-choice.ts`. */
export const WISH = 'processingTypeWish';
/** No control holds more; the longest answer has 300 characters. */
const LONGEST = 1000;

/** The names of the controls that answer a field: a date is three, an e-mail address has the one that was chosen. */
export function controlsOf(field: Field): readonly string[] {
  if (field === 'processingType') return [field, WISH];
  if (field === 'email') return [field, EMAIL_ANSWER];
  if (!isDateField(field)) return [field];
  const parts = [`${field}-day`, `${field}-month`, `${field}-year`];
  return field === 'supportingDocumentEndDate' ? [...parts, UNLIMITED] : parts;
}

export const controlsOfAll = (some: readonly Field[]): string[] => some.flatMap(controlsOf);

/** A text of a form, cut to a length; '' for what is missing or a file. */
export function textOf(form: FormData, name: string, longest: number): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.slice(0, longest) : '';
}

/** Reads the controls of some fields out of a form; a box that is not ticked and a control that is missing are ''. */
export function readTyped(form: FormData, some: readonly Field[]): Record<string, string> {
  return Object.fromEntries(
    controlsOfAll(some).map((control) => [control, textOf(form, control, LONGEST)]),
  );
}

/** The day, month and year that were typed for a date. */
export const partsTyped = (typed: Typed, field: DateField) => ({
  day: typed[`${field}-day`] ?? '',
  month: typed[`${field}-month`] ?? '',
  year: typed[`${field}-year`] ?? '',
});

/** The answers that the controls give, in the API's form. A date that is none stays wrong rather than becoming empty. */
export function answersOf(typed: Typed): Answers {
  const answers: Answers = {};
  for (const field of fields) {
    answers[field] = isDateField(field) ? dateOf(typed, field) : (typed[field] ?? '');
  }
  if (mayBeUnlimited(answers)) {
    if (typed[UNLIMITED]) answers.supportingDocumentEndDate = 'unlimited';
  }
  // The page shows the start to holders of a Schengen visa alone; what was typed before for another document is over.
  if (answers.supportingDocumentType !== 'visa' || answers.visaCountry !== 'SCHENGEN') {
    answers.supportingDocumentStartDate = '';
  }
  return answers;
}

function dateOf(typed: Typed, field: DateField): string {
  const parts = partsTyped(typed, field);
  if (Object.values(parts).every((part) => part.trim() === '')) return '';
  return dateFromParts(parts) ?? noDate(parts.year);
}

/** New entries over old ones; another country voids what depended on the old one. */
export function retype(old: Typed, entries: Typed): Typed {
  const changed = entries.countryId !== undefined && entries.countryId !== (old.countryId ?? '');
  if (!changed) return { ...old, ...entries };
  const voided = new Set(controlsOfAll(voidedByCountry));
  const kept = Object.entries(old).filter(([control]) => !voided.has(control));
  return { ...Object.fromEntries(kept), ...entries };
}

/** The controls that give these answers: what `answersOf` reads. */
export function typedOf(answers: Answers): Typed {
  const typed: Record<string, string> = {};
  for (const field of fields) {
    const answer = answers[field] ?? '';
    if (!dateFields.some((date) => date === field)) typed[field] = answer;
    else if (answer === 'unlimited') typed[UNLIMITED] = 'yes';
    else {
      const day = parseDate(answer);
      const parts = day ? partsOf(day) : { day: '', month: '', year: '' };
      for (const [part, value] of Object.entries(parts)) typed[`${field}-${part}`] = String(value);
    }
  }
  return typed;
}
