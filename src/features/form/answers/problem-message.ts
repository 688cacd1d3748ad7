import { formatDate } from '~/base/dates/dates.ts';
import { isolated } from '~/base/isolated.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import type { Message } from '~/features/application/words.ts';
import type { Problem } from './check.ts';
import { limitsInTexts } from './limits.ts';

/** Whose texts name its fields (`<form>:labels.<field>`) and the problems that it has alone (`form:errors` has the others). */
export type FormName = 'visa' | 'insurance';

/** Where the words of an error stand: the form's own, or those that both forms say alike. */
export const errorKeys = (form: FormName, field: string, code: string, part: 'title' | 'text') =>
  [field, 'any'].flatMap((of) =>
    [form, 'form'].map((namespace) => `${namespace}:errors.${of}.${code}.${part}`),
  );

/** The words for a problem; codes that mean the same for every field have their words under `any`. */
export function messageOf(
  t: Translate,
  language: Language,
  form: FormName,
  { field, code, date, count, name = '', suggestion = '' }: Problem,
): Message {
  const values = {
    ...limitsInTexts,
    date: date ? formatDate(date, language) : '',
    name,
    suggestion: isolated(suggestion),
    ...(count === undefined ? {} : { count }),
  };
  const word = (part: 'title' | 'text') =>
    t(errorKeys(form, field, code, part), { ...values, defaultValue: '' });
  const title = word('title');
  const text = word('text');
  return text ? { title, text } : { title };
}
