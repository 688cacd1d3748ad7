import { dateFromParts, noDate, parseDate, partsOf, type PlainDate } from '~/base/dates/dates.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';

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

/** The date in the controls, or null. */
export const dateTyped = (typed: Typed, field: string): PlainDate | null =>
  dateFromParts(partsTyped(typed, field));

/** A date that is none stays wrong rather than becoming empty. */
function dateAnswer(typed: Typed, field: string): string {
  const parts = partsTyped(typed, field);
  const isEmpty = Object.values(parts).every((part) => part.trim() === '');
  return isEmpty ? '' : (dateFromParts(parts) ?? noDate(parts.year));
}

/** How the fields of a form are typed: a date in three controls, anything else in one of the field's own name. */
export function controlsOfForm<Field extends string>({
  fields,
  dates,
  beside,
  choosers,
}: {
  /** Those that are typed, in the form's order. */
  fields: readonly Field[];
  dates: readonly Field[];
  /** What else answers a field: a box instead of a date. */
  beside?: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** Says who made a choice, the form or the visitor (`~/base/default-choice.ts`), and is no answer itself. */
  choosers?: Readonly<Partial<Record<Field, readonly string[]>>>;
}) {
  const isDate = (field: Field) => dates.includes(field);

  /** The names of the controls that answer a field; an e-mail address has the one that was chosen. */
  function controlsOf(field: Field): readonly string[] {
    return [
      ...(isDate(field) ? dateParts.map((part) => `${field}-${part}`) : [field]),
      ...(field === 'email' ? [EMAIL_ANSWER] : []),
      ...(beside?.[field] ?? []),
    ];
  }

  const controlsOfAll = (some: readonly Field[] = fields) =>
    some.flatMap((field) => [...controlsOf(field), ...(choosers?.[field] ?? [])]);

  return {
    controlsOf,

    /** Everything that a page sends for some fields. */
    controlsOfAll,

    /** The field that a control belongs to. */
    fieldOf: (control: string, some: readonly Field[] = fields): Field | undefined =>
      some.find((field) => controlsOf(field).includes(control)),

    /** Reads the controls of some fields out of a form; a box that is not ticked and a control that is missing are ''. */
    readTyped: (form: FormData, some: readonly Field[] = fields): Record<string, string> =>
      Object.fromEntries(
        controlsOfAll(some).map((control) => [control, textOf(form, control, LONGEST)]),
      ),

    /** The answers that the controls give, in the API's form. */
    answersOf(typed: Typed): Partial<Record<Field, string>> {
      const answers: Partial<Record<Field, string>> = {};
      for (const field of fields) {
        answers[field] = isDate(field) ? dateAnswer(typed, field) : (typed[field] ?? '');
      }
      return answers;
    },

    /** The controls that give these answers: what `answersOf` reads. */
    typedOf(
      answers: Readonly<Partial<Record<Field, string>>>,
      some: readonly Field[] = fields,
    ): Record<string, string> {
      const typed: Record<string, string> = {};
      for (const field of some) {
        const answer = answers[field] ?? '';
        const day = parseDate(answer);
        if (!isDate(field)) typed[field] = answer;
        else
          for (const part of dateParts)
            typed[`${field}-${part}`] = `${day ? partsOf(day)[part] : ''}`;
      }
      return typed;
    },
  };
}
