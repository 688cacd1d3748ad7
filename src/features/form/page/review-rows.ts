import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import { machineReadable } from '~/features/application/machine-readable.ts';
import type { ShownAnswer } from '~/ui/answers.tsx';
import type { FormName } from '../answers/controls.ts';

export type AnswerGroup = { title: string; answers: readonly ShownAnswer[] };

/** The rows of check-your-answers, written for comparing with the passport; `changeAt`: the link to change a field. */
export function reviewRows<Field extends string, Question extends Field>(
  t: Translate,
  language: Language,
  {
    form,
    answers,
    changeAt,
  }: {
    form: FormName;
    answers: Readonly<Partial<Record<Question, string>>>;
    changeAt: (field: Field) => string;
  },
) {
  const row = (
    field: Field,
    value: string | undefined,
    extra: Partial<ShownAnswer> = {},
  ): ShownAnswer => ({
    term: t(`${form}:labels.${field}`, field),
    value,
    change: changeAt(field),
    ...extra,
  });
  const answerTo = (field: Question) => answers[field] ?? '';
  return {
    row,
    /** The answer as typed. */
    typed: (field: Question) => row(field, answerTo(field), { latin: true }),
    date(field: Question, extra: Partial<ShownAnswer> = {}) {
      const day = parseDate(answerTo(field));
      return row(field, day ? formatDate(day, language) : answerTo(field), extra);
    },
    /** A name in the spelling of the machine-readable lines. */
    name(field: Question) {
      const name = machineReadable(answerTo(field));
      return row(field, name.ok ? name.text : answerTo(field), { latin: true });
    },
    documentNumber: (field: Question) =>
      row(field, tidyDocumentNumber(answerTo(field)), { latin: true, mono: true }),
  };
}
