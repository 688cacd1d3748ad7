import { add, usd, type Money } from '~/base/money.ts';
import type { Application } from '~/features/application/store.server.ts';
import {
  linesOfRefunds,
  refundsOfOrder,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { eventsOfAttempts } from '~/features/payment/settlement/store.server.ts';
import { auditEntriesWith } from '~/features/staff/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { CaseBase } from '../records/case-base.server.ts';
import { endsByRefund } from '~/features/cancellation/end-case.server.ts';

/** Actions that only the audit trail records. */
const timelineActions = [
  'claim_taken_over',
  'case_assigned',
  'correction_checked',
  'numbers_revealed',
  'duplicate_dismissed',
  'cancelled_by_payer',
  'decision_undone',
] as const;

/** What a timeline contains beside events, notes and emails; staff as ids. */
export async function timelineParts(
  db: Queryable,
  { id, number }: Application,
  { order, attempts, claim }: CaseBase,
) {
  const [auditEntries, found, messages] = await Promise.all([
    auditEntriesWith(db, { kind: 'application', id }, timelineActions),
    order ? refundsOfOrder(db, order.id) : [],
    eventsOfAttempts(
      db,
      attempts.map((attempt) => attempt.id),
    ),
  ]);
  const lines = await linesOfRefunds(
    db,
    found.map(({ refund }) => refund.id),
  );
  /** How much of a refund is for this application; null where none is. */
  const shareOf = (refundId: string): Money | null => {
    const own = lines.filter(
      (line) => line.refundId === refundId && line.applicationNumber === number,
    );
    return own.length === 0 ? null : add(...own.map(({ amountMinor }) => usd(amountMinor)));
  };
  return {
    attemptEvents: Object.fromEntries(
      attempts.map((attempt) => [
        attempt.id,
        messages
          .filter(({ attemptId }) => attemptId === attempt.id)
          .map(({ id, event, receivedAt, result }) => ({ id, event, at: receivedAt, result })),
      ]),
    ),
    isBeingRefunded: found.some((one) => endsByRefund(one, number)),
    refunds: found.flatMap(({ refund, payment }) => {
      const amount = shareOf(refund.id);
      if (!amount) return [];
      const { id: key, requestedAt, requestedBy } = refund;
      const { state, decidedAt, releasedAt, releasedBy } = payment;
      return {
        id: key,
        amount,
        state,
        requestedAt,
        requestedBy,
        releasedAt,
        releasedBy,
        decidedAt,
      };
    }),
    auditEntries: auditEntries.flatMap(({ id: key, action: written, at, staffId }) => {
      const action = timelineActions.find((one) => one === written);
      return action ? [{ id: key, action, at, staffId }] : [];
    }),
    claim: claim ? { at: claim.claimedAt, staffId: claim.staffId } : null,
  };
}
