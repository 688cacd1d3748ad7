import type { DecisionError, UndoError } from './decision-types.ts';
import type { CorrectEmailError } from './correct-email.server.ts';
import type { NoteError } from './note.ts';
import type { PdfError } from './pdf-rules.ts';
import type { ResendError } from './resend-email.server.ts';

/**
 * Errors of the desk's forms; texts in `desk:error.<code>`. `draft_gone`, `text_changed`: of a decision that was to be
 * sent.
 */
export type DeskError =
  | DecisionError
  | UndoError
  | { code: PdfError | 'reason_too_long' | 'draft_gone' | 'text_changed' }
  | { code: CaseFileError }
  /** An insurance is not handed to the authorities. */
  | { code: 'visa_only' }
  /** When assigning it: nobody active, or a note too long. */
  | { code: 'unknown_colleague' | 'long_note' };

/** Of the forms below the facts of an application: notes, emails, the address, duplicates. */
export type CaseFileError = NoteError | ResendError | CorrectEmailError | 'unknown_duplicate';

/** The HTTP status of a refusal: somebody was first, not allowed, not found, or a wrong entry. */
export const statusOf = ({ code }: DeskError): number => statuses[code] ?? 422;

const statuses: Partial<Record<DeskError['code'], number>> = {
  stale: 409,
  document_differs: 409,
  possible_duplicate: 409,
  refunded: 409,
  text_changed: 409,
  busy: 503,
  claimed: 409,
  already_waiting: 409,
  not_waiting: 409,
  unpaid: 409,
  not_approved: 409,
  visa_only: 409,
  struck_note: 409,
  late_edit: 409,
  waiting_email: 409,
  many_emails: 429,
  forbidden: 403,
  not_found: 404,
  unknown_note: 404,
  unknown_email: 404,
  unknown_duplicate: 404,
};
