import type { NoteError } from './note.ts';
import type { CorrectEmailError } from './correct-email.server.ts';
import type { ResendError } from './resend-email.server.ts';

/** What a form below an application's facts has just done; words in `case-file:done.<code>`. */
export const caseFileDone = [
  'note_added',
  'note_edited',
  'note_struck',
  'email_resent',
  'email_corrected',
  'duplicate_dismissed',
] as const;
export type CaseFileDone = (typeof caseFileDone)[number];

/** Why it was not done; words in `case-file:error.<code>`. */
export type CaseFileError =
  | NoteError
  | ResendError
  | CorrectEmailError
  | 'unknown_duplicate'
  | 'forbidden';

/** A refusal, and what was typed, so that it is not lost. */
export type CaseFileProblem = {
  code: CaseFileError;
  intent: string;
  /** Which note, e-mail or application the form was about. */
  about: string;
  typed: string;
  /** Of the address's correction: the reason, the e-mails to send again, and what was probably meant. */
  why?: string;
  emails?: string[];
  ask?: string | null;
};

/** The controls of the address's correction beside the address: its reason, and one box an e-mail. */
export const WHY = 'emailWhy';
export const RESENT = 'resend-';

/** The name of a form's text: there are several forms on the page, and a control's name is its id. */
export const fieldName = (intent: string, about: string): string => `${intent}-${about}`;

/** Where on the page a deed shows. */
export const placeOf = (done: CaseFileDone): string => places[done] ?? 'notes';

const places: Partial<Record<CaseFileDone, string>> = {
  email_resent: 'emails',
  email_corrected: 'email',
  duplicate_dismissed: 'application',
};
