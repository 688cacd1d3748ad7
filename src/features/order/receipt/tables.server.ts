import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { personal, personalTable } from '~/platform/postgres/personal-table.server.ts';
import { order, orderRefund } from '../tables.server.ts';
import type { ReceiptFacts } from './receipt-facts.ts';
import { receiptKinds } from './receipt-number.ts';

/**
 * The last number given, by kind and year. Raised in the transaction that uses it, so that a rollback leaves no gap.
 */
export const receiptCounter = pgTable(
  'receipt_counter',
  {
    kind: text({ enum: receiptKinds }).notNull(),
    year: smallint().notNull(),
    last: integer().notNull(),
  },
  (t) => [...enumChecks(t), primaryKey({ columns: [t.kind, t.year] })],
);

/**
 * Receipts, one for every paid order, and credit notes, one for every refund. Written once and never changed: the facts
 * are stored with it. Personal: the payer's name, and other travellers' names. Kept 10 years (tax law).
 */
export const orderReceipt = personalTable(
  'order_receipt',
  {
    about: 'payer',
    purpose: 'accounts and tax',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['orderId', 'orderIds']],
  },
  {
    id: uuid().primaryKey(),
    kind: personal(text({ enum: receiptKinds }).notNull()),
    year: personal(smallint().notNull()),
    serial: personal(integer().notNull()),
    orderId: uuid('order_id')
      .notNull()
      .references(() => order.id),
    /** The refund of a credit note. */
    refundId: uuid('refund_id')
      .unique()
      .references(() => orderRefund.id),
    facts: personal(jsonb().$type<ReceiptFacts>().notNull()),
    issuedAt: personal(moment('issued_at').notNull()),
  },
  (t) => [
    ...enumChecks(t),
    unique('order_receipt_number').on(t.kind, t.year, t.serial),
    uniqueIndex('order_receipt_once')
      .on(t.orderId)
      .where(sql`${t.kind} = 'receipt'`),
    index('order_receipt_of').on(t.orderId, t.issuedAt),
    check('order_receipt_refund', sql`(${t.kind} = 'credit_note') = (${t.refundId} is not null)`),
  ],
);
