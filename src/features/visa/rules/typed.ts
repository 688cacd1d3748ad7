import { makeRecord } from '~/base/record-of.ts';
import {
  readFormAnswers,
  typedAnswers,
  readControls,
  type FormFields,
  type TypedAnswers,
  controlsByFields,
  ONE_NAME,
  oneNameBox,
  withOneName,
} from '~/features/form/answers/controls.ts';
import { PHONE_COUNTRY } from '~/features/application/phone-codes.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { mayBeUnlimited, type VisaAnswers, EXEMPT } from './answers.ts';
import { fields, questionByField, type VisaField } from './questions.ts';
import { stepById } from './steps.ts';

/** The box for a document without end; the API says so in `supportingDocumentEndDate`. */
export const UNLIMITED = 'supportingDocumentUnlimited';
/** The boxes for parents that no document names. */
export const UNNAMED = { motherName: 'motherUnnamed', fatherName: 'fatherUnnamed' } as const;
/** The API's value for such a parent. */
const UNKNOWN = 'UNKNOWN';
/** Who chose the processing type: see `~/base/default-choice.ts`. */
export const WISH = 'processingTypeWish';
/** The passport's machine-readable lines, for comparing with what was typed: `passport-reader/zone.ts`. */
export const ZONE = 'machineReadableZone';
/** The box that confirms a nationality other than that of these lines. */
export const NATIONALITY_CONFIRMED = 'nationalityConfirmed';

export const visaForm: FormFields<VisaField> = {
  name: 'visa',
  fields,
  inputs: makeRecord(fields, (field) => questionByField(field).input),
  optional: fields.filter((field) => questionByField(field).asked === 'optional'),
  beside: {
    supportingDocumentEndDate: [UNLIMITED],
    firstName: [ONE_NAME],
    motherName: [UNNAMED.motherName],
    fatherName: [UNNAMED.fatherName],
    email: [EMAIL_ANSWER],
    passportNumber: [NATIONALITY_CONFIRMED],
    phone: [PHONE_COUNTRY],
  },
  choosers: { processingType: [WISH], passportNumber: [ZONE] },
};

const parents = ['motherName', 'fatherName'] as const;

export const readTyped = (form: FormData, some: readonly VisaField[]): Record<string, string> =>
  readControls(visaForm, form, some);

/** The answers in the controls, in the API's form. */
export function readVisaAnswers(typed: TypedAnswers): VisaAnswers {
  const answers: VisaAnswers = withOneName(readFormAnswers(visaForm, typed), typed);
  if (mayBeUnlimited(answers)) {
    if (typed[UNLIMITED]) answers.supportingDocumentEndDate = 'unlimited';
  }
  for (const parent of parents) if (typed[UNNAMED[parent]]) answers[parent] = UNKNOWN;
  // The page shows the start date to holders of a Schengen visa only; one typed before for another document is dropped.
  if (answers.supportingDocumentType !== 'visa' || answers.visaCountry !== 'SCHENGEN') {
    answers.supportingDocumentStartDate = '';
  }
  return answers;
}

/** The controls for given answers: the inverse of `readVisaAnswers`. */
export const typedVisaAnswers = (
  answers: VisaAnswers,
  some: readonly VisaField[] = fields,
): TypedAnswers => ({
  ...typedAnswers(visaForm, answers, some),
  ...(some.includes('firstName') && some.includes('lastName') && oneNameBox(answers)),
  ...Object.fromEntries(
    parents
      .filter((parent) => some.includes(parent) && answers[parent] === UNKNOWN)
      .map((parent) => [UNNAMED[parent], 'yes']),
  ),
  ...(some.includes('supportingDocumentEndDate') &&
    answers.supportingDocumentEndDate === 'unlimited' && { [UNLIMITED]: 'yes' }),
});

/**
 * Answers voided by another country: the supporting document, the processing selection, and what was confirmed for the
 * old country. The customer's specification voids them whenever the country changes.
 */
export const voidedByCountry: readonly VisaField[] = [
  ...stepById('supporting_document').fields,
  'processingType',
  ...stepById('prerequisites').fields,
];

/** Answers voided where a traveller says, or takes back, that their age exempts them from the supporting document. */
const voidedByExemption: readonly VisaField[] = [
  'processingType',
  ...stepById('prerequisites').fields,
];

/** The answers that others made out of date: those for the old country, or for the speeds and prices of the old path. */
export function voidedFields(old: TypedAnswers, entries: TypedAnswers): readonly VisaField[] {
  const { countryId, hasSupportingDocument: held } = entries;
  if (countryId !== undefined && countryId !== (old.countryId ?? '')) return voidedByCountry;
  const isOtherPath =
    held !== undefined && (held === EXEMPT) !== (old.hasSupportingDocument === EXEMPT);
  return isOtherPath ? voidedByExemption : [];
}

/** Merges new entries into old ones; what they make out of date goes. */
export function mergeTyped(old: TypedAnswers, entries: TypedAnswers): TypedAnswers {
  const voided = new Set(controlsByFields(visaForm, voidedFields(old, entries)));
  const kept = Object.entries(old).filter(([control]) => !voided.has(control));
  return { ...Object.fromEntries(kept), ...entries };
}
