import { add, usd, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { claimedByLine } from './order-refund-store.server.ts';
import type { RefundCause } from '../refund-cause.ts';
import {
  proposeLines,
  type ApplicationThen,
  type BoughtLine,
  type ProposedLine,
} from './refund-proposal.ts';
import { linesOf } from '../order-lines-store.server.ts';
import type { Order } from '../store.server.ts';

/** Which applications of an order are to be refunded, why, and what had happened to them by then. */
export type RefundAsked = {
  cause: RefundCause;
  /** When the traveller's request arrived. */
  askedAt: Date;
  applications: ReadonlyMap<string, ApplicationThen>;
};

export type Proposal = { lines: ProposedLine[]; total: Money };

/** `asked_at`: before the payment or in the future. */
export type ProposalError = { code: 'unpaid' | 'asked_at' };

/** What the order's policy refunds, line by line. Reads only. */
export async function proposeRefund(
  db: Queryable,
  order: Order,
  { cause, askedAt, applications }: RefundAsked,
  now: Date,
): Promise<Outcome<Proposal, ProposalError>> {
  const { paidAt } = order;
  if (!paidAt || order.paidBy === null) return refused({ code: 'unpaid' });
  if (askedAt < paidAt || askedAt > now) return refused({ code: 'asked_at' });
  const bought = await boughtLines(db, order);
  const lines = proposeLines(order.refundPolicy, { cause, paidAt, askedAt }, bought, applications);
  return ok({ lines, total: add(...lines.map(({ amount }) => amount)) });
}

/** The order's lines with what has been or is being refunded of each. */
export async function boughtLines(db: Queryable, order: Order): Promise<BoughtLine[]> {
  // One after the other: a transaction's connection takes one statement at a time.
  const lines = await linesOf(db, order.id);
  const claimed = await claimedByLine(db, order.id);
  return lines.map(({ id, applicationNumber, code, amountMinor }) => ({
    id,
    applicationNumber,
    code,
    amount: usd(amountMinor),
    claimed: usd(claimed.get(id) ?? 0),
  }));
}
