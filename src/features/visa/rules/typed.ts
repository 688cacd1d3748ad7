import {
  answersIn,
  controlsHolding,
  readControls,
  type FormFields,
  type Typed,
} from '~/features/form/answers/controls.ts';
import { PHONE_COUNTRY } from '~/features/application/phone/phone-codes.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { mayBeUnlimited, type Answers, type Field } from './answers.ts';
import { fields } from './steps.ts';

/** Ticked for a document that does not end; the API says so in `supportingDocumentEndDate`. */
export const UNLIMITED = 'supportingDocumentUnlimited';
/** Ticked where a passport shows one name alone: it is the last name, and the API has it as the first name, too. */
export const ONE_NAME = 'oneName';
/** Ticked where no document names a parent. */
export const UNNAMED = { motherName: 'motherUnnamed', fatherName: 'fatherUnnamed' } as const;
/** How the API says so. */
const UNKNOWN = 'UNKNOWN';
/** Whose choice the processing type is: see `~/base/default-choice.ts`. */
export const WISH = 'processingTypeWish';
/** What was read from the passport's machine-readable lines, to be compared with what was typed: `passport-reader/zone.ts`. */
export const ZONE = 'machineReadableZone';

export const visaForm: FormFields<Field> = {
  fields,
  dates: [
    'supportingDocumentStartDate',
    'supportingDocumentEndDate',
    'arrivalDate',
    'dateOfBirth',
    'passportIssueDate',
    'passportExpiryDate',
  ],
  beside: {
    supportingDocumentEndDate: [UNLIMITED],
    firstName: [ONE_NAME],
    motherName: [UNNAMED.motherName],
    fatherName: [UNNAMED.fatherName],
    email: [EMAIL_ANSWER],
    phone: [PHONE_COUNTRY],
  },
  choosers: { processingType: [WISH], passportNumber: [ZONE] },
};

const parents = ['motherName', 'fatherName'] as const;

export const readTyped = (form: FormData, some: readonly Field[]): Record<string, string> =>
  readControls(visaForm, form, some);

/** The answers that the controls give, in the API's form. */
export function answersOf(typed: Typed): Answers {
  const answers: Answers = answersIn(visaForm, typed);
  if (mayBeUnlimited(answers)) {
    if (typed[UNLIMITED]) answers.supportingDocumentEndDate = 'unlimited';
  }
  if (typed[ONE_NAME]) answers.firstName = answers.lastName;
  for (const parent of parents) if (typed[UNNAMED[parent]]) answers[parent] = UNKNOWN;
  // The page shows the start to holders of a Schengen visa alone; what was typed before for another document is over.
  if (answers.supportingDocumentType !== 'visa' || answers.visaCountry !== 'SCHENGEN') {
    answers.supportingDocumentStartDate = '';
  }
  return answers;
}

/** The controls that give these answers: what `answersOf` reads. */
export const typedOf = (answers: Answers, some: readonly Field[] = fields): Typed => ({
  ...controlsHolding(visaForm, answers, some),
  ...Object.fromEntries(
    parents
      .filter((parent) => some.includes(parent) && answers[parent] === UNKNOWN)
      .map((parent) => [UNNAMED[parent], 'yes']),
  ),
  ...(some.includes('supportingDocumentEndDate') &&
    answers.supportingDocumentEndDate === 'unlimited' && { [UNLIMITED]: 'yes' }),
});
