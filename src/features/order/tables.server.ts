import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
  pgTable,
  unique,
} from 'drizzle-orm/pg-core';
import { paymentAttempt, paymentRefund } from '~/features/payment/tables.server.ts';
import { staffRef } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { internal, personal, personalTable } from '~/platform/postgres/personal-table.server.ts';
import type { ServiceCode } from './service-code.ts';
import { refundCauses, refundReasons, type RefundPolicy } from './refund-policy.ts';
import { type ReceiptFacts, receiptKinds } from './receipt/receipt-facts.ts';

/** What is paid together: one or more applications, any number of payment attempts. Personal: name, email. */
export const order = personalTable(
  'purchase_order',
  {
    about: 'payer',
    purpose: 'to take a payment and to give it back; accounts and tax',
    kept: ['ledger'],
    erasure: 'emptied',
    rows: [['id', 'orderIds']],
  },
  {
    id: uuid().primaryKey(),
    number: personal(text().notNull().unique()),
    amountMinor: personal(integer('amount_minor').notNull()),
    currency: personal(text().notNull()),
    language: personal(text().notNull()),
    customerName: personal(text('customer_name').notNull()),
    customerEmail: personal(text('customer_email').notNull()),
    /** Raised with every change of the address; links in emails to an earlier one stop working. */
    emailVersion: internal(integer('email_version').notNull().default(0)),
    /** Session hash of the browser that made it, which is the payer's. Further ones: `order_payer_device`. */
    sessionHash: bytes('session_hash'),
    createdAt: personal(moment('created_at').notNull()),
    paidAt: personal(moment('paid_at')),
    /** The one payment attempt whose capture paid this order. */
    paidBy: uuid('paid_by')
      .unique()
      .references(() => paymentAttempt.id),
    /** Failed starts since the last successful one (0 to 3). */
    failedStarts: internal(smallint('failed_starts').notNull().default(0)),
    /** Closed before payment, because all its applications were rejected: it can no longer be paid. */
    closedAt: personal(moment('closed_at')),
    /** When its payer was reminded to pay; once at most. */
    remindedAt: personal(moment('reminded_at')),
    /** A lab order does not appear in queue and statistics. */
    lab: internal(boolean().notNull().default(false)),
    /** The refund policy when the order was placed. */
    refundPolicy: personal(jsonb('refund_policy').$type<RefundPolicy>().notNull()),
  },
  (t) => [
    index('order_session').on(t.sessionHash),
    index('order_payer_email').on(sql`lower(${t.customerEmail})`),
    // Covers the statement that sums revenue.
    index('order_paid_at')
      .on(t.paidAt, t.amountMinor, t.paidBy)
      .where(sql`${t.paidAt} is not null and not ${t.lab}`),
    index('order_unpaid')
      .on(t.createdAt)
      .where(
        sql`${t.paidAt} is null and ${t.closedAt} is null and ${t.remindedAt} is null and not ${t.lab}`,
      ),
    check('order_amount', sql`${t.amountMinor} > 0`),
    check('order_paid', sql`(${t.paidAt} is null) = (${t.paidBy} is null)`),
  ],
);

/**
 * A further browser of an order's payer, which opened the link in an email. Technical: the hash of a session. Kept a
 * year.
 */
export const orderPayerDevice = personalTable(
  'order_payer_device',
  {
    about: 'payer',
    purpose: 'to show an order to the browser of its payer',
    kept: ['payerDevice'],
    rows: [['orderId', 'orderIds']],
  },
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => order.id),
    sessionHash: bytes('session_hash').notNull(),
    createdAt: personal(moment('created_at').notNull()),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.sessionHash] }),
    index('order_payer_device_created').on(t.createdAt),
  ],
);

/** One line of the price, as quoted. */
export const orderLine = personalTable(
  'order_line',
  {
    about: 'payer',
    purpose: 'accounts and tax',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [
      ['orderId', 'orderIds'],
      ['applicationNumber', 'numbers'],
    ],
  },
  {
    id: uuid().primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => order.id),
    position: personal(smallint().notNull()),
    applicationNumber: personal(text('application_number').notNull()),
    /** `evisa_fee`, `processing_fee`, …; the detail says for what (`standard`). */
    code: personal(text().notNull()),
    detail: personal(text().$type<ServiceCode>()),
    amountMinor: personal(integer('amount_minor').notNull()),
  },
  (t) => [
    index('order_line_of').on(t.orderId),
    index('order_line_application').on(t.applicationNumber),
  ],
);

/** The refund of an order and its cause; the state of the money is in `payment_refund`. Kept 10 years (tax law). */
export const orderRefund = personalTable(
  'order_refund',
  {
    about: 'payer',
    purpose: 'to take a payment and to give it back; accounts and tax',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['orderId', 'orderIds']],
  },
  {
    /** The same id as the refund in the payment ledger. */
    id: uuid()
      .primaryKey()
      .references(() => paymentRefund.id),
    orderId: uuid('order_id')
      .notNull()
      .references(() => order.id),
    /** The applications whose lines are refunded, in the order's order. */
    applicationNumbers: personal(text('application_numbers').array().notNull()),
    cause: personal(text({ enum: refundCauses }).notNull()),
    /** When the traveller's request arrived: the policy's periods end here. */
    askedAt: personal(moment('asked_at').notNull()),
    /** Why staff chose other amounts than proposed; null where they did not. */
    note: personal(text()),
    /** Staff account; null for automatic refunds. */
    requestedBy: staffRef('requested_by'),
    requestedAt: personal(moment('requested_at').notNull()),
    /** Set in the transaction that completes it and enqueues `order.refunded`. */
    completedAt: personal(moment('completed_at')),
  },
  (t) => [...enumChecks(t), index('order_refund_of').on(t.orderId, t.requestedAt)],
);

/**
 * A cancellation by the payer on the status page, whether it refunds something or not. Kept 10 years with the order (tax
 * law).
 */
export const orderCancellation = personalTable(
  'order_cancellation',
  {
    about: 'payer',
    purpose: 'to take a payment and to give it back',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['orderId', 'orderIds']],
  },
  {
    /** Chosen by the page, so that a repeated press changes nothing; the id of its refund, where there is one. */
    id: uuid().primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => order.id),
    /** The applications that were cancelled. */
    applicationNumbers: personal(text('application_numbers').array().notNull()),
    cancelledAt: personal(moment('cancelled_at').notNull()),
  },
  (t) => [index('order_cancellation_of').on(t.orderId)],
);

/** What is refunded of one line of the price. */
export const orderRefundLine = personalTable(
  'order_refund_line',
  {
    about: 'payer',
    purpose: 'accounts and tax',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['refundId', 'refundIds']],
  },
  {
    id: uuid().primaryKey(),
    refundId: uuid('refund_id')
      .notNull()
      .references(() => orderRefund.id),
    orderLineId: uuid('order_line_id')
      .notNull()
      .references(() => orderLine.id),
    amountMinor: personal(integer('amount_minor').notNull()),
    /** What the policy proposed. */
    proposedMinor: personal(integer('proposed_minor').notNull()),
    /** Texts: `refund:reason.<code>`. */
    reason: personal(text({ enum: refundReasons }).notNull()),
  },
  (t) => [
    ...enumChecks(t),
    uniqueIndex('order_refund_line_once').on(t.refundId, t.orderLineId),
    index('order_refund_line_of').on(t.orderLineId),
    check('order_refund_line_amount', sql`${t.amountMinor} > 0 and ${t.proposedMinor} >= 0`),
  ],
);

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
