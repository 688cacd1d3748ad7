import {
  fieldControls,
  fieldByControl,
  type FormFields,
  type TypedAnswers,
} from '../answers/controls.ts';

/** The control that lost the focus, and the one that has it now. */
export type FocusMove = { target: EventTarget | null; goesTo: EventTarget | null };

/**
 * The field to check when the focus leaves it: undefined while the focus stays in the field or moves to a button or link.
 * `saysMissing`: check an empty one, too, where another field follows.
 */
export function fieldLeft<Field extends string>(
  form: FormFields<Field>,
  fields: readonly Field[],
  { target, goesTo }: FocusMove,
  entries: TypedAnswers,
  { saysMissing }: { saysMissing: boolean },
): Field | undefined {
  const field = fieldByControl(form, fields, nameOf(target));
  if (!field || fieldByControl(form, fields, nameOf(goesTo)) === field) return undefined;
  // The country list has a search field of its own.
  const list = target instanceof Element ? target.closest('.country-field') : null;
  if (goesTo instanceof Node && list?.contains(goesTo)) return undefined;
  if (goesTo instanceof HTMLButtonElement || goesTo instanceof HTMLAnchorElement) return undefined;
  const isEmpty = fieldControls(form, field).every((control) => !entries[control]);
  return isEmpty && !(saysMissing && goesTo !== null) ? undefined : field;
}

const nameOf = (target: EventTarget | null): string =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement
    ? target.name
    : '';
