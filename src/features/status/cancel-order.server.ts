import { toDecimal, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import {
  cancellationById,
  insertCancellation,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { openRefund } from '~/features/order/refunds/order-refund.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { amountsOf, quoteCancellation } from './cancellation.ts';
import { cancellableOf, quoteFacts } from './cancellation-facts.server.ts';
import { endCases } from './end-case.server.ts';
import { lockCases } from './lock-case.server.ts';
import { applicationsThen } from './rejection-refund.server.ts';

export type CancelWanted = {
  /** Chosen by the page that showed the amounts, so that a repeated press changes nothing. */
  id: string;
  orderNumber: string;
  /** The applications to cancel. */
  numbers: readonly string[];
  /** The amounts that the page showed, as `amountsOf` writes them. */
  shown: string;
  /** Of the browser, which must be the payer's. */
  sessionHash: Buffer | null;
};

/**
 * `not_payer`: the browser is not the payer's. `not_open`: somebody was first, or there is nothing to cancel. `changed`:
 * other amounts are refunded by now than the page showed. `not_refundable`: the payment's state does not allow it.
 * `other_order`: the id is that of another order's cancellation.
 */
export type CancelError = {
  code: 'not_payer' | 'not_open' | 'changed' | 'not_refundable' | 'other_order';
};

/**
 * Cancels applications of a paid order for its payer and opens the refund that the policy allows, in one transaction
 * with the locks of staff decisions: of two at once one wins, and the other is told. What is refunded is what was shown,
 * or nothing happens.
 */
export async function cancelOrder(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { id, orderNumber, numbers, shown, sessionHash }: CancelWanted,
): Promise<Outcome<{ id: string; total: Money | null }, CancelError>> {
  return db.transaction(async (tx) => {
    const known = await orderByNumber(tx, orderNumber);
    if (!known || !(await isPayer(tx, sessionHash, known))) return refused({ code: 'not_payer' });
    const own = (await applicationsOfOrder(tx, orderNumber)).map(({ number }) => number);
    if (numbers.length === 0 || !numbers.every((number) => own.includes(number))) {
      return refused({ code: 'not_open' });
    }
    const cases = await lockCases(tx, numbers);
    const order = (await orderByNumber(tx, orderNumber)) ?? known;
    const before = await cancellationById(tx, id);
    if (before) {
      return before.orderId === order.id
        ? ok({ id, total: null })
        : refused({ code: 'other_order' });
    }
    const at = now();
    const found = await cancellableOf(tx, order, at);
    const open = found?.applications.filter(({ why }) => why === null) ?? [];
    const isOpen = (number: string) =>
      open.some(({ application }) => application.number === number);
    if (!found || !numbers.every(isOpen)) {
      return refused({ code: 'not_open' });
    }
    const { lines, total } = quoteCancellation(await quoteFacts(tx, found, numbers), at);
    if (amountsOf(lines) !== shown) return refused({ code: 'changed' });
    if (total.minor > 0) {
      const moments = { askedAt: at, now: at };
      const applications = await applicationsThen(tx, order.number, moments, numbers);
      const asked = { cause: 'cancelled', askedAt: at, applications } as const;
      const opened = await openRefund(tx, order.number, { id, asked, by: 'payer' }, at);
      if (!opened.ok) return refused({ code: 'not_refundable' });
      if (opened.value.payment.amountMinor !== total.minor) {
        throw new Error('The refund is not what was shown');
      }
    }
    await insertCancellation(tx, {
      id,
      orderId: order.id,
      applicationNumbers: [...numbers],
      cancelledAt: at,
    });
    const because = { cancellationId: id };
    // The payer's own email says it all; a fellow traveller with an address of their own is told apart.
    const emailOf = (one: (typeof cases)[number]) =>
      reachesPayer(one, order) ? null : 'cancelled_traveller';
    await endCases(tx, cases, { cause: 'cancelled', numbers, by: null, because, emailOf }, at);
    for (const one of cases) {
      await audit(tx, {
        at,
        staffId: null,
        action: 'cancelled_by_payer',
        subject: { kind: 'application', id: one.id },
        detail: { ...because, amount: toDecimal(total) },
      });
    }
    await queueEmail(tx, { kind: 'cancelled', about: id, createdAt: at });
    return ok({ id, total });
  });
}
