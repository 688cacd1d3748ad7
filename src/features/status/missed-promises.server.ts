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
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
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
 * has no such price, so its traveller is told alone. Each order has a transaction of its own: what a kill interrupts,
 * and what one failure leaves, the next run does. For a recurring job.
 * @throws AggregateError after the others, where one could not be refunded.
 */
export async function refundMissedPromises({
  db,
  now,
}: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  const failures: unknown[] = [];
  const missed = Map.groupBy(await missedPromises(db, at), ({ orderNumber }) => orderNumber);
  for (const late of missed.values()) {
    const numbers = late.map(({ number }) => number);
    try {
      await db.transaction((tx) => refundOrder(tx, numbers, at));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Missed promises remain unrefunded');
}

/**
 * Applications whose promised moment was missed, as `isMissed` says, where there is still something to refund or to
 * tell.
 */
async function missedPromises(db: Queryable, at: Date) {
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
  return db
    .select({ number: application.number, orderNumber: order.number })
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
          and(
            isAnyLeft(db, 'processing_fee', application.number),
            not(isRaised(db, sql`${STUCK_ALERT} || ${order.number}`)),
          ),
          and(isNull(decidedAt), not(isStored(db, 'late', application.id))),
        ),
        notExists(automaticRefund),
      ),
    )
    .orderBy(promisedAt);
}

/** Before an order's number: the key of the alert that its refund cannot be opened. Then staff do it, and no run again. */
const STUCK_ALERT = 'missed_promise:';

/**
 * Does so for the applications of one order, under the locks of a decision and of a cancellation. Nothing where one of
 * them was first, and nothing twice: a refund's id follows from an application's.
 */
async function refundOrder(tx: Transaction, numbers: readonly string[], at: Date): Promise<void> {
  const latest = new Date(at.getTime() - MIN_LATENESS_MS);
  const found = (await lockCases(tx, numbers)).filter((one) => isMissed(one, latest));
  const [first] = found;
  if (!first) return;
  const placed = await orderByNumber(tx, first.orderNumber);
  if (!placed) throw new Error('An application without an order');
  // The payer of a family gets one refund and one email for what was promised for one moment.
  const together = Map.groupBy(found, (one) =>
    one.kind === 'visa' && reachesPayer(one, placed) ? one.promisedAt?.getTime() : one.id,
  );
  for (const late of together.values()) await refundTogether(tx, late, placed, at);
}

async function refundTogether(
  tx: Transaction,
  late: readonly Application[],
  placed: Order,
  at: Date,
): Promise<void> {
  const [first] = late;
  if (!first) return;
  const id = makeRefundId(`missed_promise:${first.id}`);
  if (await orderRefundById(tx, id)) return;
  const opened = first.kind === 'visa' ? await openLateRefund(tx, late, { id, placed }, at) : null;
  // The email to the payer says what goes back; a held refund may still be withdrawn.
  const said = opened?.payment.state !== 'held' && reachesPayer(first, placed) ? opened : null;
  if (said) await queueEmail(tx, { kind: 'late', about: id, createdAt: at });
  for (const { id: about, number, decidedAt } of late) {
    if (decidedAt || said?.refund.applicationNumbers.includes(number)) continue;
    await queueEmail(tx, { kind: 'late', about, createdAt: at });
  }
}

/**
 * Opens the refund; null where nothing is left of the processing prices, or the payment cannot be refunded, which raises
 * an alert. It waits for a manager while the payer's bank asks for the money back, as it would otherwise go back twice.
 */
async function openLateRefund(
  tx: Transaction,
  late: readonly Application[],
  { id, placed: { number, paidBy } }: { id: string; placed: Order },
  at: Date,
): Promise<RefundFound | null> {
  const moments = { askedAt: at, now: at };
  const numbers = late.map((one) => one.number);
  const applications = await pastApplications(tx, number, moments, numbers);
  const asked = { cause: 'missed_promise', askedAt: at, applications } as const;
  const isHeld = paidBy !== null && (await isDisputed(tx, paidBy));
  const opened = await openRefund(tx, number, { id, asked, by: null, isHeld }, at);
  if (!opened.ok) {
    const { code } = opened.error;
    if (code !== 'nothing') {
      await raiseAlert(tx, {
        id: randomUUID(),
        kind: 'refund_failed',
        attemptId: paidBy,
        detail: { message: code },
        raisedAt: at,
        once: `${STUCK_ALERT}${number}`,
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
