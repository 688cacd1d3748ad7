import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from '~/platform/columns.server.ts';

/** What is paid together: one or more applications, any number of payment attempts. Personal: name, e-mail. */
export const order = pgTable(
  'purchase_order',
  {
    id: uuid().primaryKey(),
    number: text().notNull().unique(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    language: text().notNull(),
    customerName: text('customer_name').notNull(),
    customerEmail: text('customer_email').notNull(),
    /** Hash of the browser's session cookie, so that a payment call without a reference finds its order. */
    sessionHash: bytes('session_hash'),
    createdAt: moment('created_at').notNull(),
    paidAt: moment('paid_at'),
    /** The one payment attempt whose capture paid this order. */
    paidBy: uuid('paid_by').unique(),
    /** Payments that could not be started since the last one that could (0 to 3). */
    failedStarts: smallint('failed_starts').notNull().default(0),
    /** Closed before it was paid, because an application in it was rejected: nothing more can be paid. */
    closedAt: moment('closed_at'),
    /** A lab order stands outside queue and statistics. */
    lab: boolean().notNull().default(false),
  },
  (t) => [
    index('order_session').on(t.sessionHash),
    check('order_amount', sql`${t.amountMinor} > 0`),
    check('order_paid', sql`(${t.paidAt} is null) = (${t.paidBy} is null)`),
  ],
);

/** One line of the price, as quoted: an order keeps the price it was quoted. */
export const orderLine = pgTable(
  'order_line',
  {
    id: uuid().primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => order.id),
    position: smallint().notNull(),
    applicationNumber: text('application_number').notNull(),
    /** `evisa_fee`, `processing_fee`, … with what it is for (`standard`). */
    code: text().notNull(),
    detail: text(),
    amountMinor: integer('amount_minor').notNull(),
  },
  (t) => [
    index('order_line_of').on(t.orderId),
    index('order_line_application').on(t.applicationNumber),
  ],
);
