import { asLine, asSentences } from '~/features/application/words.ts';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Problem } from '../answers/check.ts';
import type { Typed } from '../answers/controls.ts';
import { messageOf, type FormName } from '../answers/problem-message.ts';

/** The values and problems of a form's controls. */
export type FieldErrors<Field extends string> = {
  form: FormName;
  start: Typed;
  errorAt: (field: Field) => string | undefined;
  /** The address that was probably meant, while that question is open. */
  askedEmail: string | null;
};

/** Problems found in the browser since the last submit, by field; null for a field that is right now. */
export type Found<Field extends string> = ReadonlyMap<string, Problem<Field> | null>;

/** The texts of a form's problems: at each field, and in the summary for the fields that were submitted. */
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
  /** Submitted and still wrong. What is found while typing is shown at its field alone. */
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
