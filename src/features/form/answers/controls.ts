import { dateFromParts, noDate, parseDate, partsOf } from '~/base/dates/dates.ts';

/** What stands in the controls of a form, by control name, valid or not. */
export type Typed = Readonly<Record<string, string>>;

/** No control holds more; the longest answer has 300 characters. */
const LONGEST = 1000;

/** A text of a form, cut to a length; '' for what is missing or a file. */
export function textOf(form: FormData, name: string, longest: number): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.slice(0, longest) : '';
}

const dateParts = ['day', 'month', 'year'] as const;

/** The day, month and year that were typed for a date. */
export const partsTyped = (typed: Typed, field: string) => ({
  day: typed[`${field}-day`] ?? '',
  month: typed[`${field}-month`] ?? '',
  year: typed[`${field}-year`] ?? '',
});

/** A date that is none stays wrong rather than becoming empty. */
function dateAnswer(typed: Typed, field: string): string {
  const parts = partsTyped(typed, field);
  const isEmpty = Object.values(parts).every((part) => part.trim() === '');
  return isEmpty ? '' : (dateFromParts(parts) ?? noDate(parts.year));
}

/** How the fields of a form are typed: a date in three controls, anything else in one of the field's own name. */
export type FormFields<Field extends string> = {
  /** Those that are typed, in the form's order. */
  fields: readonly Field[];
  dates: readonly Field[];
  /** What else answers a field: the address that was chosen of two, a box instead of a date. */
  beside: Readonly<Partial<Record<Field, readonly string[]>>>;
  /**
   * What is kept along with a field and is no answer itself: who made a choice, the form or the visitor
   * (`~/base/default-choice.ts`), or what was read from a document.
   */
  choosers: Readonly<Partial<Record<Field, readonly string[]>>>;
};

/** The names of the controls that answer a field. */
export function controlsOf<Field extends string>(
  { dates, beside }: FormFields<Field>,
  field: Field,
): readonly string[] {
  const own = dates.includes(field) ? dateParts.map((part) => `${field}-${part}`) : [field];
  return [...own, ...(beside[field] ?? [])];
}

/** Everything that a page sends for some fields. */
export const controlsOfAll = <Field extends string>(
  form: FormFields<Field>,
  some = form.fields,
): readonly string[] =>
  some.flatMap((field) => [...controlsOf(form, field), ...(form.choosers[field] ?? [])]);

/** The field that a control belongs to. */
export const fieldOf = <Field extends string>(
  form: FormFields<Field>,
  some: readonly Field[],
  control: string,
): Field | undefined => some.find((field) => controlsOf(form, field).includes(control));

/** Reads the controls of some fields out of what was sent; a box that is not ticked and a control that is missing are ''. */
export const readControls = <Field extends string>(
  form: FormFields<Field>,
  sent: FormData,
  some = form.fields,
): Record<string, string> =>
  Object.fromEntries(
    controlsOfAll(form, some).map((control) => [control, textOf(sent, control, LONGEST)]),
  );

/** The answers that the controls give, in the API's form. */
export function answersIn<Field extends string>(
  { fields, dates }: FormFields<Field>,
  typed: Typed,
): Partial<Record<Field, string>> {
  const answers: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    answers[field] = dates.includes(field) ? dateAnswer(typed, field) : (typed[field] ?? '');
  }
  return answers;
}

/** The controls that give these answers: what `answersIn` reads. */
export function controlsHolding<Field extends string>(
  { fields, dates }: FormFields<Field>,
  answers: Readonly<Partial<Record<Field, string>>>,
  some = fields,
): Record<string, string> {
  const typed: Record<string, string> = {};
  for (const field of some) {
    const answer = answers[field] ?? '';
    const day = parseDate(answer);
    if (!dates.includes(field)) typed[field] = answer;
    else {
      for (const part of dateParts) typed[`${field}-${part}`] = `${day ? partsOf(day)[part] : ''}`;
    }
  }
  return typed;
}
