import * as z from 'zod/mini';
import { ageOn, dateOf, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import type { ReadPhone } from '~/features/application/phone/phone.ts';
import { codeOf } from '~/features/application/texts.ts';
import type { Typed } from './controls.ts';

/** What is wrong with an answer. Words: `<form>:errors.<field>.<code>`; the rest is written into them. */
export type Problem<Field extends string = string> = {
  field: Field;
  code: string;
  date?: PlainDate;
  /** The limit that is exceeded. */
  count?: number;
  /** What was probably meant. */
  suggestion?: string;
  /** Of an uploaded file. */
  name?: string;
};

/** What a rule finds: nothing, a code, or a code with what goes into its words. */
export type Finding = string | Omit<Problem, 'field'> | null;

/**
 * A rule between answers. It is asked only when the answers it `needs` are there and nothing is wrong with them, and
 * the field it is about has no problem yet; so the order of a table is the order of importance.
 */
export type Rule<Field extends string, Values, Situation> = {
  field: Field;
  needs: readonly Field[];
  find: (values: Values, situation: Situation) => Finding;
};

/** required: must be answered. optional: is checked if answered. no: is not looked at. */
export type Asked = 'required' | 'optional' | 'no';

export type Checked<Field extends string, Values> = {
  /** At most one a field, in the form's order. */
  problems: readonly Problem<Field>[];
  /** The answers that are valid, one by one and with one another. */
  values: Values;
};

type Answers<Question extends string> = Readonly<Partial<Record<Question, string>>>;

/** Makes the check of a form: the same on its pages, while somebody types, and for a call. */
export function checkOf<
  Field extends string,
  Question extends Field,
  Values,
  Situation extends { readPhone: ReadPhone },
>({
  questions,
  checks,
  order,
  asked,
  nationalityOf,
  valuesOf,
}: {
  /** What makes a single answer valid. */
  questions: Readonly<Record<Question, z.ZodMiniType>>;
  /** Questions and rules in the order in which they are judged. */
  checks: readonly (Question | Rule<Field, Values, Situation>)[];
  /** In which problems are told, where that is not the order of `checks`. */
  order?: readonly Field[];
  asked: (question: Question, answers: Answers<Question>, situation: Situation) => Asked;
  /** In whose country a phone number without a country code is read. */
  nationalityOf: (answers: Answers<Question>, situation: Situation) => string;
  /** The same: what was read has the types of `questions` only where these are known. */
  valuesOf: (read: Record<string, unknown>) => Values;
}) {
  const readOne = (question: Question, answer: string) => z.safeParse(questions[question], answer);
  const empty = new Map<Question, ReturnType<typeof readOne>>();

  /** Kept: most answers of a beginner are empty, and to make the schema's error takes longer than all the rest. */
  function readEmpty(question: Question) {
    const known = empty.get(question) ?? readOne(question, '');
    empty.set(question, known);
    return known;
  }

  /** Judges all answers. Who wants to know about one page or one field looks at that field's problem. */
  return (answers: Answers<Question>, situation: Situation): Checked<Field, Values> => {
    const found = new Map<Field, Problem<Field>>();
    const values: Record<string, unknown> = {};

    function readQuestion(question: Question) {
      const answer = answers[question] ?? '';
      const need = asked(question, answers, situation);
      if (need === 'no' || (need === 'optional' && answer.trim() === '')) return;
      const read = answer === '' ? readEmpty(question) : readOne(question, answer);
      if (!read.success) found.set(question, { field: question, ...codeOf(read.error) });
      else if (question !== 'phone') values[question] = read.data;
      else {
        const number = situation.readPhone(String(read.data), nationalityOf(answers, situation));
        if (number.ok) values.phone = number.value;
        else found.set(question, { field: question, code: number.error });
      }
    }

    function obey({ field, needs, find }: Rule<Field, Values, Situation>) {
      if (found.has(field) || needs.some((need) => found.has(need) || !(need in values))) return;
      const finding = find(valuesOf(values), situation);
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

/** For browsers: what only the server can find, with the controls that it judged. */
const serversAlone: readonly { codes: readonly string[]; judged: readonly string[] }[] = [
  // The lists of numbers of all countries are the server's.
  { codes: ['no_country_code', 'not_possible'], judged: ['phone', 'nationality'] },
  // Stays open until it is answered with the next button.
  { codes: ['mistyped'], judged: ['email'] },
];

/** The problems that the server alone can find, as long as the page still holds what it judged. */
export const stillJudged = <Field extends string>(
  { problems, typed: sent }: { problems: readonly Problem<Field>[]; typed: Typed },
  now: Typed,
): readonly Problem<Field>[] =>
  problems.filter(({ code }) =>
    serversAlone
      .find(({ codes }) => codes.includes(code))
      ?.judged.every((control) => (now[control] ?? '') === (sent[control] ?? '')),
  );

/** Today as the border sees it. */
export const todayOf = ({ now }: { now: Date }): PlainDate => dateOf(now, TURKIYE);

/** Nobody is older; selectors offer 80 years, typing accepts these (product decision). */
const OLDEST_YEARS = 120;

/** What cannot be right about a date of birth. */
export function findBirth(birth: PlainDate | undefined, today: PlainDate): Finding {
  if (!birth) return null;
  if (birth > today) return 'future';
  return ageOn(birth, today) > OLDEST_YEARS ? 'too_old' : null;
}
