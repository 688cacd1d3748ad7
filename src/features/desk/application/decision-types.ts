import { latinDigits } from '~/base/digits.ts';
import { plainForms } from '~/base/letters.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { RejectionCode } from '~/features/application/rejection.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { CorrectEmailError, ResendError } from './case-emails.server.ts';
import type { NoteError } from './note.ts';
import type { PdfError } from './pdf-rules.ts';
import type { PutOffProblem } from './put-off.ts';

/**
 * A document to deliver: `fileId` is the id of an upload. `hasCompared`: whether the person confirmed having checked a
 * PDF that could not be matched with the application; false refuses such a PDF. Calls leave it out, as they show no
 * comparison.
 */
type Delivery = { fileId?: string | undefined; hasCompared?: boolean | undefined };

/**
 * Whether the person confirmed having checked a possible duplicate of the same person; false refuses where there is
 * one. Calls leave it out, as they show none.
 */
type Duplicates = { hasCheckedDuplicates?: boolean | undefined };

/** The status that the person saw; if it has changed since, somebody else was first. */
type Seen = { seen?: ApplicationStatus | undefined };

/**
 * What staff decide about one application; forms, drafts and calls pass it to `decide`.
 * - start_processing: it was handed in to the authorities; `reference`: as typed, '' for none yet.
 * - approve: with or without a document.
 * - reject: the traveller reads the reason of the list (`code`, `other` by default) in their own language, and `reason`
 * as written, up to `MAX_REJECTION_REASON_LENGTH` characters. `mayLackReason`: of an insurance by the specified call, which sends none.
 * - attach: delivers a document after the approval, in place of an earlier one if there is any.
 */
export type Decision =
  | ({ kind: 'start_processing'; reference?: string | undefined } & Seen)
  | ({ kind: 'approve' } & Seen & Delivery & Duplicates)
  | ({
      kind: 'reject';
      code?: RejectionCode | undefined;
      reason?: string | undefined;
      mayLackReason?: boolean;
    } & Seen)
  | ({ kind: 'attach' } & Delivery);

/** Who decided first, and when; no name for an automatic decision. */
export type FirstDecision = { name: string | null; at: Date };

/**
 * Why a decision was refused. `stale`: somebody was first. `unpaid`: it can only be rejected. `unknown_document`: no
 * upload has that id, or it was used for another application.
 */
export type DecisionError =
  | { code: 'not_found' | 'unpaid' | 'reason_required' | 'unknown_document' | 'not_approved' }
  | { code: 'forbidden' }
  /** What it paid for is being refunded, or waits for a release: it can only be rejected. */
  | { code: 'refunded' }
  /**
   * The PDF's text cannot be read or names somebody else, or another traveller got the same file, and nobody confirmed
   * having checked it.
   */
  | { code: 'document_differs' }
  /** It may be a duplicate of another application of the same person, and nobody confirmed having checked that. */
  | { code: 'possible_duplicate' }
  /** Nothing to attach. */
  | { code: 'document_required' }
  /** Not a reason for this kind of application. */
  | { code: 'reason_unknown' }
  /** For a correction: what is missing, or that one is open already. */
  | {
      code: 'fields_required' | 'note_too_long' | 'already_waiting' | 'not_waiting';
    }
  | { code: PutOffProblem }
  /** Not what a reference of the authority looks like. */
  | { code: 'reference_unreal' }
  /** Somebody else is working on it. */
  | { code: 'claimed'; name: string; until: Date }
  | { code: 'stale'; status: ApplicationStatus; first: FirstDecision | null };

/** Characters of a reason. */
export const MAX_REJECTION_REASON_LENGTH = 1000;

/** Characters of a message to a traveller. */
export const MAX_MESSAGE_LENGTH = 2000;

/** Characters of the authority's reference. */
export const MAX_REFERENCE_LENGTH = 40;

/**
 * The authority's reference as it is stored and shown: as it was typed, in Latin letters and digits with single spaces.
 * Null for none.
 */
export function readReference(typed: string): Outcome<string | null, 'reference_unreal'> {
  const text = latinDigits(plainForms(typed)).replaceAll(/\s+/g, ' ').trim();
  if (text === '') return ok(null);
  const isReal = text.length <= MAX_REFERENCE_LENGTH && /^[0-9A-Za-z][0-9A-Za-z ./_-]*$/.test(text);
  return isReal ? ok(text) : refused('reference_unreal');
}

/** What a decision can still be undone by, while it is being stored. */
export type Undoable = {
  id: string;
  /** From then on it stays, and its emails leave and its refunds are sent. */
  until: Date;
  /** As long after the decision. */
  delayMs: number;
  /** What it has caused so far, by id: emails in the ledger, refunds, corrections that it closed. */
  emails: string[];
  refunds: string[];
  corrections: string[];
};

/** Whether somebody at the desk waits and may undo it; calls of other programs are final at once. */
export type DecideOptions = { undoable?: boolean };

export type UndoableKind = Decision['kind'] | 'message';

/**
 * Why a message to a traveller was refused. `address_refused`: the mail server did not know the address at the last email
 * to it. `answered`: somebody wrote since its author last saw what was written: a colleague, or the traveller (no name).
 */
export type MessageError =
  | { code: 'not_found' | 'message_required' | 'message_too_long' | 'address_refused' }
  | { code: 'answered'; name: string | null; at: Date };

/**
 * Why a decision was not undone. `undo_late`: the seconds are over, or its email or refund is leaving. `undo_changed`:
 * something else has happened to the application or its order since. `undo_unknown`: not a decision of this person's.
 */
export type UndoError = { code: (typeof undoErrors)[number] };

export const undoErrors = ['undo_late', 'undo_changed', 'undo_unknown'] as const;

/**
 * Errors of the desk's forms; texts in `desk:error.<code>`. `draft_gone`, `text_changed`: of a decision that was to be
 * sent.
 */
export type DeskError =
  | DecisionError
  | MessageError
  | UndoError
  | { code: PdfError | 'reason_too_long' | 'draft_gone' | 'text_changed' }
  | { code: CaseFileError }
  /** An insurance is not handed to the authorities. */
  | { code: 'visa_only' }
  /**
   * With a PDF among several: nobody has seen it beside that application yet, none was chosen for it, or none has the
   * number that was typed.
   */
  | { code: 'look_first' | 'no_application' | 'unknown_number' }
  /**
   * Of several: the pasted table does not name it, its traveller is asked for nothing, or it was refused when the rest was
   * confirmed.
   */
  | { code: 'not_in_table' | 'nothing_to_remind' | 'not_confirmed' }
  /** When assigning it: nobody active, or a note too long. */
  | { code: 'unknown_colleague' | 'long_note' };

/** Of the forms below the facts of an application: notes, emails, the address, duplicates. */
export type CaseFileError = NoteError | ResendError | CorrectEmailError | 'unknown_duplicate';

/** The HTTP status of a refusal: somebody was first, not allowed, not found, or a wrong entry. */
export const refusalStatus = ({ code }: DeskError): number => statuses[code] ?? 422;

const statuses: Partial<Record<DeskError['code'], number>> = {
  stale: 409,
  document_differs: 409,
  possible_duplicate: 409,
  refunded: 409,
  text_changed: 409,
  answered: 409,
  busy: 503,
  claimed: 409,
  already_waiting: 409,
  put_off_already: 409,
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
