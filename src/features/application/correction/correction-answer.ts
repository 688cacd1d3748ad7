/**
 * `answered`: an earlier answer used the link. `over`: the link has expired, or staff have closed the request or
 * decided the application.
 */
export type CorrectionOver = 'answered' | 'over';

/** Why a correction takes no answer any more; null while it does. */
export function overOf(
  correction: { answeredAt: Date | null; closedAt: Date | null } | null,
): CorrectionOver | null {
  if (correction?.answeredAt) return 'answered';
  return !correction || correction.closedAt ? 'over' : null;
}

/** What the controls of a correction hold, by control name, valid or not. */
type Typed = Readonly<Record<string, string>>;

/** What became of a traveller's answer. `typed`: the page is only shown again, in another language or without a photo. */
export type CorrectionAnswer<Problem> =
  | { kind: 'done' }
  | { kind: 'over'; why: CorrectionOver }
  | { kind: 'typed'; typed: Typed }
  | { kind: 'problems'; problems: Problem[]; typed: Typed }
  /** The answer changes nothing: the link stays valid. */
  | { kind: 'unchanged'; typed: Typed };

/**
 * The HTTP status of a link that no longer opens the form. After an answer it is 200, because a reload shows the
 * thank-you page again.
 */
export const overStatus = { answered: 200, over: 410 } as const;

const statuses = { done: 200, typed: 200, problems: 422, unchanged: 422 } as const;

/** The HTTP status that an answer gets. */
export const correctionStatus = <Problem>(answer: CorrectionAnswer<Problem>): number =>
  answer.kind === 'over' ? overStatus[answer.why] : statuses[answer.kind];
