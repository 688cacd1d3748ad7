import { leavePhoneToServer } from '~/features/application/phone-codes.ts';
import { serverProblems } from '~/features/form/answers/check.ts';
import { fieldLeft } from '~/features/form/page/field-left.ts';
import type { Checks } from '~/features/form/page/use-form.tsx';
import { questionNames, type InsuranceField } from '../rules/answers.ts';
import { check } from '../rules/check.ts';
import { readInsuranceAnswers, insuranceForm } from '../rules/typed.ts';
import type { InsuranceView } from './form-view.ts';

/** Checks the page by the server's rules, as far as a browser can. `photos`: stored and chosen ones. */
export const insuranceChecks = (
  { now, plans, countries }: InsuranceView,
  photos: (form: HTMLFormElement | null) => number,
): Checks<InsuranceField> => ({
  problemsIn: (entries, serverCheck, form) => [
    ...check(readInsuranceAnswers(entries), {
      now: new Date(now),
      plans,
      photos: photos(form),
      readPhone: leavePhoneToServer,
      isNationality: (code) => countries.some(({ id }) => id === code),
    }).problems,
    ...serverProblems(serverCheck, entries),
  ],
  fieldLeft: (leaving, entries) =>
    fieldLeft(insuranceForm, questionNames, leaving, entries, { saysMissing: false }),
});
