import { checkOf } from '~/features/form/answers/check.ts';
import type { CheckContext } from './answers.ts';
import { asked } from './asked.ts';
import { fields, type Field } from './questions.ts';
import { schemas, type Values } from './schemas.ts';
import { arrivalRules } from './arrival-rules.ts';
import { documentRules } from './document-rules.ts';
import { nationalityRules } from './nationality-rules.ts';
import { passportRules } from './passport-rules.ts';

/** Checks all answers: each alone, then in combination, in the order in which they are given. */
export const check = checkOf<Field, Field, Values, CheckContext>({
  questions: schemas,
  checks: [...fields, ...nationalityRules, ...documentRules, ...arrivalRules, ...passportRules],
  order: fields,
  asked: (field, answers, { country }) => asked(field, answers, country),
  nationalityOf: (_, { country }) => country?.code ?? '',
  valuesOf: (read) => read,
});
