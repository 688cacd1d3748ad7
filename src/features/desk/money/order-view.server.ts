import { usd } from '~/base/money.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import {
  claimedByLine,
  linesOfRefunds,
  refundsOfOrder,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { numberOf, receiptsOfOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import { linesOf, type Order } from '~/features/order/store.server.ts';
import { refundsOf } from '~/features/payment/settlement/refund-store.server.ts';
import { retryIdOf } from '~/features/payment/settlement/begin.server.ts';
import { attemptsFor, eventsFor } from '~/features/payment/settlement/store.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { isMissed } from '~/features/application/promised.ts';
import { listedName } from '~/features/application/full-name.ts';

export type OrderView = Awaited<ReturnType<typeof describeOrder>>;
export type OrderRefundView = OrderView['refunds'][number];

/** Everything that the desk shows of one order's money. The caller records the view in the audit trail. */
export async function describeOrder(db: Queryable, order: Order, staff: Staff, now: Date) {
  const mayRelease = may(staff.role, 'release_refund');
  const [lines, claimed, applications, attempts, refunds, receipts] = await Promise.all([
    linesOf(db, order.id),
    claimedByLine(db, order.id),
    applicationsOfOrder(db, order.number),
    attemptsFor(db, order.number),
    refundsOfOrder(db, order.id),
    receiptsOfOrder(db, order.id),
  ]);
  const people = refunds.flatMap(({ refund, payment }) => [refund.requestedBy, payment.releasedBy]);
  const [names, refundLines, money, events] = await Promise.all([
    staffNames(db, [...new Set(people.filter((id) => id !== null))]),
    linesOfRefunds(
      db,
      refunds.map(({ refund }) => refund.id),
    ),
    refundsOf(
      db,
      attempts.map(({ id }) => id),
    ),
    Promise.all(attempts.map(({ id }) => eventsFor(db, id))),
  ]);
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  const ours = new Set(refunds.map(({ refund }) => refund.id));
  const paying = attempts.find(({ id }) => id === order.paidBy);
  return {
    number: order.number,
    paidAt: order.paidAt,
    closedAt: order.closedAt,
    total: usd(order.amountMinor),
    refunded: usd(paying?.refundedMinor ?? 0),
    /** Refunded or on its way, of all lines. */
    claimed: usd([...claimed.values()].reduce((sum, minor) => sum + minor, 0)),
    left: usd(paying ? paying.amountMinor - paying.claimedMinor : 0),
    applications: applications.map((one) => ({
      number: one.number,
      kind: one.kind,
      status: one.status,
      name: listedName(one),
      travellerPosition: one.travellerPosition,
      /** Applications rejected before the payment are no longer part of the order. */
      hasLeft: !lines.some(({ applicationNumber }) => applicationNumber === one.number),
      missed: isMissed(one, now),
    })),
    lines: lines.map(({ id, applicationNumber, code, amountMinor }) => ({
      id,
      applicationNumber,
      code,
      amount: usd(amountMinor),
      claimed: usd(claimed.get(id) ?? 0),
    })),
    attempts: attempts.map((attempt, index) => ({
      id: attempt.id,
      state: attempt.state,
      provider: attempt.provider,
      amount: usd(attempt.amountMinor),
      transaction: attempt.providerReference,
      reason: attempt.reason,
      createdAt: attempt.createdAt,
      events: (events[index] ?? []).map(({ id, event, receivedAt, result }) => ({
        id,
        event,
        at: receivedAt,
        result,
      })),
      // Refunds of a late capture; the order's own refunds are in a list of their own.
      refunds: money
        .filter(({ attemptId, id }) => attemptId === attempt.id && !ours.has(id))
        .map(({ id, amountMinor, state, failure }) => ({
          id,
          amount: usd(amountMinor),
          state,
          failure,
          mayRetry:
            mayRelease && state === 'failed' && !money.some((one) => one.id === retryIdOf(id)),
        })),
    })),
    refunds: refunds.map(({ refund, payment }) => ({
      id: refund.id,
      cause: refund.cause,
      state: payment.state,
      mayRetry: mayRelease && payment.state === 'failed' && !ours.has(retryIdOf(refund.id)),
      // Nobody releases their own; it can be withdrawn by who asked for it and by those who may release.
      mayRelease: mayRelease && refund.requestedBy !== staff.id,
      mayWithdraw: mayRelease || refund.requestedBy === staff.id,
      amount: usd(payment.amountMinor),
      note: refund.note,
      requestedAt: refund.requestedAt,
      requestedBy: refund.requestedBy,
      isByPayer: payment.requestedBy === 'payer',
      requestedByName: nameOf(refund.requestedBy),
      releasedAt: payment.releasedAt,
      releasedByName: nameOf(payment.releasedBy),
      decidedAt: payment.decidedAt,
      transaction: payment.providerRefundId,
      failure: payment.failure,
      lines: refundLines
        .filter(({ refundId }) => refundId === refund.id)
        .map(({ id, applicationNumber, code, amountMinor, proposedMinor, reason }) => ({
          id,
          applicationNumber,
          code,
          amount: usd(amountMinor),
          proposed: usd(proposedMinor),
          reason,
        })),
    })),
    receipts: receipts.map((receipt) => ({
      id: receipt.id,
      kind: receipt.kind,
      number: numberOf(receipt),
      issuedAt: receipt.issuedAt,
    })),
  };
}
