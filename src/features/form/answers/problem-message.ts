import { formatDate } from '~/base/dates/dates.ts';
import { isolated } from '~/base/isolated.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import { formatNamedMessageLine, type WordedMessage } from '~/features/application/words.ts';
import type { AnswerProblem } from './check.ts';
import type { FormName } from './controls.ts';
import { limitsInTexts } from './limits.ts';

/** The keys of an error's text: the form's own, then the shared ones. */
export const errorKeys = (form: FormName, field: string, code: string, part: 'title' | 'text') =>
  [field, 'any'].flatMap((of) =>
    [form, 'form'].map((namespace) => `${namespace}:errors.${of}.${code}.${part}`),
  );

/** The text for a problem; codes with one meaning for every field have their text under `any`. */
export function problemMessage(
  t: Translate,
  language: Language,
  form: FormName,
  { field, code, date, count, name = '', suggestion = '' }: AnswerProblem,
): WordedMessage {
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

/** A problem in the summary of a form: begins with the question's name, as its label says it. */
export const problemLine = (
  t: Translate,
  language: Language,
  form: FormName,
  problem: AnswerProblem,
): string =>
  formatNamedMessageLine(
    t(`${form}:labels.${problem.field}`, { defaultValue: '' }),
    problemMessage(t, language, form, problem),
    language,
  );
