import { ok, refused, type Outcome } from '~/base/outcome.ts';

/** Longer is a document, not a note. Characters as a browser's `maxLength` counts them. */
export const LONGEST_STAFF_NOTE = 2000;
/** Why a note was struck, why two applications are no duplicates. */
export const LONGEST_WHY = 500;
/** So long after writing it its author may correct a note. */
export const CORRECTABLE_MS = 10 * 60_000;

/**
 * One note of staff on an application, for staff alone. It is never deleted before its application: corrected it says
 * so, struck it stays readable with who struck it and why.
 */
export type StaffNote = {
  id: string;
  applicationId: string;
  staffId: string;
  text: string;
  writtenAt: Date;
  editedAt: Date | null;
  struck: { at: Date; by: string; why: string } | null;
};

export type NoteError =
  | 'empty_note'
  | 'long_note'
  | 'late_edit'
  | 'unknown_note'
  | 'struck_note'
  | WhyError;
export type WhyError = 'empty_why' | 'long_why';

/** A browser sends CR LF for a line's end and counts it as one character; so do we. */
const plain = (typed: string): string => typed.replaceAll('\r\n', '\n').trim();

/** What was typed as a note, without the blanks round it. */
export function readNote(typed: string): Outcome<string, 'empty_note' | 'long_note'> {
  const text = plain(typed);
  if (text === '') return refused('empty_note');
  return text.length > LONGEST_STAFF_NOTE ? refused('long_note') : ok(text);
}

/** What was typed as a reason, without the blanks round it. */
export function readWhy(typed: string): Outcome<string, WhyError> {
  const text = plain(typed);
  if (text === '') return refused('empty_why');
  return text.length > LONGEST_WHY ? refused('long_why') : ok(text);
}

/** Whether somebody may correct a note: their own, unstruck, in its first ten minutes. */
export function mayCorrect(
  note: Pick<StaffNote, 'staffId' | 'writtenAt' | 'struck'>,
  staffId: string,
  now: number,
): boolean {
  return (
    note.staffId === staffId && !note.struck && now < note.writtenAt.getTime() + CORRECTABLE_MS
  );
}
