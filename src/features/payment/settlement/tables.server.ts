import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { beginnerRoles } from '../beginner.ts';
import { paymentStates } from '../machine.ts';
import { refundStates } from '../refund-machine.ts';

/** One try to pay one reference at one provider. No card data, ever; kept 10 years (tax law). */
export const paymentAttempt = pgTable(
  'payment_attempt',
  {
    id: uuid().primaryKey(),
    /** What is being paid: an order's number. */
    reference: text().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    provider: text().notNull(),
    /** The provider's own id of this payment, stored before the browser is sent away. */
    providerReference: text('provider_reference'),
    state: text({ enum: paymentStates }).notNull(),
    /** Whose attempt it is. What a payer's attempt carries names the payer. */
    begunBy: text('begun_by', { enum: beginnerRoles }).notNull(),
    /** Hash of the session of the browser that began it; null where it keeps none. Technical. */
    sessionHash: bytes('session_hash'),
    /** What the browser carries to the provider, sealed; emptied once the attempt is decided. */
    checkoutRedirect: bytes('checkout_redirect'),
    captureId: text('capture_id'),
    /** What has gone back. */
    refundedMinor: integer('refunded_minor').notNull().default(0),
    /** What has gone back and what is meant to: refunds in flight claim their part of the capture. */
    claimedMinor: integer('claimed_minor').notNull().default(0),
    /** Why it failed or was cancelled: the provider's code. */
    reason: text(),
    createdAt: moment('created_at').notNull(),
    changedAt: moment('changed_at').notNull(),
    /** When the sweep asks the provider, while undecided. */
    askAt: moment('ask_at'),
    completedAt: moment('completed_at'),
    /** When what is due became another amount: from then on a capture goes back, and pays nothing. */
    supersededAt: moment('superseded_at'),
  },
  (t) => [
    ...enumChecks(t),
    index('payment_attempt_reference').on(t.reference, t.createdAt),
    index('payment_attempt_newest').on(t.createdAt, t.id),
    index('payment_attempt_ask')
      .on(t.askAt)
      .where(sql`${t.askAt} is not null`),
    index('payment_attempt_given_back')
      .on(t.id, t.refundedMinor)
      .where(sql`${t.refundedMinor} > 0`),
    uniqueIndex('payment_attempt_provider_reference').on(t.provider, t.providerReference),
    // One capture is one attempt, and one completed attempt pays one order: held by the database itself.
    uniqueIndex('payment_attempt_capture').on(t.provider, t.captureId),
    uniqueIndex('payment_attempt_completed')
      .on(t.reference)
      .where(
        sql`${t.state} in ('completed', 'partially_refunded', 'refunded') and ${t.completedAt} is not null`,
      ),
    check('payment_attempt_refund', sql`${t.refundedMinor} between 0 and ${t.amountMinor}`),
    // Refunds, in flight included, never exceed the capture.
    check(
      'payment_attempt_claim',
      sql`${t.claimedMinor} between ${t.refundedMinor} and ${t.amountMinor}`,
    ),
  ],
);

/** Part or all of one capture on its way back. Kept 10 years (tax law); ids and codes, no personal data. */
export const paymentRefund = pgTable(
  'payment_refund',
  {
    /** Also the provider's idempotency key. */
    id: uuid().primaryKey(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => paymentAttempt.id),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    state: text({ enum: refundStates }).notNull(),
    providerRefundId: text('provider_refund_id'),
    /** Why, as a code of whoever asked. */
    reason: text().notNull(),
    /** A staff account's id, or `system`. */
    requestedBy: text('requested_by').notNull(),
    /** Who released, or withdrew, what was held. */
    releasedBy: text('released_by'),
    requestedAt: moment('requested_at').notNull(),
    releasedAt: moment('released_at'),
    sentAt: moment('sent_at'),
    /** Completed, failed or withdrawn. */
    decidedAt: moment('decided_at'),
    changedAt: moment('changed_at').notNull(),
    /** When the sweep looks after it, while it is on its way. */
    askAt: moment('ask_at'),
    /** Why it failed, in the provider's words. */
    failure: text(),
  },
  (t) => [
    ...enumChecks(t),
    index('payment_refund_attempt').on(t.attemptId),
    index('payment_refund_ask')
      .on(t.askAt)
      .where(sql`${t.askAt} is not null`),
    index('payment_refund_held')
      .on(t.requestedAt)
      .where(sql`${t.state} = 'held'`),
    uniqueIndex('payment_refund_provider').on(t.attemptId, t.providerRefundId),
    // Staff search for the partner's id of a refund.
    index('payment_refund_partner_id')
      .on(t.providerRefundId)
      .where(sql`${t.providerRefundId} is not null`),
    check('payment_refund_amount', sql`${t.amountMinor} > 0`),
    check(
      'payment_refund_decided',
      sql`(${t.state} in ('completed', 'failed', 'withdrawn')) = (${t.decidedAt} is not null)`,
    ),
    check(
      'payment_refund_asked',
      sql`(${t.state} in ('requested', 'sent', 'pending')) = (${t.askAt} is not null)`,
    ),
    // Nobody releases their own.
    check(
      'payment_refund_released',
      sql`${t.state} = 'withdrawn' or ${t.releasedBy} <> ${t.requestedBy}`,
    ),
  ],
);

/** Inbox: everything a provider told us, once, whatever the order and number of its deliveries. */
export const paymentEvent = pgTable(
  'payment_event',
  {
    id: uuid().primaryKey(),
    provider: text().notNull(),
    eventId: text('event_id').notNull(),
    attemptId: uuid('attempt_id').references(() => paymentAttempt.id),
    event: text().notNull(),
    payload: jsonb().notNull(),
    receivedAt: moment('received_at').notNull(),
    /** `moved`, `ignored`, `refused`, or why it changed nothing. */
    result: text().notNull(),
  },
  (t) => [
    uniqueIndex('payment_event_once').on(t.provider, t.eventId),
    index('payment_event_attempt').on(t.attemptId),
  ],
);

/** Something about money that a person must look at. */
export const paymentAlert = pgTable(
  'payment_alert',
  {
    id: uuid().primaryKey(),
    kind: text({
      enum: [
        'wrong_amount',
        'capture_reused',
        'unknown_reference',
        'paid_twice',
        // A capture of an amount that was no longer due, because the order had been changed: it goes back by itself.
        'superseded_paid',
        // Money for an order that staff had closed: nothing is done for it, so it has to go back.
        'closed_order_paid',
        'refund_failed',
        // A partner took a payment on and did not decide on it for a day.
        'pending_long',
        // Five starts in a row failed at one partner, see `outage/`.
        'partner_down',
        // Money went back that nobody here asked for: by hand, at the provider.
        'unknown_refund',
        // The daily comparison with a provider's books, see `reconcile/`.
        'books_missing_there',
        'books_missing_here',
        'books_amount',
        'books_capture_id',
        'books_refund_amount',
        'books_no_answer',
      ],
    }).notNull(),
    attemptId: uuid('attempt_id').references(() => paymentAttempt.id),
    detail: jsonb().notNull(),
    raisedAt: moment('raised_at').notNull(),
    /** What is raised once however often it is found, also after it was resolved. */
    once: text().unique(),
    resolvedAt: moment('resolved_at'),
    /** A staff account's id. */
    resolvedBy: uuid('resolved_by').references(() => staffAccount.id),
    /** What was done about it, in the words of whoever resolved it. */
    resolution: text(),
  },
  (t) => enumChecks(t),
);
