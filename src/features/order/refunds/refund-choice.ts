import { add, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { ProposedLine } from './refund-proposal.ts';

/** Characters of a note. */
export const LONGEST_NOTE = 500;

/** A line with the amount that staff chose; `proposed`: what the policy refunds. */
export type ChosenLine = ProposedLine & { proposed: Money };

/**
 * `nothing`: the sum is zero. `exceeds`: more than is left of a line (null: of the capture). `note_required`: an amount
 * differs from the proposal without a reason.
 */
export type ChoiceError =
  | { code: 'nothing' | 'note_required' | 'note_too_long' }
  | { code: 'exceeds'; lineId: string | null };

/**
 * The proposal with the amounts that staff chose, by order line; other lines stay as proposed. Any amount from zero to
 * what is left of a line is possible, with a reason.
 */
export function chooseAmounts(
  lines: readonly ProposedLine[],
  amounts: ReadonlyMap<string, Money>,
  note: string,
): Outcome<{ lines: ChosenLine[]; total: Money }, ChoiceError> {
  const chosen = lines.map(({ line, amount: proposed, reason }): ChosenLine => {
    const amount = amounts.get(line.id) ?? proposed;
    const isAdjusted = amount.minor !== proposed.minor;
    return { line, amount, reason: isAdjusted ? 'adjusted' : reason, proposed };
  });
  const over = chosen.find(
    ({ line, amount }) => amount.minor < 0 || amount.minor > line.amount.minor - line.claimed.minor,
  );
  if (over) return refused({ code: 'exceeds', lineId: over.line.id });
  const total = add(...chosen.map(({ amount }) => amount));
  if (total.minor === 0) return refused({ code: 'nothing' });
  const isAdjusted = chosen.some(({ reason }) => reason === 'adjusted');
  if (isAdjusted && note.trim() === '') return refused({ code: 'note_required' });
  if (note.trim().length > LONGEST_NOTE) return refused({ code: 'note_too_long' });
  return ok({ lines: chosen, total });
}
