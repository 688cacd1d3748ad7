import { add, type Money } from '~/base/money.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { RefundPolicy } from '~/features/order/refund-policy.ts';
import {
  proposeLines,
  type PastApplication,
  type BoughtLine,
  type ProposedLine,
} from '~/features/order/refunds/refund-proposal.ts';

/**
 * Why an application cannot be cancelled by its payer. `decided`: nothing leaves approved or rejected, but cover that has
 * not begun can be given up. `refunding`: a refund that takes it back is on its way or waits for a release.
 */
export const uncancellables = ['decided', 'cancelled', 'started', 'refunding'] as const;
export type Uncancellable = (typeof uncancellables)[number];

/** What decides whether an application can be cancelled. */
export type Cancelling = {
  kind: 'visa' | 'insurance';
  status: ApplicationStatus;
  /** The first moment of an insurance's cover. */
  startsAt: Date;
  /** When its cover was cancelled; null for a visa. */
  cancelledAt: Date | null;
  /** A refund takes it back. */
  isRefunded: boolean;
};

/** Why an application of a paid order cannot be cancelled now; null where it can. */
export function uncancellable(
  { kind, status, startsAt, cancelledAt, isRefunded }: Cancelling,
  now: Date,
): Uncancellable | null {
  if (cancelledAt) return 'cancelled';
  if (status === 'rejected') return 'decided';
  if (kind === 'visa' && status === 'approved') return 'decided';
  if (isRefunded) return 'refunding';
  return kind === 'insurance' && startsAt <= now ? 'started' : null;
}

/** What a cancellation is computed from. */
export type CancellationFacts = {
  policy: RefundPolicy;
  paidAt: Date;
  lines: readonly BoughtLine[];
  /** The applications to be cancelled, as they are now. */
  applications: ReadonlyMap<string, Omit<PastApplication, 'missed'> & { promisedAt: Date | null }>;
};

export type CancellationQuote = {
  lines: ProposedLine[];
  total: Money;
  /** The last moment at which the same is refunded, as long as nothing else happens; null: it does not change. */
  holdsUntil: Date | null;
};

const HOUR_MS = 3_600_000;

/** What the policy refunds of every line when it is cancelled at `now`, and until when that holds. */
export function quoteCancellation(facts: CancellationFacts, now: Date): CancellationQuote {
  const lines = linesAt(facts, now);
  const amounts = encodeAmounts(lines);
  const next = turningPoints(facts)
    .filter((point) => point >= now.getTime())
    .toSorted((a, b) => a - b)
    // Every period includes its last moment, so the amounts change after it.
    .find((point) => encodeAmounts(linesAt(facts, new Date(point + 1))) !== amounts);
  return {
    lines,
    total: add(...lines.map(({ amount }) => amount)),
    holdsUntil: next === undefined ? null : new Date(next),
  };
}

function linesAt({ policy, paidAt, lines, applications }: CancellationFacts, at: Date) {
  const then = [...applications].map(([number, { promisedAt, ...one }]) => {
    const missed = promisedAt !== null && at > promisedAt;
    return [number, { ...one, missed }] as const;
  });
  return proposeLines(policy, { cause: 'cancelled', paidAt, askedAt: at }, lines, new Map(then));
}

/** The moments, in milliseconds since 1970, after which the policy may refund another amount. */
function turningPoints({ policy, paidAt, applications }: CancellationFacts): number[] {
  const { fullRefundHours, pendingHours, requestDays, insuranceShares } = policy;
  const paid = [fullRefundHours, pendingHours, requestDays * 24].map(
    (hours) => paidAt.getTime() + hours * HOUR_MS,
  );
  const own = [...applications.values()].flatMap(({ startsAt, promisedAt }) => [
    ...insuranceShares.map(({ hoursBefore }) => startsAt.getTime() - hoursBefore * HOUR_MS),
    ...(promisedAt ? [promisedAt.getTime()] : []),
  ]);
  return [...paid, ...own];
}

/**
 * The amounts as a page shows them and sends them back, so that what is booked is what was shown: a line's id and its
 * cents, by id.
 */
export const encodeAmounts = (lines: readonly ProposedLine[]): string =>
  lines
    .map(({ line, amount }) => `${line.id}:${amount.minor}`)
    .toSorted()
    .join(' ');
