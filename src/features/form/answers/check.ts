import * as z from 'zod/mini';
import { ageOn, toPlainDate, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import { PHONE_COUNTRY, type ReadPhone } from '~/features/application/phone-codes.ts';
import { answerProblemCode } from '~/features/application/texts.ts';
import type { ChosenPhoneCountry, TypedAnswers } from './controls.ts';

/** What is wrong with an answer. Text: `<form>:errors.<field>.<code>`, with the rest as its parameters. */
export type AnswerProblem<Field extends string = string> = {
  field: Field;
  code: string;
  date?: PlainDate;
  /** The limit that is exceeded. */
  count?: number;
  /** What the traveller probably meant. */
  suggestion?: string;
  /** The name of an uploaded file. */
  name?: string;
};

/** What a rule returns: null, a code, or a code with parameters for its text. */
export type RuleFinding = string | Omit<AnswerProblem, 'field'> | null;

/**
 * A rule across answers. It runs only when the answers it `needs` are given and valid and its field has no problem yet,
 * so the order of the table is the order of importance.
 */
export type AnswerRule<Field extends string, Values, CheckContext> = {
  field: Field;
  needs: readonly Field[];
  find: (values: Values, checkContext: CheckContext) => RuleFinding;
};

/** `required`: must be answered. `optional`: checked if answered. `no`: ignored. */
export type Requirement = 'required' | 'optional' | 'no';

type CheckedAnswers<Field extends string, Values> = {
  /** At most one for each field, in the form's order. */
  problems: readonly AnswerProblem<Field>[];
  /** The answers without problems. */
  values: Values;
};

type Answers<Question extends string> = Readonly<Partial<Record<Question, string>>> &
  ChosenPhoneCountry;

/** Makes the check of a form, which its pages, the inline check and the API share. */
export function makeCheck<
  Field extends string,
  Question extends Field,
  Values,
  CheckContext extends { readPhone: ReadPhone },
>({
  questions,
  checks,
  order,
  asked,
  nationalityOf,
  valuesOf,
}: {
  /** The schema of each single answer. */
  questions: Readonly<Record<Question, z.ZodMiniType>>;
  /** Questions and rules in the order in which they run. */
  checks: readonly (Question | AnswerRule<Field, Values, CheckContext>)[];
  /** The order of reported problems, where it differs from `checks`. */
  order?: readonly Field[];
  asked: (
    question: Question,
    answers: Answers<Question>,
    checkContext: CheckContext,
  ) => Requirement;
  /** The country in which a phone number without a country code is read where none is chosen beside it. */
  nationalityOf: (answers: Answers<Question>, checkContext: CheckContext) => string;
  /** The form's own cast: what was read has the types of `questions` only where these are known. */
  valuesOf: (read: Record<string, unknown>) => Values;
}) {
  const readOne = (question: Question, answer: string) => z.safeParse(questions[question], answer);
  const empty = new Map<Question, ReturnType<typeof readOne>>();

  /** Cached: most answers are empty at first, and creating the schema's error costs more than the rest of the check. */
  function readEmpty(question: Question) {
    const known = empty.get(question) ?? readOne(question, '');
    empty.set(question, known);
    return known;
  }

  /** Checks all answers. For one page or one field, filter the problems. */
  return (
    answers: Answers<Question>,
    checkContext: CheckContext,
  ): CheckedAnswers<Field, Values> => {
    const found = new Map<Field, AnswerProblem<Field>>();
    const values: Record<string, unknown> = {};

    function readQuestion(question: Question) {
      const answer = answers[question] ?? '';
      const need = asked(question, answers, checkContext);
      if (need === 'no' || (need === 'optional' && answer.trim() === '')) return;
      const read = answer === '' ? readEmpty(question) : readOne(question, answer);
      if (!read.success) found.set(question, { field: question, ...answerProblemCode(read.error) });
      else if (question !== 'phone') values[question] = read.data;
      else {
        // Of the chosen country alone: read in the nationality's, it would call a stranger.
        const country = answers[PHONE_COUNTRY] || nationalityOf(answers, checkContext);
        const number = checkContext.readPhone(String(read.data), country);
        if (number.ok) values.phone = number.value;
        else found.set(question, { field: question, code: number.error });
      }
    }

    function obey({ field, needs, find }: AnswerRule<Field, Values, CheckContext>) {
      if (found.has(field) || needs.some((need) => found.has(need) || !(need in values))) return;
      const finding = find(valuesOf(values), checkContext);
      if (finding === null) return;
      found.set(
        field,
        typeof finding === 'string' ? { field, code: finding } : { ...finding, field },
      );
    }

    for (const one of checks) {
      if (typeof one === 'string') readQuestion(one);
      else obey(one);
    }
    for (const field of found.keys()) delete values[field];
    const problems = order ? order.flatMap((field) => found.get(field) ?? []) : [...found.values()];
    return { problems, values: valuesOf(values) };
  };
}

/** For browsers: the codes that only the server can find, with the controls they depend on. */
const foundByServerOnly: readonly { codes: readonly string[]; dependsOn: readonly string[] }[] = [
  // Only the server has the number ranges of all countries.
  {
    codes: ['no_country_code', 'not_in_country', 'not_possible'],
    dependsOn: ['phone', PHONE_COUNTRY, 'nationality'],
  },
  // The browser knows no lines but those that it has read itself.
  { codes: ['other_nationality'], dependsOn: ['machineReadableZone', 'nationalityConfirmed'] },
  // A question that stays open until it is answered and submitted.
  { codes: ['mistyped'], dependsOn: ['email'] },
];

/** The problems that only the server can find, as long as the page still holds the same answers. */
export const serverProblems = <Field extends string>(
  { problems, typed: sent }: { problems: readonly AnswerProblem<Field>[]; typed: TypedAnswers },
  now: TypedAnswers,
): readonly AnswerProblem<Field>[] =>
  problems.filter(({ code }) =>
    foundByServerOnly
      .find(({ codes }) => codes.includes(code))
      ?.dependsOn.every((control) => (now[control] ?? '') === (sent[control] ?? '')),
  );

/** Today in Türkiye. */
export const turkishToday = ({ now }: { now: Date }): PlainDate => toPlainDate(now, TURKIYE);

/** Highest age accepted when typed, in years; selectors offer 80 (product decision). */
const MAX_AGE_YEARS = 120;

/** What is wrong with a date of birth. */
export function findBirth(birth: PlainDate | undefined, today: PlainDate): RuleFinding {
  if (!birth) return null;
  if (birth > today) return 'future';
  return ageOn(birth, today) > MAX_AGE_YEARS ? 'too_old' : null;
}
