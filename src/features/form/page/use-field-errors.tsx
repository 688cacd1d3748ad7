import { formatMessage } from '~/features/application/words.ts';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { AnswerProblem } from '../answers/check.ts';
import type { FormName, TypedAnswers, ControlKind } from '../answers/controls.ts';
import { problemLine, problemMessage } from '../answers/problem-message.ts';

/** Which form it is, and the controls of its fields. */
type FormControls = {
  name: FormName;
  inputs: Readonly<Record<string, ControlKind | null | undefined>>;
  optional: readonly string[];
};

/** The values and problems of a form's controls. */
export type FieldErrors<Field extends string> = {
  form: FormControls;
  start: TypedAnswers;
  errorAt: (field: Field) => string | undefined;
  /** The address that was probably meant, while that question is open. */
  askedEmail: string | null;
};

/** Problems found in the browser since the last submit, by field; null for a field that is right now. */
export type FoundProblems<Field extends string> = ReadonlyMap<string, AnswerProblem<Field> | null>;

/**
 * The texts of a form's problems: at each field, and in the summary for the fields that were submitted. `order`: the fields
 * as they stand on the page, where problems are found in another order.
 */
export function useFieldErrors<Field extends string>(
  form: FormControls,
  start: TypedAnswers,
  sent: readonly AnswerProblem<Field>[],
  found: FoundProblems<Field> = new Map(),
  order: readonly Field[] = [],
) {
  const { t, language } = useTranslation();
  function problemAt(field: string): AnswerProblem<Field> | null {
    const now = found.get(field);
    return now === undefined ? (sent.find((one) => one.field === field) ?? null) : now;
  }
  /** Submitted and still wrong. What is found while typing is shown at its field alone. */
  const summary: FieldProblem[] = [...sent]
    .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
    .flatMap(({ field }) => {
      const problem = problemAt(field);
      return problem ? { name: field, message: problemLine(t, language, form.name, problem) } : [];
    });
  return {
    form,
    start,
    errorAt(field: Field): string | undefined {
      const problem = problemAt(field);
      return problem ? formatMessage(problemMessage(t, language, form.name, problem)) : undefined;
    },
    askedEmail: problemAt('email')?.suggestion ?? null,
    summary,
    problemAt,
  };
}
