import { controlsOf, fieldOf, type FormFields, type Typed } from '../answers/controls.ts';

/** The control that was left, and what has the focus now. */
export type Leaving = { target: EventTarget | null; goesTo: EventTarget | null };

/**
 * The field that was left and is to be checked: not one that is gone on with, nor one that is left for a button or a link.
 * `saysMissing`: an empty one is checked where another field follows.
 */
export function fieldLeft<Field extends string>(
  form: FormFields<Field>,
  fields: readonly Field[],
  { target, goesTo }: Leaving,
  entries: Typed,
  { saysMissing }: { saysMissing: boolean },
): Field | undefined {
  const field = fieldOf(form, fields, nameOf(target));
  if (!field || fieldOf(form, fields, nameOf(goesTo)) === field) return undefined;
  // The list of countries has a search of its own.
  const list = target instanceof Element ? target.closest('.country-field') : null;
  if (goesTo instanceof Node && list?.contains(goesTo)) return undefined;
  if (goesTo instanceof HTMLButtonElement || goesTo instanceof HTMLAnchorElement) return undefined;
  const isEmpty = controlsOf(form, field).every((control) => !entries[control]);
  return isEmpty && !(saysMissing && goesTo !== null) ? undefined : field;
}

const nameOf = (target: EventTarget | null): string =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement
    ? target.name
    : '';
