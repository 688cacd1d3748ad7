import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNotNull, isNull, lt, not, notExists, or, sql } from 'drizzle-orm';
import { DAY_MS } from '~/base/dates/dates.ts';
import { toDecimal, usd } from '~/base/money.ts';
import { isMissed } from '~/features/application/promised.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { isStored, queueEmail } from '~/features/email/ledger/store.server.ts';
import {
  isAnyLeft,
  orderRefundById,
  type RefundFound,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { openRefund } from '~/features/order/refunds/order-refund.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { order, orderRefund } from '~/features/order/tables.server.ts';
import { makeRefundId } from '~/features/payment/settlement/begin.server.ts';
import { isDisputed, isRaised, raiseAlert } from '~/features/payment/settlement/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { lockCases } from './end-case.server.ts';
import { pastApplications } from './rejection-refund.server.ts';

/** Milliseconds after which a decision that was made in time is stored. */
const MIN_LATENESS_MS = 60_000;
/** Moments missed longer ago are left to staff, so that a run reads no history; no outage lasts so long. */
const MAX_LATENESS_MS = 30 * DAY_MS;

/**
 * Refunds the processing price of every e-visa whose promised moment was missed, and tells it, once each; an insurance
 * has no such price, so its traveller is told alone. Each application has a transaction of its own: what a kill
 * interrupts, and what one failure leaves, the next run does. For a recurring job.
 * @throws AggregateError after the others, where one could not be refunded.
 */
export async function refundMissedPromises({
  db,
  now,
}: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  const failures: unknown[] = [];
  for (const number of await missedPromises(db, at)) {
    try {
      await db.transaction((tx) => refundMissedPromise(tx, number, at));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Missed promises remain unrefunded');
}

/**
 * Numbers of applications whose promised moment was missed, as `isMissed` says, where there is still something to refund
 * or to tell.
 */
async function missedPromises(db: Queryable, at: Date): Promise<string[]> {
  const { promisedAt, decidedAt, pausedAt, undeliveredSince } = application;
  const automaticRefund = db
    .select({ id: orderRefund.id })
    .from(orderRefund)
    .where(
      and(
        eq(orderRefund.orderId, order.id),
        eq(orderRefund.cause, 'missed_promise'),
        isNull(orderRefund.requestedBy),
        sql`${application.number} = any(${orderRefund.applicationNumbers})`,
      ),
    );
  const latest = new Date(at.getTime() - MIN_LATENESS_MS);
  const ended = sql`case when ${undeliveredSince} is null then coalesce(${decidedAt}, ${pausedAt}) end`;
  const rows = await db
    .select({ number: application.number })
    .from(application)
    .innerJoin(order, eq(order.number, application.orderNumber))
    .where(
      and(
        isNotNull(application.paidAt),
        gt(promisedAt, new Date(at.getTime() - MAX_LATENESS_MS)),
        lt(promisedAt, latest),
        sql`coalesce(${ended}, ${latest.toISOString()}::timestamptz) > ${promisedAt}`,
        isNull(order.closedAt),
        eq(order.lab, false),
        or(
          isAnyLeft(db, 'processing_fee', application.number),
          and(isNull(decidedAt), not(isStored(db, 'late', application.id))),
        ),
        notExists(automaticRefund),
        not(isRaised(db, sql`${STUCK_ALERT} || ${application.id}`)),
      ),
    )
    .orderBy(promisedAt);
  return rows.map(({ number }) => number);
}

/** Before an application's id: the key of the alert that its refund cannot be opened. Then staff do it, and no run again. */
const STUCK_ALERT = 'missed_promise:';

/**
 * Does so for one application, under the locks of a decision and of a cancellation. Nothing where one of them was first,
 * and nothing twice: the refund's id follows from the application's.
 */
async function refundMissedPromise(tx: Transaction, number: string, at: Date): Promise<void> {
  const [found] = await lockCases(tx, [number]);
  if (!found || !isMissed(found, new Date(at.getTime() - MIN_LATENESS_MS))) return;
  const id = makeRefundId(`missed_promise:${found.id}`);
  if (await orderRefundById(tx, id)) return;
  const placed = await orderByNumber(tx, found.orderNumber);
  if (!placed) throw new Error('An application without an order');
  const refund =
    found.kind === 'visa' ? await openOne(tx, found, { id, paidBy: placed.paidBy }, at) : null;
  // A letter to the payer says what goes back; a held refund may still be withdrawn.
  const saysRefund = refund && refund.payment.state !== 'held' && reachesPayer(found, placed);
  if (saysRefund) await queueEmail(tx, { kind: 'late', about: id, createdAt: at });
  else if (!found.decidedAt) await queueEmail(tx, { kind: 'late', about: found.id, createdAt: at });
}

/**
 * Opens the refund; null where nothing is left of the processing price, or the payment cannot be refunded, which raises an
 * alert. It waits for a manager while the payer's bank asks for the money back, as it would otherwise go back twice.
 */
async function openOne(
  tx: Transaction,
  { id: applicationId, number, orderNumber }: Application,
  { id, paidBy }: { id: string; paidBy: string | null },
  at: Date,
): Promise<RefundFound | null> {
  const moments = { askedAt: at, now: at };
  const applications = await pastApplications(tx, orderNumber, moments, [number]);
  const asked = { cause: 'missed_promise', askedAt: at, applications } as const;
  const isHeld = paidBy !== null && (await isDisputed(tx, paidBy));
  const opened = await openRefund(tx, orderNumber, { id, asked, by: null, isHeld }, at);
  if (!opened.ok) {
    const { code } = opened.error;
    if (code !== 'nothing') {
      await raiseAlert(tx, {
        id: randomUUID(),
        kind: 'refund_failed',
        attemptId: paidBy,
        detail: { message: code },
        raisedAt: at,
        once: `${STUCK_ALERT}${applicationId}`,
      });
    }
    return null;
  }
  const { refund, payment } = opened.value;
  await audit(tx, {
    at,
    staffId: null,
    action: 'refund_opened',
    subject: { kind: 'refund', id },
    detail: {
      orderId: refund.orderId,
      cause: refund.cause,
      amount: toDecimal(usd(payment.amountMinor)),
      state: payment.state,
    },
  });
  return opened.value;
}
