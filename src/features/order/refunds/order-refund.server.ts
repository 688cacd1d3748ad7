import { randomUUID } from 'node:crypto';
import { add, usd, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isClaiming } from '~/features/payment/refund-machine.ts';
import { requestRefund } from '~/features/payment/settlement/refund-request.server.ts';
import { lockReference } from '~/features/payment/settlement/store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import {
  orderRefundById,
  refundsByOrder,
  type RefundFound,
  claimedByLine,
  linesByRefunds,
  type OrderRefund,
} from './order-refund-store.server.ts';
import {
  chooseAmounts,
  type ChoiceError,
  proposeLines,
  type PastApplication,
  type BoughtLine,
  type ProposedLine,
} from './refund-proposal.ts';
import { orderByNumber, type Order, orderById, linesByOrder } from '../store.server.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { makeRetryId } from '~/features/payment/settlement/begin.server.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { orderRefund, orderRefundLine } from '../tables.server.ts';
import type { RefundCause } from '../refund-policy.ts';

/** Which applications of an order are to be refunded, why, and what had happened to them by then. */
export type RefundAsked = {
  cause: RefundCause;
  /** When the traveller's request arrived. */
  askedAt: Date;
  applications: ReadonlyMap<string, PastApplication>;
};

export type RefundProposal = { lines: ProposedLine[]; total: Money };

/** `asked_at`: before the payment or in the future. */
export type ProposalError = { code: 'unpaid' | 'asked_at' };

/** What the order's policy refunds, line by line. Reads only. */
export async function proposeRefund(
  db: Queryable,
  order: Order,
  { cause, askedAt, applications }: RefundAsked,
  now: Date,
): Promise<Outcome<RefundProposal, ProposalError>> {
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
  const lines = await linesByOrder(db, order.id);
  const claimed = await claimedByLine(db, order.id);
  return lines.map(({ id, applicationNumber, code, amountMinor }) => ({
    id,
    applicationNumber,
    code,
    amount: usd(amountMinor),
    claimed: usd(claimed.get(id) ?? 0),
  }));
}

type RefundOrder = {
  /** Chosen by the form, so that pressing twice opens one refund. */
  id?: string | undefined;
  asked: RefundAsked;
  /** Amounts that differ from the proposal, by order line, at most what is left of each; other lines as proposed. */
  amounts?: ReadonlyMap<string, Money> | undefined;
  /** Why amounts differ; required where one does. */
  note?: string | undefined;
  /**
   * Null for automatic refunds, `payer` for one that the payer asked for on the status page. `upTo`: the sum of refunds of
   * one order, those asked for by others included, above which a release is needed; null for no limit.
   */
  by: { staffId: string; upTo: Money | null } | 'payer' | null;
  /** Whether it waits for a release, whatever its sum. */
  isHeld?: boolean;
  /** Milliseconds before it is sent, where what asks for it may still be undone. */
  delayMs?: number | undefined;
};

/**
 * `not_refundable`: the payment's state does not allow it. `other_order`: the form's id is a refund of another order.
 */
export type OpenError = ProposalError | ChoiceError | { code: 'not_refundable' | 'other_order' };

/**
 * Opens a refund: writes the order's record and the payment ledger's in the caller's transaction. The money is sent
 * afterwards, or held for a manager.
 */
export async function openRefund(
  tx: Transaction,
  orderNumber: string,
  { id, asked, amounts = new Map(), note = '', by, isHeld = false, delayMs }: RefundOrder,
  at: Date,
): Promise<Outcome<RefundFound, OpenError>> {
  await lockReference(tx, orderNumber);
  const order = await orderByNumber(tx, orderNumber);
  if (!order?.paidBy) return refused({ code: 'unpaid' });
  const before = id === undefined ? null : await orderRefundById(tx, id);
  if (before) {
    return before.refund.orderId === order.id ? ok(before) : refused({ code: 'other_order' });
  }
  const proposal = await proposeRefund(tx, order, asked, at);
  if (!proposal.ok) return proposal;
  const chosen = chooseAmounts(proposal.value.lines, amounts, note);
  if (!chosen.ok) return chosen;
  const { total } = chosen.value;

  const staff = by === 'payer' ? null : by;
  const upTo = staff?.upTo ?? null;
  const hold = isHeld || (upTo !== null && (await exceedsRefundSum(tx, order, total, upTo)));
  const requested = await requestRefund(tx, {
    id,
    attemptId: order.paidBy,
    amount: total,
    reason: asked.cause,
    requestedBy: staff?.staffId ?? (by === 'payer' ? 'payer' : 'system'),
    hold,
    delayMs,
    at,
  });
  if (!requested.ok) {
    const { code } = requested.error;
    return refused(code === 'exceeds' ? { code, lineId: null } : { code });
  }
  const lines = chosen.value.lines.filter(({ amount }) => amount.minor > 0);
  const refundId = requested.value.id;
  await insertOrderRefund(
    tx,
    {
      id: refundId,
      orderId: order.id,
      applicationNumbers: [...new Set(lines.map(({ line }) => line.applicationNumber))],
      cause: asked.cause,
      askedAt: asked.askedAt,
      note: note.trim() || null,
      requestedBy: staff?.staffId ?? null,
      requestedAt: at,
    },
    lines.map(({ line, amount, proposed, reason }) => ({
      id: randomUUID(),
      refundId,
      orderLineId: line.id,
      amountMinor: amount.minor,
      proposedMinor: proposed.minor,
      reason,
    })),
  );
  const opened = await orderRefundById(tx, refundId);
  if (!opened) throw new Error('The refund was not stored');
  return ok(opened);
}

/** Whether an order's refunds together exceed a sum, so that a large refund cannot be split to avoid a release. */
export async function exceedsRefundSum(db: Queryable, order: Order, total: Money, sum: Money) {
  const others = (await refundsByOrder(db, order.id))
    // Released refunds have been checked by a manager.
    .filter(
      ({ refund, payment }) =>
        isClaiming(payment.state) && refund.requestedBy !== null && payment.releasedBy === null,
    )
    .map(({ payment }) => usd(payment.amountMinor));
  return add(total, ...others).minor > sum.minor;
}

/**
 * Marks a refund as done, in the transaction that completed it, and enqueues `order.refunded`, once. The refund of a
 * late capture belongs to no order: nothing was bought with it, so there is no receipt to correct, and the traveller
 * gets an email of its own.
 */
export async function markRefunded(
  tx: Transaction,
  { refundId, at }: { refundId: string; at: Date },
): Promise<void> {
  if (await completeOrderRefund(tx, refundId, at)) {
    await enqueue(tx, 'order.refunded', { refundId }, { key: `refunded:${refundId}` });
  } else if (!(await orderRefundById(tx, refundId))) {
    await queueEmail(tx, { kind: 'returned', about: refundId, createdAt: at });
  }
}

/** `not_failed`: there is nothing to retry. `exceeds`: other refunds have taken what was left. */
export type RetryError = { code: 'not_failed' | 'exceeds' | 'not_refundable' };

/** Opens a refund in place of a failed one, in the order's record and the payment ledger; it needs no release. */
export async function retryFailed(
  tx: Transaction,
  { refundId, by, at }: { refundId: string; by: string; at: Date },
): Promise<Outcome<RefundFound & { isNew: boolean }, RetryError>> {
  const named = await orderRefundById(tx, refundId);
  const order = named && (await orderById(tx, named.refund.orderId));
  if (!named || !order) return refused({ code: 'not_failed' });
  await lockReference(tx, order.number);
  const id = makeRetryId(refundId);
  const before = await orderRefundById(tx, id);
  if (before) return ok({ ...before, isNew: false });
  const { refund, payment } = (await orderRefundById(tx, refundId)) ?? named;
  if (payment.state !== 'failed') return refused({ code: 'not_failed' });

  const lines = await linesByRefunds(tx, [refundId]);
  const claimed = await claimedByLine(tx, order.id);
  const paid = new Map(
    (await linesByOrder(tx, order.id)).map((line) => [line.id, line.amountMinor]),
  );
  const isLeft = lines.every(
    ({ orderLineId, amountMinor }) =>
      amountMinor + (claimed.get(orderLineId) ?? 0) <= (paid.get(orderLineId) ?? 0),
  );
  if (!isLeft) return refused({ code: 'exceeds' });
  const requested = await requestRefund(tx, {
    id,
    attemptId: payment.attemptId,
    amount: usd(payment.amountMinor),
    reason: payment.reason,
    requestedBy: by,
    at,
  });
  if (!requested.ok) return refused({ code: requested.error.code });
  const { applicationNumbers, cause, askedAt, note, orderId } = refund;
  await insertOrderRefund(
    tx,
    { id, orderId, applicationNumbers, cause, askedAt, note, requestedBy: by, requestedAt: at },
    lines.map(({ orderLineId, amountMinor, proposedMinor, reason }) => {
      return { id: randomUUID(), refundId: id, orderLineId, amountMinor, proposedMinor, reason };
    }),
  );
  const opened = await orderRefundById(tx, id);
  if (!opened) throw new Error('The refund was not stored');
  return ok({ ...opened, isNew: true });
}

async function insertOrderRefund(
  tx: Transaction,
  row: typeof orderRefund.$inferInsert,
  lines: (typeof orderRefundLine.$inferInsert)[],
): Promise<void> {
  await tx.insert(orderRefund).values(row);
  await tx.insert(orderRefundLine).values(lines);
}

/** Marks a refund as done; null where it was before, or is not an order's (a late capture). */
async function completeOrderRefund(
  tx: Transaction,
  id: string,
  at: Date,
): Promise<OrderRefund | null> {
  const [row] = await tx
    .update(orderRefund)
    .set({ completedAt: at })
    .where(and(eq(orderRefund.id, id), isNull(orderRefund.completedAt)))
    .returning();
  return row ?? null;
}
