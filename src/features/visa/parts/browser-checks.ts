import { leavePhoneToServer } from '~/features/application/phone-codes.ts';
import { serverProblems } from '~/features/form/answers/check.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { fieldLeft } from '~/features/form/page/field-left.ts';
import type { Checks } from '~/features/form/page/use-form.tsx';
import type { Answers, CheckContext } from '../rules/answers.ts';
import type { Field } from '../rules/questions.ts';
import { problemsAt } from '../rules/checked-journey.ts';
import { stepOf } from '../rules/steps.ts';
import type { StepId } from '../rules/step-ids.ts';
import { visaForm } from '../rules/typed.ts';

type At = { answers: Answers } & Omit<CheckContext, 'readPhone'>;

/** Checks a page by the server's rules, as far as a browser can. */
export const checksOf = (id: StepId, at: (entries: Typed) => At): Checks<Field> => ({
  problemsIn(entries, serverCheck) {
    const { answers, ...checkContext } = at(entries);
    const found = problemsAt(id, answers, { ...checkContext, readPhone: leavePhoneToServer });
    return [...found, ...serverProblems(serverCheck, entries)];
  },
  fieldLeft: (leaving, entries) =>
    fieldLeft(visaForm, stepOf(id).fields, leaving, entries, { saysMissing: true }),
});
