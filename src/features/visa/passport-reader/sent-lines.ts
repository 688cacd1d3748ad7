import { dateOf, TURKIYE } from '~/base/dates/dates.ts';
import { textOf, type Typed } from '~/features/form/answers/controls.ts';
import { fillFrom, LINES } from './zone.ts';
import { readLines, type ReadLines } from './read-lines.ts';

/** Three lines of 30 with what is pasted along; nothing longer can be read. */
const LONGEST = 400;

export type RefusedLines = { text: string; refusal: Extract<ReadLines, { ok: false }> };

/** `entries`: what the form's controls hold then. */
export type SentLines = { entries: Typed; refused: RefusedLines | null };

/** The lines as typed, where the form has them. */
export const linesBeside = (form: FormData): Typed =>
  form.has(LINES) ? { [LINES]: textOf(form, LINES, LONGEST) } : {};

/** Reads the lines of a form that was sent without scripts. What was typed stays. */
export function sentLines(form: FormData, entries: Typed, now: Date): SentLines {
  const text = textOf(form, LINES, LONGEST);
  const read = readLines(text, dateOf(now, TURKIYE));
  return read.ok
    ? { entries: { ...entries, ...fillFrom(read.zone, entries) }, refused: null }
    : { entries, refused: { text, refusal: read } };
}
