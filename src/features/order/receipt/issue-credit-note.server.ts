import { randomUUID } from 'node:crypto';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { queueEmail } from '~/features/email/ledger/queue.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { linesOfRefunds, orderRefundById } from '../refunds/order-refund-store.server.ts';
import { linesOf } from '../order-lines-store.server.ts';
import { orderById, type Order } from '../store.server.ts';
import { commonFacts, paymentFacts } from './issue-receipt.server.ts';
import type { ReceiptFacts, ReceiptTraveller } from './receipt-facts.ts';
import {
  creditNoteOfRefund,
  insertReceipt,
  nextSerial,
  numberOf,
  receiptsOfOrder,
} from './store.server.ts';
import type { RefundCause, RefundReason } from '../refund-cause.ts';

/**
 * Issues the credit note of a completed refund, once, and has the traveller told. Of two at the same moment the
 * database lets one through; the other finds it on its next try.
 */
export function issueCreditNote(platform: Platform, refundId: string): Promise<void> {
  return platform.db.transaction(async (tx) => {
    const found = await orderRefundById(tx, refundId);
    const at = found?.refund.completedAt;
    if (!found || !at || (await creditNoteOfRefund(tx, refundId))) return;
    const order = await orderById(tx, found.refund.orderId);
    if (!order || order.lab) return;
    const paid = await linesOf(tx, order.id);
    const amounts = new Map(paid.map(({ id, amountMinor }) => [id, amountMinor]));
    const corrected = await receiptOf(tx, order);
    const named = new Map(
      corrected.facts.lines.map(({ applicationNumber, traveller }) => [
        applicationNumber,
        traveller,
      ]),
    );
    const lines = (await linesOfRefunds(tx, [refundId])).map((line) => ({
      applicationNumber: line.applicationNumber,
      code: line.code,
      detail: line.detail,
      amountMinor: line.amountMinor,
      ...travellerOf(named.get(line.applicationNumber)),
      reason: creditReason(found.refund.cause, line.reason),
      paidMinor: amounts.get(line.orderLineId) ?? line.amountMinor,
    }));
    const facts: ReceiptFacts = {
      ...(await commonFacts(tx, platform.config, order, at)),
      ...(await paymentFacts(tx, found.payment.attemptId)),
      transaction: found.payment.providerRefundId,
      lines,
      totalMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      at: at.toISOString(),
      corrects: { number: numberOf(corrected), at: corrected.facts.at },
    };
    const year = at.getUTCFullYear();
    const serial = await nextSerial(tx, 'credit_note', year);
    const numbered = { kind: 'credit_note' as const, year, serial };
    const id = randomUUID();
    await insertReceipt(tx, { id, ...numbered, orderId: order.id, refundId, facts, issuedAt: at });
    await queueEmail(tx, { kind: 'refunded', about: refundId, createdAt: platform.now() });
  });
}

/** The receipt that the credit note corrects. */
async function receiptOf(tx: Transaction, order: Order) {
  const receipt = (await receiptsOfOrder(tx, order.id)).find(({ kind }) => kind === 'receipt');
  if (!receipt) throw new Error('A paid order has no receipt');
  return receipt;
}

const travellerOf = (traveller: ReceiptTraveller | undefined) => (traveller ? { traveller } : {});

/** The terms of a cancellation, one of which is the reason then; otherwise the refund's cause is. */
const terms = ['within_first_hours', 'still_pending', 'before_cover', 'promise_missed'] as const;

type CreditReason = RefundCause | (typeof terms)[number];

/** Why a line is refunded, as the traveller is told; texts: `receipt:reason.<code>`. */
export function creditReason(cause: RefundCause, reason: RefundReason): CreditReason {
  // Who was rejected did not cancel, although as much is refunded.
  if (cause === 'rejected_by_us') return cause;
  return terms.find((term) => term === reason) ?? cause;
}
