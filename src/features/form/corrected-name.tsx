import { NameQuestions } from './page/name-questions.tsx';
import { Question } from './page/question.tsx';
import type { FieldErrors } from './page/use-field-errors.tsx';

/**
 * The question for a name on the page of a correction. Where both names are reopened they stand together, at the last
 * name's place, with the box for a passport with one name.
 */
export function CorrectedName({
  form,
  field,
  fields,
}: {
  form: FieldErrors<'firstName' | 'lastName'>;
  field: 'firstName' | 'lastName';
  /** All fields of the page. */
  fields: readonly string[];
}) {
  if (!fields.includes('firstName') || !fields.includes('lastName')) {
    return <Question field={field} form={form} width="full" />;
  }
  return field === 'lastName' ? <NameQuestions form={form} /> : null;
}
