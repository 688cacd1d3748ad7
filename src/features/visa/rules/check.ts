import * as z from 'zod/mini';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { codeOf } from '~/features/application/texts.ts';
import type { Answers, Field, Situation, Values } from './answers.ts';
import { asked } from './asked.ts';
import { questions } from './questions.ts';
import type { Problem, Rule } from './rule.ts';
import { fields } from './steps.ts';
import { arrivalRules } from './arrival-rules.ts';
import { documentRules } from './document-rules.ts';
import { nationalityRules } from './nationality-rules.ts';
import { passportRules } from './passport-rules.ts';

/** What answers mean for one another, in the order in which they are given. */
const rules: readonly Rule[] = [
  ...nationalityRules,
  ...documentRules,
  ...arrivalRules,
  ...passportRules,
];

export type Checked = {
  /** At most one a field, in the order of the questions. */
  problems: readonly Problem[];
  /** The answers that are valid, one by one and with one another. */
  values: Values;
};

function readOne(field: Field, answer: string): Outcome<unknown, Problem> {
  const read = z.safeParse(questions[field], answer);
  return read.success ? ok(read.data) : refused({ field, ...codeOf(read.error) });
}

const empty = new Map<Field, Outcome<unknown, Problem>>();

/** Kept: most answers of a beginner are empty, and to make the schema's error takes longer than all the rest. */
function readEmpty(field: Field): Outcome<unknown, Problem> {
  const known = empty.get(field) ?? readOne(field, '');
  empty.set(field, known);
  return known;
}

/** Judges all answers. Who wants to know about one step or one field looks at that field's problem. */
export function check(answers: Answers, situation: Situation): Checked {
  const found = new Map<Field, Problem>();
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const need = asked(field, answers, situation.country);
    const answer = answers[field] ?? '';
    if (need === 'no' || (need === 'optional' && answer.trim() === '')) continue;
    const read = answer === '' ? readEmpty(field) : readOne(field, answer);
    if (read.ok) values[field] = read.value;
    else found.set(field, read.error);
  }
  if (typeof values.phone === 'string') {
    const number = situation.readPhone(values.phone, situation.country?.code ?? '');
    if (number.ok) values.phone = number.value;
    else found.set('phone', { field: 'phone', code: number.error });
  }
  for (const { field, needs, find } of rules) {
    if (found.has(field) || needs.some((need) => found.has(need) || !(need in values))) continue;
    const finding = find(values, situation);
    if (finding === null) continue;
    found.set(
      field,
      typeof finding === 'string' ? { field, code: finding } : { field, ...finding },
    );
  }
  for (const field of found.keys()) delete values[field];
  const problems = fields.flatMap((field) => found.get(field) ?? []);
  return { problems, values };
}
