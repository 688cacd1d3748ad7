import { DAY_MS } from '~/base/dates/dates.ts';
import { and, asc, desc, eq, gt, isNull, lte, ne, not, notExists, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { awaitedSql } from '~/features/payment/settlement/store.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import { isEmailStored, isStored, queueEmail } from '~/features/email/ledger/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Order } from '../store.server.ts';
import { order } from '../tables.server.ts';

const HOUR_MS = 3600_000;
/** Age of an unpaid order, in milliseconds, at which its payer gets the email about it. Most have paid by then. */
export const TELL_AFTER_MS = 30 * 60_000;
/** Older orders wait for the reminder, so that the job that looks each minute reads few. */
const MAX_UNTOLD_AGE_MS = 2 * HOUR_MS;
/** The most orders that one run writes about; the next run goes on. */
const TELL_MAX = 1000;
/** Age of an unpaid order, in milliseconds, at which its payer is reminded once. */
const AFTER_MS = DAY_MS;
/** Older orders get no reminder. */
const MAX_REMINDED_AGE_MS = 3 * DAY_MS;

/** Orders that one reminder names beside its own. */
const MAX_NAMED = 20;

const another = alias(order, 'another');

/** An address without case and without what is after a `+`: see `consumeUnpaidLimit`. */
const mailbox = (address: PgColumn | string) =>
  sql<string>`regexp_replace(lower(${address}), '[+][^@]*@', '@')`;

/** No payment of the order is being confirmed; one that comes to nothing lets the reminder go later. */
const nothingAwaited = (db: Queryable) =>
  notExists(
    db
      .select({ id: paymentAttempt.id })
      .from(paymentAttempt)
      .where(and(eq(paymentAttempt.reference, order.number), awaitedSql)),
  );

/**
 * Tells the payers of orders that were placed half an hour ago, and may be paid, of the way to their payment: each order
 * once. For a recurring job.
 */
export async function queueUnpaidEmails({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  const before = (milliseconds: number) => new Date(at.getTime() - milliseconds);
  await db.transaction(async (tx) => {
    const untold = await tx
      .select({ number: order.number })
      .from(order)
      .where(
        and(
          isUnreminded(tx),
          lte(order.createdAt, before(TELL_AFTER_MS)),
          gt(order.createdAt, before(MAX_UNTOLD_AGE_MS)),
          not(isStored(tx, 'unpaid', order.number)),
        ),
      )
      .orderBy(asc(order.createdAt))
      .limit(TELL_MAX);
    for (const { number } of untold) {
      await queueEmail(tx, { kind: 'unpaid', about: number, createdAt: at });
    }
  });
}

/** Orders that may still be paid and whose payer nobody has reminded. */
const isUnreminded = (db: Queryable) =>
  and(
    isNull(order.paidAt),
    isNull(order.closedAt),
    isNull(order.remindedAt),
    eq(order.lab, false),
    nothingAwaited(db),
  );

/**
 * Tells the payer of an unpaid order at once: again where they were told, or where it is too old for `queueUnpaidEmails`,
 * which tells of a newer one.
 */
export async function tellUnpaid(
  tx: Transaction,
  { number, createdAt }: Pick<Order, 'number' | 'createdAt'>,
  at: Date,
): Promise<void> {
  const occasion = { kind: 'unpaid', about: number } as const;
  const isRepeat = await isEmailStored(tx, occasion);
  if (isRepeat || at.getTime() - createdAt.getTime() >= MAX_UNTOLD_AGE_MS)
    await queueEmail(tx, { ...occasion, createdAt: at, isRepeat });
}

/**
 * Reminds the payers of orders that were placed a day ago and may be paid: each order once, and each address once a day,
 * by one email about the newest order that names the others. For a recurring job.
 */
export async function remindUnpaid({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  const before = (milliseconds: number) => new Date(at.getTime() - milliseconds);
  await db.transaction(async (tx) => {
    const remindedToday = tx
      .select({ one: sql`1` })
      .from(another)
      .where(
        and(
          eq(mailbox(another.customerEmail), mailbox(order.customerEmail)),
          gt(another.remindedAt, before(DAY_MS)),
        ),
      );
    const reminded = await tx
      .update(order)
      .set({ remindedAt: at })
      .where(
        and(
          isUnreminded(tx),
          lte(order.createdAt, before(AFTER_MS)),
          gt(order.createdAt, before(MAX_REMINDED_AGE_MS)),
          notExists(remindedToday),
        ),
      )
      .returning({
        number: order.number,
        createdAt: order.createdAt,
        recipient: mailbox(order.customerEmail),
      });
    const newest = new Map(
      reminded
        .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
        .map(({ recipient, number }) => [recipient, number]),
    );
    for (const number of newest.values()) {
      await queueEmail(tx, { kind: 'unpaid_reminder', about: number, createdAt: at });
    }
  });
}

/** The other orders that the reminder about an order is about, and that are still unpaid; newest first, 20 at most. */
export const otherRemindedOrders = (
  db: Queryable,
  { id, customerEmail, remindedAt }: Pick<Order, 'id' | 'customerEmail' | 'remindedAt'>,
): Promise<{ number: string; amountMinor: number }[]> =>
  remindedAt === null
    ? Promise.resolve([])
    : db
        .select({ number: order.number, amountMinor: order.amountMinor })
        .from(order)
        .where(
          and(
            eq(mailbox(order.customerEmail), mailbox(customerEmail)),
            eq(order.remindedAt, remindedAt),
            ne(order.id, id),
            isNull(order.paidAt),
            isNull(order.closedAt),
            nothingAwaited(db),
          ),
        )
        .orderBy(desc(order.createdAt))
        .limit(MAX_NAMED);
