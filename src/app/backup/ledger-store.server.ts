import { asc, count, sql, type SQL } from 'drizzle-orm';
import { order } from '~/features/order/tables.server.ts';
import { paymentAttempt, paymentRefund } from '~/features/payment/settlement/tables.server.ts';
import type { LedgerLine } from '~/platform/backup/manifest.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';

/**
 * What the books come to, in minor units: payment attempts and what went back of them, and refunds, by currency and
 * state; orders by currency, paid or not.
 */
export async function ledgerTotals(db: Database): Promise<LedgerLine[]> {
  const name = (what: string, { currency, state }: { currency: string; state: string }) =>
    `${what} ${currency} ${state}`;
  const attempts = await db
    .select({
      currency: paymentAttempt.currency,
      state: paymentAttempt.state,
      count: count(),
      minor: sumOf(sql`${paymentAttempt.amountMinor}`),
      refunded: sumOf(sql`${paymentAttempt.refundedMinor}`),
    })
    .from(paymentAttempt)
    .groupBy(paymentAttempt.currency, paymentAttempt.state)
    .orderBy(asc(paymentAttempt.currency), asc(paymentAttempt.state));
  const refunds = await db
    .select({
      currency: paymentRefund.currency,
      state: paymentRefund.state,
      count: count(),
      minor: sumOf(sql`${paymentRefund.amountMinor}`),
    })
    .from(paymentRefund)
    .groupBy(paymentRefund.currency, paymentRefund.state)
    .orderBy(asc(paymentRefund.currency), asc(paymentRefund.state));
  const isPaid = sql<string>`case when ${order.paidAt} is null then 'unpaid' else 'paid' end`;
  const orders = await db
    .select({
      currency: order.currency,
      state: isPaid,
      count: count(),
      minor: sumOf(sql`${order.amountMinor}`),
    })
    .from(order)
    .groupBy(order.currency, isPaid)
    .orderBy(asc(order.currency), isPaid);
  return [
    ...attempts.flatMap(({ refunded, ...row }) => [
      { name: name('payments', row), count: row.count, minor: row.minor },
      { name: name('of these given back', row), count: row.count, minor: refunded },
    ]),
    ...refunds.map((row) => ({ name: name('refunds', row), count: row.count, minor: row.minor })),
    ...orders.map((row) => ({ name: name('orders', row), count: row.count, minor: row.minor })),
  ];
}

const sumOf = (column: SQL) => sql<string>`sum(${column})::text`;
