import { arrivalRules } from './arrival-rules.ts';
import { documentRules } from './document-rules.ts';
import { nationalityRules } from './nationality-rules.ts';
import { passportRules } from './passport-rules.ts';
import type { Rule } from './rule.ts';

/** What answers mean for one another, in the order in which they are given. */
export const rules: readonly Rule[] = [
  ...nationalityRules,
  ...documentRules,
  ...arrivalRules,
  ...passportRules,
];
