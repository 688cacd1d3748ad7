import {
  readFormAnswers,
  typedAnswers,
  readControls,
  type FormFields,
  type TypedAnswers,
  inputs,
  ONE_NAME,
  oneNameBox,
  withOneName,
} from '~/features/form/answers/controls.ts';
import { PHONE_COUNTRY } from '~/features/application/phone-codes.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { optional, questionNames, type InsuranceAnswers, type Question } from './answers.ts';
import { typedDate } from '~/base/dates/dates.ts';
import { readChoice, type FormChoice } from '~/base/default-choice.ts';
import { planNamed, type Plan, selectPlan, tripDays } from './plans.ts';
import { parseMoney, toDecimal, type Money } from '~/base/money.ts';

/** The plan that the page had selected, and the one that the visitor chose: see `resolvePlan`. */
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
export const readInsuranceAnswers = (typed: TypedAnswers): InsuranceAnswers =>
  withOneName(readFormAnswers(insuranceForm, typed), typed);

/** The controls for given answers. */
export const typedInsuranceAnswers = (
  answers: InsuranceAnswers,
  some: readonly Question[] = questionNames,
): TypedAnswers => ({
  ...typedAnswers(insuranceForm, answers, some),
  ...(some.includes('firstName') && some.includes('lastName') && oneNameBox(answers)),
});

/** The plan selected in the controls, and the one that the visitor chose. */
export const readPlanChoice = (typed: TypedAnswers): FormChoice =>
  readChoice({
    sent: typed.productId ?? '',
    shown: typed[PLAN_SHOWN] ?? '',
    wish: typed[PLAN_WISH] ?? '',
  });

/** Days of the trip in the controls; null while they hold no valid dates. */
export function daysTyped(typed: TypedAnswers): number | null {
  const [from, until] = [typedDate(typed, 'travelDate'), typedDate(typed, 'returnDate')];
  return from && until ? tripDays(from, until) : null;
}

export type ResolvedPlan = {
  typed: TypedAnswers;
  /** Set where the page had shown another plan: the visitor must see that before anything is stored. */
  moved: { from: Plan; to: Plan } | null;
};

/**
 * What was submitted, with the plan that its dates select, as a page without scripts has not done so. No choice stays
 * no choice, and a plan that the visitor selected just now is kept for the check.
 */
export function resolvePlan(typed: TypedAnswers, sold: readonly Plan[]): ResolvedPlan {
  const sent = typed.productId ?? '';
  const isFresh = sent !== (typed[PLAN_SHOWN] ?? '') || sent === '';
  const { choice, chosen } = selectPlan(sold, daysTyped(typed), readPlanChoice(typed));
  const from = planNamed(sold, sent);
  const isMoved = !isFresh && from !== null && chosen !== null && chosen.id !== sent;
  const selected = isMoved ? chosen.id : sent;
  return {
    typed: { ...typed, productId: selected, [PLAN_SHOWN]: selected, [PLAN_WISH]: choice.wish },
    moved: isMoved ? { from, to: chosen } : null,
  };
}

/** The control with the prices that the page showed. */
export const SHOWN_PRICES = 'pricesShown';

/** The prices on a page, as its form sends them back: "7-days=114.00 14-days=149.00". */
export const writePrices = (shown: readonly Plan[]): string =>
  shown.map(({ id, price }) => `${id}=${toDecimal(price)}`).join(' ');

/** The price that the page showed for a plan; null where there is none, or no valid one. */
export function priceShown(written: string, planId: string): Money | null {
  const entry = written.split(' ').find((one) => one.startsWith(`${planId}=`));
  return entry === undefined ? null : parseMoney(entry.slice(planId.length + 1));
}
