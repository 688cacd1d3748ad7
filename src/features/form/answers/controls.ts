import { PHONE_COUNTRY } from '~/features/application/phone-codes.ts';
import {
  dateFromParts,
  writeDateFault,
  parseDate,
  splitDate,
  partsTyped,
} from '~/base/dates/dates.ts';
import type { TextField } from '~/ui/fields/text-field.tsx';

type Line = Pick<
  Parameters<typeof TextField>[0],
  | 'autoCapitalize'
  | 'autoComplete'
  | 'autoCorrect'
  | 'inputMode'
  | 'latin'
  | 'spellCheck'
  | 'type'
  | 'width'
>;

/** The kind of control: one line, several lines, or a date in three controls. */
export type ControlKind =
  | ({ kind: 'line' } & Line)
  | ({ kind: 'area' } & Pick<Line, 'autoComplete' | 'autoCorrect' | 'latin' | 'spellCheck'>)
  | { kind: 'date'; isBirthday?: true };

const line = (more: Line = {}): ControlKind => ({ kind: 'line', autoComplete: 'off', ...more });
/** Phones and browsers would correct names, places and numbers to words of their dictionaries. */
const asTyped = { autoCorrect: 'off', latin: true, spellCheck: false } as const;

/** The controls of typed questions, alike in every form; questions with choices are on their pages. */
export const inputs = {
  lastName: line({ ...asTyped, autoComplete: 'family-name', width: 'full' }),
  firstName: line({ ...asTyped, autoComplete: 'given-name', width: 'full' }),
  passportNumber: line({ ...asTyped, autoCapitalize: 'characters' }),
  latin: line(asTyped),
  wideLatin: line({ ...asTyped, width: 'full' }),
  date: { kind: 'date' },
  birthday: { kind: 'date', isBirthday: true },
  email: line({
    ...asTyped,
    autoComplete: 'email',
    inputMode: 'email',
    type: 'email',
    width: 'email',
  }),
  phone: line({ autoComplete: 'tel', inputMode: 'tel', latin: true, type: 'tel' }),
  address: { kind: 'area', ...asTyped, autoComplete: 'street-address' },
} as const satisfies Record<string, ControlKind>;

/** The values of a form's controls by name, valid or not. */
export type TypedAnswers = Readonly<Record<string, string>>;

/** Characters kept of one control; the longest answer has 300. */
const MAX_CONTROL_LENGTH = 1000;

/** A text field of a form, cut to `longest` characters; '' where it is missing or a file. */
export function boundedText(form: FormData, name: string, longest: number): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.slice(0, longest) : '';
}

const dateParts = ['day', 'month', 'year'] as const;

/** The text of an impossible date is kept, so that it is reported as wrong and not as missing. */
function dateAnswer(typed: TypedAnswers, field: string): string {
  const parts = partsTyped(typed, field);
  const isEmpty = Object.values(parts).every((part) => part.trim() === '');
  return isEmpty ? '' : (dateFromParts(parts) ?? writeDateFault(parts));
}

/**
 * The namespace with the field names (`<form>:labels.<field>`) and the form's own problems (`form:errors` has the
 * rest).
 */
export type FormName = 'visa' | 'insurance';

/** How the fields of a form map to controls: a date has three, anything else one of the field's own name. */
export type FormFields<Field extends string> = {
  /** The namespace of its texts. */
  name: FormName;
  /** The typed fields, in the form's order. */
  fields: readonly Field[];
  /** The control of each typed field; null for choices and ticks, which their pages draw. */
  inputs: Readonly<Record<Field, ControlKind | null>>;
  /** Fields that may be left empty, as their labels say. */
  optional: readonly Field[];
  /** Further controls that answer a field: the address chosen of two, a box instead of a date. */
  beside: Readonly<Partial<Record<Field, readonly string[]>>>;
  /**
   * Controls kept along with a field that are no answers: who made a choice, the form or the visitor
   * (`~/base/default-choice.ts`), or what was read from a document.
   */
  choosers: Readonly<Partial<Record<Field, readonly string[]>>>;
};

/** The names of the controls that answer a field. */
export function fieldControls<Field extends string>(
  { inputs, beside }: FormFields<Field>,
  field: Field,
): readonly string[] {
  const own =
    inputs[field]?.kind === 'date' ? dateParts.map((part) => `${field}-${part}`) : [field];
  return [...own, ...(beside[field] ?? [])];
}

/** All controls of some fields. */
export const controlsByFields = <Field extends string>(
  form: FormFields<Field>,
  some = form.fields,
): readonly string[] =>
  some.flatMap((field) => [...fieldControls(form, field), ...(form.choosers[field] ?? [])]);

/** The field that a control belongs to. */
export const fieldByControl = <Field extends string>(
  form: FormFields<Field>,
  some: readonly Field[],
  control: string,
): Field | undefined => some.find((field) => fieldControls(form, field).includes(control));

/** Reads the controls of some fields from submitted form data; an unticked box or missing control is ''. */
export const readControls = <Field extends string>(
  form: FormFields<Field>,
  sent: FormData,
  some = form.fields,
): Record<string, string> =>
  Object.fromEntries(
    controlsByFields(form, some).map((control) => [
      control,
      boundedText(sent, control, MAX_CONTROL_LENGTH),
    ]),
  );

/** The country chosen beside a phone number, in which a number without a country code is read; no answer by itself. */
export type ChosenPhoneCountry = { readonly [PHONE_COUNTRY]?: string };

/** The answers in the controls, in the API's form. */
export function readFormAnswers<Field extends string>(
  { fields, inputs }: FormFields<Field>,
  typed: TypedAnswers,
): Partial<Record<Field, string>> & ChosenPhoneCountry {
  const chosen = typed[PHONE_COUNTRY];
  const answers: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const isDate = inputs[field]?.kind === 'date';
    answers[field] = isDate ? dateAnswer(typed, field) : (typed[field] ?? '');
  }
  return chosen ? { ...answers, [PHONE_COUNTRY]: chosen } : answers;
}

/** The controls for given answers: the inverse of `readFormAnswers`. */
export function typedAnswers<Field extends string>(
  { fields, inputs }: FormFields<Field>,
  answers: Readonly<Partial<Record<Field, string>>>,
  some = fields,
): Record<string, string> {
  const typed: Record<string, string> = {};
  for (const field of some) {
    const answer = answers[field] ?? '';
    const day = parseDate(answer);
    if (inputs[field]?.kind !== 'date') typed[field] = answer;
    else {
      for (const part of dateParts)
        typed[`${field}-${part}`] = `${day ? splitDate(day)[part] : ''}`;
    }
  }
  return typed;
}

/** The box for a passport with a single name: it is the last name, and in the API the first name, too. */
export const ONE_NAME = 'oneName';

/** The answers with a single name in both places, where the box says so. */
export const withOneName = <Answers extends { firstName?: string; lastName?: string }>(
  answers: Answers,
  typed: TypedAnswers,
): Answers => (typed[ONE_NAME] ? { ...answers, firstName: answers.lastName } : answers);

/** The controls of a single name in given answers: the inverse of `withOneName`. Empty for two different names. */
export const oneNameBox = ({
  firstName = '',
  lastName = '',
}: {
  firstName?: string | undefined;
  lastName?: string | undefined;
}): TypedAnswers =>
  firstName === lastName && lastName !== '' ? { [ONE_NAME]: 'yes', firstName: '' } : {};
