import { closeCorrection } from '~/features/application/correction/correction-store.server.ts';
import { resumeClock } from '~/features/application/pause-store.server.ts';
import type { RejectionCode } from '~/features/application/rejection.ts';
import { isFinal } from '~/features/application/status-machine.ts';
import { changeStatus, type Application } from '~/features/application/store.server.ts';
import { queueEmail } from '~/features/email/queue.server.ts';
import { cancelInsurance } from '~/features/insurance/certificate/certificate-job.server.ts';
import {
  refundsOfOrder,
  type RefundFound,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { endsCover } from '~/features/order/refund-cause.ts';
import type { Order } from '~/features/order/store.server.ts';
import { isClaiming } from '~/features/payment/refund-machine.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { dropClaim } from './claim-store.server.ts';
import { endingOf } from './refund-ends-case.ts';

/**
 * Ends what a refund takes back, in the refund's transaction: the cover of insurances, and every refunded application
 * that is still open. Others in the order continue, and decided applications stay as they are.
 */
export async function endCases(
  tx: Transaction,
  staff: Staff,
  cases: readonly Application[],
  { refund }: RefundFound,
  at: Date,
): Promise<void> {
  for (const found of cases) {
    if (!refund.applicationNumbers.includes(found.number)) continue;
    if (found.kind === 'insurance' && endsCover(refund.cause)) {
      await cancelInsurance(tx, found.id, at);
    }
    const code = endingOf(refund.cause, found.kind);
    if (code === null || isFinal(found.status)) continue;
    await rejectAlong(tx, staff, found, { code, because: { refundId: refund.id } }, at);
    await queueEmail(tx, { kind: 'rejected', about: found.id, createdAt: at });
  }
}

/**
 * Rejects an open, locked application for a code of the list because something else ends it, and ends its claim.
 * `because`: what ends it, for the audit trail.
 */
export async function rejectAlong(
  tx: Transaction,
  staff: Staff,
  found: Application,
  { code, because }: { code: RejectionCode; because: Record<string, string> },
  at: Date,
): Promise<void> {
  if (await closeCorrection(tx, found.id, at)) await resumeClock(tx, found, at);
  const rejection = { code, words: null };
  const change = { id: found.id, from: found.status, at, staffId: staff.id };
  const changed = await changeStatus(tx, { ...change, to: 'rejected', rejection });
  if (!changed) throw new Error('An application changed while it was locked');
  await dropClaim(tx, found.id);
  await audit(tx, {
    at,
    staffId: staff.id,
    action: 'rejected',
    subject: { kind: 'application', id: found.id },
    detail: { from: found.status, reason: code, ...because },
  });
}

/** Whether what an application paid for has been refunded, is being refunded, or waits for a release. */
export async function isBeingRefunded(
  db: Queryable,
  order: Order,
  found: Application,
): Promise<boolean> {
  return (await refundsOfOrder(db, order.id)).some((one) => takesBack(one, found.number));
}

/** Whether this refund is such a one. */
export const takesBack = ({ refund, payment }: RefundFound, number: string): boolean =>
  isClaiming(payment.state) &&
  endsCover(refund.cause) &&
  refund.applicationNumbers.includes(number);
