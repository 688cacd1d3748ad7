import { toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import { boundedText, type TypedAnswers } from '~/features/form/answers/controls.ts';
import { fillFromZone, LINES } from './zone.ts';
import { readLines, type ReadLines } from './read-lines.ts';

/** Three lines of 30 with what is pasted along; nothing longer can be read. */
const MAX_LINES_LENGTH = 400;

export type RefusedLines = { text: string; refusal: Extract<ReadLines, { ok: false }> };

/** `entries`: what the form's controls hold then. */
export type SentLines = { entries: TypedAnswers; refused: RefusedLines | null };

/** The lines as typed, where the form has them. */
export const readTypedLines = (form: FormData): TypedAnswers =>
  form.has(LINES) ? { [LINES]: boundedText(form, LINES, MAX_LINES_LENGTH) } : {};

/** Reads the lines of a form that was sent without scripts. What was typed stays. */
export function sentLines(form: FormData, entries: TypedAnswers, now: Date): SentLines {
  const text = boundedText(form, LINES, MAX_LINES_LENGTH);
  const read = readLines(text, toPlainDate(now, TURKIYE));
  return read.ok
    ? { entries: { ...entries, ...fillFromZone(read.zone, entries) }, refused: null }
    : { entries, refused: { text, refusal: read } };
}
