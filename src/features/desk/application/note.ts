import { ok, refused, type Outcome } from '~/base/outcome.ts';

/** Characters of a note, as a browser's `maxLength` counts them. */
export const LONGEST_STAFF_NOTE = 2000;
/** Characters of the reason for striking a note or dismissing a duplicate. */
export const LONGEST_WHY = 500;
/** Milliseconds after writing within which the author may correct a note. */
export const CORRECTABLE_MS = 10 * 60_000;

/**
 * One note of staff on an application, for staff only. It is deleted with its application, not before: a corrected one
 * is marked, a struck one stays readable with who struck it and why.
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

/** Browsers send a line break as CR LF and count it as one character. */
const plain = (typed: string): string => typed.replaceAll('\r\n', '\n').trim();

/** The typed note, trimmed. */
export function readNote(typed: string): Outcome<string, 'empty_note' | 'long_note'> {
  const text = plain(typed);
  if (text === '') return refused('empty_note');
  return text.length > LONGEST_STAFF_NOTE ? refused('long_note') : ok(text);
}

/** The typed reason, trimmed. */
export function readWhy(typed: string): Outcome<string, WhyError> {
  const text = plain(typed);
  if (text === '') return refused('empty_why');
  return text.length > LONGEST_WHY ? refused('long_why') : ok(text);
}

/** Whether somebody may correct a note: their own, not struck, within `CORRECTABLE_MS`. */
export function mayCorrect(
  note: Pick<StaffNote, 'staffId' | 'writtenAt' | 'struck'>,
  staffId: string,
  now: number,
): boolean {
  return (
    note.staffId === staffId && !note.struck && now < note.writtenAt.getTime() + CORRECTABLE_MS
  );
}
