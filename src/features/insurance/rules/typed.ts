import { dateFromParts, noDate, type PlainDate } from '~/base/dates/dates.ts';
import type { Typed } from '~/features/draft/draft-content.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { questionNames, type Answers, type Field, type Question } from './answers.ts';

export type { Typed };

export const dateQuestions = [
  'travelDate',
  'returnDate',
  'dateOfBirth',
] as const satisfies readonly Question[];
export type DateQuestion = (typeof dateQuestions)[number];

const isDateQuestion = (name: Field): name is DateQuestion =>
  dateQuestions.some((date) => date === name);

/** Which plan the page had selected, and which one the visitor chose himself: `plan-choice.ts`. */
export const PLAN_SHOWN = 'planShown';
export const PLAN_WISH = 'planWish';

/** No control holds more. */
const LONGEST = 1000;

/** The names of the controls that answer a question: a date is three, an e-mail address has the one that was chosen. */
export const controlsOf = (field: Field): readonly string[] =>
  isDateQuestion(field)
    ? [`${field}-day`, `${field}-month`, `${field}-year`]
    : field === 'email'
      ? [field, EMAIL_ANSWER]
      : [field];

/** The controls of all questions. */
export const questionControls: readonly string[] = questionNames.flatMap(controlsOf);

/** Reads the controls of the whole form but its files; what is missing is ''. */
export function readTyped(form: FormData): Typed {
  const controls = [...questionControls, PLAN_SHOWN, PLAN_WISH];
  return Object.fromEntries(
    controls.map((control) => {
      const value = form.get(control);
      return [control, typeof value === 'string' ? value.slice(0, LONGEST) : ''];
    }),
  );
}

/** The day, month and year that were typed for a date. */
export const partsTyped = (typed: Typed, question: DateQuestion) => ({
  day: typed[`${question}-day`] ?? '',
  month: typed[`${question}-month`] ?? '',
  year: typed[`${question}-year`] ?? '',
});

/** The date in the controls, or null. */
export const dateTyped = (typed: Typed, question: DateQuestion): PlainDate | null =>
  dateFromParts(partsTyped(typed, question));

/** The answers that the controls give, in the API's form. A date that is none stays wrong rather than becoming empty. */
export function answersOf(typed: Typed): Answers {
  const answers: Answers = {};
  for (const name of questionNames) {
    answers[name] = isDateQuestion(name) ? dateAnswer(typed, name) : (typed[name] ?? '');
  }
  return answers;
}

function dateAnswer(typed: Typed, question: DateQuestion): string {
  const parts = partsTyped(typed, question);
  const isEmpty = Object.values(parts).every((part) => part.trim() === '');
  return isEmpty ? '' : (dateFromParts(parts) ?? noDate(parts.year));
}
