import type { Translate } from '~/base/read-text.ts';
import { formatDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Problem } from '../rules/rule.ts';
import { isolated } from '~/base/isolated.ts';
import type { Message } from '~/features/application/words.ts';

/** The words for a problem; codes that mean the same for every field have their words under `any`. */
export function messageOf(
  t: Translate,
  language: Language,
  { field, code, date, count, suggestion = '' }: Omit<Problem, 'field'> & { field: string },
): Message {
  const values = {
    date: date ? formatDate(date, language) : '',
    suggestion: isolated(suggestion),
    ...(count === undefined ? {} : { count }),
  };
  const word = (part: 'title' | 'text') =>
    t([`visa:errors.${field}.${code}.${part}`, `visa:errors.any.${code}.${part}`], {
      ...values,
      defaultValue: '',
    });
  const title = word('title');
  const text = word('text');
  return text ? { title, text } : { title };
}
