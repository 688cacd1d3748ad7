import {
  answersIn,
  controlsHolding,
  readControls,
  type FormFields,
  type Typed,
} from '~/features/form/answers/controls.ts';
import { inputs } from '~/features/form/answers/inputs.ts';
import { ONE_NAME, oneNameBox, withOneName } from '~/features/form/answers/one-name.ts';
import { PHONE_COUNTRY } from '~/features/application/phone-codes.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { optional, questionNames, type Answers, type Question } from './answers.ts';

/** The plan that the page had selected, and the one that the visitor chose: see `plan-choice.ts`. */
export const PLAN_SHOWN = 'planShown';
export const PLAN_WISH = 'planWish';

export const insuranceForm: FormFields<Question> = {
  name: 'insurance',
  fields: questionNames,
  inputs: {
    productId: null,
    firstName: inputs.firstName,
    lastName: inputs.lastName,
    email: inputs.email,
    phone: inputs.phone,
    passportNumber: inputs.passportNumber,
    nationality: null,
    documentType: null,
    placeOfBirth: inputs.latin,
    travelDate: inputs.date,
    returnDate: inputs.date,
    dateOfBirth: inputs.birthday,
  },
  optional,
  beside: { firstName: [ONE_NAME], email: [EMAIL_ANSWER], phone: [PHONE_COUNTRY] },
  choosers: { productId: [PLAN_SHOWN, PLAN_WISH] },
};

export const readTyped = (form: FormData, some?: readonly Question[]): Record<string, string> =>
  readControls(insuranceForm, form, some);

/** The answers in the controls, in the API's form. */
export const answersOf = (typed: Typed): Answers =>
  withOneName(answersIn(insuranceForm, typed), typed);

/** The controls for given answers. */
export const typedOf = (answers: Answers, some: readonly Question[] = questionNames): Typed => ({
  ...controlsHolding(insuranceForm, answers, some),
  ...(some.includes('firstName') && some.includes('lastName') && oneNameBox(answers)),
});
