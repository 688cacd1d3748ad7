import { dateOf, TURKIYE } from '~/base/dates/dates.ts';
import { readControls } from '~/features/form/answers/controls.ts';
import { visaForm } from '../rules/typed.ts';
import { stepOf } from '../rules/steps.ts';
import { fillFrom } from './fill.ts';
import { readLines, type ReadLines } from './read-lines.ts';
import { LINES } from './zone.ts';

/** Reads the lines that stand in the form and fills it in; what was read completely is taken out of the box. */
export function fillFromLines(form: HTMLFormElement, now: Date): ReadLines {
  const box = form.elements.namedItem(LINES);
  const text = box instanceof HTMLTextAreaElement ? box.value : '';
  const read = readLines(text, dateOf(now, TURKIYE));
  if (!read.ok) return read;
  const typed = readControls(visaForm, new FormData(form), stepOf('details').fields);
  for (const [name, value] of Object.entries(fillFrom(read.zone, typed))) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement) control.value = value;
  }
  if (box instanceof HTMLTextAreaElement) box.value = '';
  return read;
}
