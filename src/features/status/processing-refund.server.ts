import { randomUUID } from 'node:crypto';
import { toDecimal, usd, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { fullName } from '~/features/application/full-name.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationByNumber, type Application } from '~/features/application/store.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import { orderRefundById } from '~/features/order/refunds/order-refund-store.server.ts';
import { openRefund } from '~/features/order/refunds/order-refund.server.ts';
import { proposeRefund, type RefundAsked } from '~/features/order/refunds/propose-refund.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { amountsOf } from './cancellation.ts';
import { lockCases } from './lock-case.server.ts';
import { applicationsThen } from './rejection-refund.server.ts';

/** An e-visa application of a paid order. */
type Found = { application: Application; order: Order };

async function visaOf(db: Queryable, typed: string): Promise<Found | null> {
  const read = readNumber(typed);
  const application = read.ok ? await applicationByNumber(db, read.number) : null;
  if (application?.kind !== 'visa') return null;
  const order = await orderByNumber(db, application.orderNumber);
  return order?.paidAt && !order.closedAt && !order.lab ? { application, order } : null;
}

/** What the policy refunds because the promised moment was missed, whether the application continues or was decided. */
async function dueOf(db: Queryable, { application: { number }, order }: Found, at: Date) {
  const moments = { askedAt: at, now: at };
  const applications = await applicationsThen(db, order.number, moments, [number]);
  const asked: RefundAsked = { cause: 'missed_promise', askedAt: at, applications };
  const proposed = await proposeRefund(db, order, asked, at);
  return proposed.ok ? { asked, ...proposed.value } : null;
}

/** `link`: the browser is not the payer's. `none`: nothing is due. `quote`: to be confirmed. */
export type ProcessingRefundView =
  | { kind: 'link' }
  | { kind: 'none' }
  | {
      kind: 'quote';
      /** Of this one showing of the amount. */
      id: string;
      shown: string;
      number: string;
      name: string;
      promisedAt: Date | null;
      total: Money;
    }
  | { kind: 'done'; total: Money };

/**
 * What a browser sees that wants the processing price refunded because we missed the promised moment; null for an unknown
 * number, an insurance and an unpaid order. Reads only.
 */
export async function processingRefundView(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { ref, done }: { ref: string; done: string | null },
  sessionHash: Buffer | null,
): Promise<ProcessingRefundView | null> {
  const found = await visaOf(db, ref);
  if (!found) return null;
  const { application, order } = found;
  if (!(await isPayer(db, sessionHash, order))) return { kind: 'link' };
  const asked = done !== null && isUuid(done) ? await orderRefundById(db, done) : null;
  if (asked?.refund.orderId === order.id) {
    return { kind: 'done', total: usd(asked.payment.amountMinor) };
  }
  const due = await dueOf(db, found, now());
  if (!due || due.total.minor === 0) return { kind: 'none' };
  const { number, promisedAt } = application;
  const shown = amountsOf(due.lines);
  const name = fullName(application);
  return { kind: 'quote', id: randomUUID(), shown, number, name, promisedAt, total: due.total };
}

/**
 * What of the processing price the payer's browser may have refunded because we missed the promised moment, for the
 * status page; null for any other browser, and where nothing is due.
 */
export async function quoteProcessingRefund(
  platform: Pick<Platform, 'db' | 'now'>,
  number: string,
  sessionHash: Buffer,
): Promise<Money | null> {
  const view = await processingRefundView(platform, { ref: number, done: null }, sessionHash);
  return view?.kind === 'quote' ? view.total : null;
}

/** `not_due`: nothing is due by now, or another amount than the page showed. */
export type ProcessingRefundError = { code: 'not_payer' | 'not_due' | 'not_refundable' };

/**
 * Opens the refund of the processing price for the payer, because we missed the promised moment; the application
 * continues. One transaction with the locks of staff decisions; `id` is the page's, so that a repeated press changes
 * nothing.
 */
export async function refundProcessing(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  {
    id,
    number,
    shown,
    sessionHash,
  }: { id: string; number: string; shown: string; sessionHash: Buffer | null },
): Promise<Outcome<{ id: string }, ProcessingRefundError>> {
  return db.transaction(async (tx) => {
    const known = await visaOf(tx, number);
    if (!known || !(await isPayer(tx, sessionHash, known.order))) {
      return refused({ code: 'not_payer' });
    }
    await lockCases(tx, [known.application.number]);
    const before = await orderRefundById(tx, id);
    if (before) {
      return before.refund.orderId === known.order.id ? ok({ id }) : refused({ code: 'not_due' });
    }
    const found = await visaOf(tx, number);
    const at = now();
    const due = found && (await dueOf(tx, found, at));
    if (!found || !due || due.total.minor === 0 || amountsOf(due.lines) !== shown) {
      return refused({ code: 'not_due' });
    }
    const wanted = { id, asked: due.asked, by: 'payer' } as const;
    const opened = await openRefund(tx, found.order.number, wanted, at);
    if (!opened.ok) return refused({ code: 'not_refundable' });
    await audit(tx, {
      at,
      staffId: null,
      action: 'refund_opened',
      subject: { kind: 'refund', id },
      detail: {
        orderId: found.order.id,
        cause: due.asked.cause,
        amount: toDecimal(due.total),
        state: opened.value.payment.state,
      },
    });
    return ok({ id });
  });
}
