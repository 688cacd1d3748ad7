import { parseDate, partsOf } from '~/base/dates/dates.ts';
import type { Answers } from '../rules/answers.ts';
import { fields } from '../rules/steps.ts';
import { dateFields, UNLIMITED, type Typed } from '../rules/typed.ts';

/** The controls that give these answers: what `answersOf` reads. */
export function typedOf(answers: Answers): Typed {
  const typed: Record<string, string> = {};
  for (const field of fields) {
    const answer = answers[field] ?? '';
    if (!dateFields.some((date) => date === field)) typed[field] = answer;
    else if (answer === 'unlimited') typed[UNLIMITED] = 'yes';
    else {
      const day = parseDate(answer);
      const parts = day ? partsOf(day) : { day: '', month: '', year: '' };
      for (const [part, value] of Object.entries(parts)) typed[`${field}-${part}`] = String(value);
    }
  }
  return typed;
}
