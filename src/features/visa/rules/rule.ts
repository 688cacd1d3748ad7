import type { PlainDate } from '~/base/dates/dates.ts';
import type { Problem as ProblemOf, Rule as RuleOf } from '~/features/form/answers/check.ts';
import type { CheckContext } from './answers.ts';
import type { Field } from './questions.ts';
import type { Values } from './schemas.ts';

export type Problem = ProblemOf<Field>;
export type Rule = RuleOf<Field, Values, CheckContext>;

export const isAfter = (a: PlainDate | undefined, b: PlainDate | undefined): boolean =>
  a !== undefined && b !== undefined && a > b;
