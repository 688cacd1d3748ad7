import type { NoteError } from './note.ts';
import type { CorrectEmailError } from './correct-email.server.ts';
import type { ResendError } from './resend-email.server.ts';

/** What a form below an application's facts has done; texts in `case-file:done.<code>`. */
export const caseFileDone = [
  'note_added',
  'note_edited',
  'note_struck',
  'email_resent',
  'email_corrected',
  'duplicate_dismissed',
] as const;
export type CaseFileDone = (typeof caseFileDone)[number];

/** Why it was refused; texts in `case-file:error.<code>`. */
export type CaseFileError =
  | NoteError
  | ResendError
  | CorrectEmailError
  | 'unknown_duplicate'
  | 'forbidden';

/** A refusal with what was typed, so that it is not lost. */
export type CaseFileProblem = {
  code: CaseFileError;
  intent: string;
  /** The id of the note, email or application that the form is about. */
  about: string;
  typed: string;
  /** For a correction of the address: the reason, the emails to send again, and the address probably meant. */
  why?: string;
  emails?: string[];
  ask?: string | null;
};

/** The intent of the address's correction. */
export const CORRECT_EMAIL = 'correct_email';

/** Controls of the address's correction: its reason, and one box for each email. */
export const WHY = 'emailWhy';
export const RESENT = 'resend-';

/** The name of a form's text field. It must be unique on the page, because the control's id is its name. */
export const fieldName = (intent: string, about: string): string => `${intent}-${about}`;

/** What no field can mend: somebody was first, or it is not there. */
const ofNoField: readonly CaseFileError[] = [
  'forbidden',
  'unknown_duplicate',
  'unknown_email',
  'waiting_email',
  'many_emails',
  'late_edit',
  'unknown_note',
  'struck_note',
];
const ofReason: readonly CaseFileError[] = ['empty_why', 'long_why'];

/** The field that a refusal is about; null for none. */
export function fieldOfProblem({ code, intent, about }: CaseFileProblem): string | null {
  if (ofNoField.includes(code)) return null;
  const hasReason = intent === CORRECT_EMAIL && ofReason.includes(code);
  return hasReason ? WHY : fieldName(intent, about);
}

/** The section in which the result is shown. */
export const placeOf = (done: CaseFileDone): string => places[done] ?? 'notes';

const places: Partial<Record<CaseFileDone, string>> = {
  email_resent: 'emails',
  email_corrected: 'email',
  duplicate_dismissed: 'application',
};
