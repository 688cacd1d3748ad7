import { add, type Money, share, usd } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { RefundCause, RefundReason, RefundPolicy } from '../refund-policy.ts';

/** One line that was bought. `claimed`: what has been or is being refunded of it. */
export type BoughtLine = {
  id: string;
  applicationNumber: string;
  code: string;
  amount: Money;
  claimed: Money;
};

/** The state of an application when its refund was asked for. */
export type PastApplication = {
  /** Neither sent to the authorities nor decided. */
  pending: boolean;
  /** The first moment of an insurance's cover; not used for a visa. */
  startsAt: Date;
  /** The promised moment has passed, or had when it was decided. */
  missed: boolean;
};

export type RefundRequest = { cause: RefundCause; paidAt: Date; askedAt: Date };

/** What the policy refunds of one line: from 0 to what is left of it. */
export type ProposedLine = { line: BoughtLine; amount: Money; reason: RefundReason };

const HOUR = 3_600_000;
const hoursBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / HOUR;

type Share = { percent: number; reason: RefundReason };

const nothing = (reason: RefundReason): Share => ({ percent: 0, reason });
const all = (reason: RefundReason): Share => ({ percent: 100, reason });

/** What the policy refunds of every line; nothing of lines whose application is not in `applications`. */
export function proposeLines(
  policy: RefundPolicy,
  asked: RefundRequest,
  lines: readonly BoughtLine[],
  applications: ReadonlyMap<string, PastApplication>,
): ProposedLine[] {
  return lines.flatMap((line) => {
    const then = applications.get(line.applicationNumber);
    if (!then) return [];
    const { percent, reason } = refundShare(policy, asked, line.code, then);
    const due = share(line.amount, percent).minor - line.claimed.minor;
    return [{ line, amount: usd(Math.max(0, due)), reason }];
  });
}

/**
 * The percentage of a line's price that is refunded, and why; lines of an unknown kind only with a full refund. A
 * rejection by our own team refunds what cancelling at its moment would have refunded.
 */
export function refundShare(
  policy: RefundPolicy,
  request: RefundRequest,
  code: string,
  then: PastApplication,
): Share {
  const cause = request.cause === 'rejected_by_us' ? 'cancelled' : request.cause;
  const asked = { ...request, cause };
  const { paidAt, askedAt } = asked;
  if (cause === 'missed_promise' && !then.missed) return nothing('not_missed');
  if (policy.fullRefundCauses.includes(cause)) return all('everything_back');
  // Insurance is sold years ahead of its cover, so its time begins with the cover where that is later.
  const from = code === 'insurance_plan' && then.startsAt > paidAt ? then.startsAt : paidAt;
  const days = hoursBetween(from, askedAt) / 24;
  const isLate = policy.timedCauses.includes(cause) && days > policy.requestDays;
  // A missed promise is our fault, whether the traveller cancels or not: it has no time limit.
  const isOurs = cause === 'cancelled' && then.missed && code === 'processing_fee';
  if (isOurs) return all('promise_missed');
  if (isLate) return nothing('asked_too_late');
  switch (code) {
    case 'processing_fee':
      return processingShare(policy, asked, then);
    case 'insurance_plan':
      return premiumShare(policy, asked, then);
    case 'evisa_fee':
      return nothing('fee_kept');
    default:
      return nothing('not_covered');
  }
}

function processingShare(
  policy: RefundPolicy,
  asked: RefundRequest,
  { pending }: PastApplication,
): Share {
  if (policy.processingRefundCauses.includes(asked.cause)) return all('processing_back');
  if (asked.cause !== 'cancelled') return nothing('not_covered');
  const hours = hoursBetween(asked.paidAt, asked.askedAt);
  if (hours <= policy.fullRefundHours) return all('within_first_hours');
  const isPending = pending && hours <= policy.pendingHours;
  return isPending
    ? { percent: policy.pendingShare, reason: 'still_pending' }
    : nothing('too_late');
}

function premiumShare(
  policy: RefundPolicy,
  asked: RefundRequest,
  { startsAt }: PastApplication,
): Share {
  if (policy.premiumRefundCauses.includes(asked.cause)) return all('premium_back');
  if (asked.cause !== 'cancelled') return nothing('not_covered');
  const hours = hoursBetween(asked.askedAt, startsAt);
  const step = policy.insuranceShares.find(({ hoursBefore }) => hours >= hoursBefore);
  return step ? { percent: step.share, reason: 'before_cover' } : nothing('too_late');
}

/** Characters of a note. */
export const MAX_REFUND_NOTE_LENGTH = 500;

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
  if (note.trim().length > MAX_REFUND_NOTE_LENGTH) return refused({ code: 'note_too_long' });
  return ok({ lines: chosen, total });
}
