import type { Decision } from './decision-types.ts';

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

export type UndoableKind = Decision['kind'];

/**
 * Why a decision was not undone. `undo_late`: the seconds are over, or its email or refund is leaving. `undo_changed`:
 * something else has happened to the application or its order since. `undo_unknown`: not a decision of this person's.
 */
export type UndoError = { code: (typeof undoErrors)[number] };

export const undoErrors = ['undo_late', 'undo_changed', 'undo_unknown'] as const;
