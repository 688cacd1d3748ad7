/**
 * Seconds in which somebody can undo a decision of their own, of which each person chooses one (WCAG 2.2, 2.2.1). What a
 * decision causes is held back as long, so the longest is what travellers can well wait for an email.
 */
export const undoSeconds = [10, 30, 60, 600] as const;

export const DEFAULT_UNDO_SECONDS = undoSeconds[0];

/** What somebody chose; null for what is none of them. */
export const readUndoSeconds = (typed: string): number | null =>
  undoSeconds.find((one) => String(one) === typed) ?? null;
