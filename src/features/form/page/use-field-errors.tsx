import { asLine, asSentences } from '~/features/application/words.ts';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Problem } from '../answers/check.ts';
import type { Typed } from '../answers/controls.ts';
import { messageOf, type FormName } from '../answers/problem-message.ts';

/** What the controls of a form begin with, and what stands at them. */
export type FieldErrors<Field extends string> = {
  form: FormName;
  start: Typed;
  errorAt: (field: Field) => string | undefined;
  /** What the address was probably meant to be, where that is asked. */
  askedEmail: string | null;
};

/** What was found since something was sent, by field; null where nothing is wrong any more. */
export type Found<Field extends string> = ReadonlyMap<string, Problem<Field> | null>;

/** The words for the problems of a form: at each field, and those of the fields that were sent above all. */
export function useFieldErrors<Field extends string>(
  form: FormName,
  start: Typed,
  sent: readonly Problem<Field>[],
  found: Found<Field> = new Map(),
) {
  const { t } = useTranslation();
  const language = useLanguage();
  function problemAt(field: string): Problem<Field> | null {
    const now = found.get(field);
    return now === undefined ? (sent.find((one) => one.field === field) ?? null) : now;
  }
  const words = (problem: Problem) => messageOf(t, language, form, problem);
  /** What was sent and is still wrong. What is found while somebody types stands at its field alone. */
  const summary: FieldProblem[] = sent.flatMap(({ field }) => {
    const problem = problemAt(field);
    return problem ? { name: field, message: asLine(words(problem), language) } : [];
  });
  return {
    form,
    start,
    errorAt(field: Field): string | undefined {
      const problem = problemAt(field);
      return problem ? asSentences(words(problem)) : undefined;
    },
    askedEmail: problemAt('email')?.suggestion ?? null,
    summary,
    words,
    problemAt,
  };
}
