import { leavePhoneToServer } from '~/features/application/phone-codes.ts';
import { serverProblems } from '~/features/form/answers/check.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { fieldLeft } from '~/features/form/page/field-left.ts';
import type { Checks } from '~/features/form/page/use-form.tsx';
import type { VisaAnswers, CheckContext } from '../rules/answers.ts';
import type { VisaField } from '../rules/questions.ts';
import { stepProblems } from '../rules/checked-journey.ts';
import { stepById } from '../rules/steps.ts';
import type { StepId } from '../rules/step-ids.ts';
import { visaForm } from '../rules/typed.ts';

type At = { answers: VisaAnswers } & Omit<CheckContext, 'readPhone'>;

/** Checks a page by the server's rules, as far as a browser can. */
export const stepChecks = (id: StepId, at: (entries: TypedAnswers) => At): Checks<VisaField> => ({
  problemsIn(entries, serverCheck) {
    const { answers, ...checkContext } = at(entries);
    const found = stepProblems(id, answers, { ...checkContext, readPhone: leavePhoneToServer });
    return [...found, ...serverProblems(serverCheck, entries)];
  },
  fieldLeft: (leaving, entries) =>
    fieldLeft(visaForm, stepById(id).fields, leaving, entries, { saysMissing: true }),
});
