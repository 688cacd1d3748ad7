import type { RejectionCode } from '~/features/application/rejection.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';

/**
 * A document to deliver: `fileId` is the id of an upload. `hasCompared`: whether a person said to have looked at a PDF
 * that seems to be another traveller's; false refuses such a one. The calls leave it out: they show nobody a comparison.
 */
type Delivery = { fileId?: string | undefined; hasCompared?: boolean | undefined };

/** The status on the screen of whoever decides; if it has changed since, somebody else was first. */
type Seen = { seen?: ApplicationStatus | undefined };

/**
 * What staff decide about one application; forms, drafts and calls give this to `decide`.
 *
 * - start_processing: it has been handed to the authorities.
 * - approve: with a document or without one.
 * - reject: the traveller reads the reason from the list (`code`, other by default) in their own language, and `reason`
 *   as it was written, up to `LONGEST_REASON` characters.
 * - attach: delivers a document after the approval, in place of an earlier one if there is any.
 */
export type Decision =
  | ({ kind: 'start_processing' } & Seen)
  | ({ kind: 'approve' } & Seen & Delivery)
  | ({ kind: 'reject'; code?: RejectionCode | undefined; reason?: string | undefined } & Seen)
  | ({ kind: 'attach' } & Delivery);

/** Who was first, and when; no name for what the service did itself. */
export type First = { name: string | null; at: Date };

/**
 * Why a decision was not taken. stale: somebody was first. unpaid: it can only be rejected. unknown_document: no upload
 * of that id, or it has gone to another application.
 */
export type DecisionError =
  | { code: 'not_found' | 'unpaid' | 'reason_required' | 'unknown_document' | 'not_approved' }
  | { code: 'forbidden' }
  /** What it bought goes back to the traveller, or waits to be let go: it can only be rejected. */
  | { code: 'refunded' }
  /** The PDF is not this traveller's, as far as can be read, or another traveller was given it; nobody said they had looked. */
  | { code: 'document_differs' }
  /** Nothing to attach. */
  | { code: 'document_required' }
  /** Not a reason for this kind of application. */
  | { code: 'reason_unknown' }
  /** Of a correction: what was not said, or whether somebody waits for its answer. */
  | {
      code:
        | 'fields_required'
        | 'note_required'
        | 'note_too_long'
        | 'already_waiting'
        | 'not_waiting';
    }
  /** Somebody else is at work on it. */
  | { code: 'claimed'; name: string; until: Date }
  | { code: 'stale'; status: ApplicationStatus; first: First | null };

/** Longer is a letter, not a reason. */
export const LONGEST_REASON = 1000;
