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
import { bytes, moment } from '~/platform/columns.server.ts';
import { paymentStates } from './machine.ts';

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
    /** What the browser carries to the provider, sealed; emptied once the attempt is decided. */
    handover: bytes(),
    captureId: text('capture_id'),
    refundedMinor: integer('refunded_minor').notNull().default(0),
    /** Why it failed or was cancelled: the provider's code. */
    reason: text(),
    createdAt: moment('created_at').notNull(),
    changedAt: moment('changed_at').notNull(),
    /** When the sweep asks the provider, while undecided. */
    askAt: moment('ask_at'),
    completedAt: moment('completed_at'),
  },
  (t) => [
    index('payment_attempt_reference').on(t.reference, t.createdAt),
    index('payment_attempt_ask')
      .on(t.askAt)
      .where(sql`${t.askAt} is not null`),
    uniqueIndex('payment_attempt_provider_reference').on(t.provider, t.providerReference),
    // One capture is one attempt, and one completed attempt pays one order: held by the database itself.
    uniqueIndex('payment_attempt_capture').on(t.provider, t.captureId),
    uniqueIndex('payment_attempt_completed')
      .on(t.reference)
      .where(
        sql`${t.state} in ('completed', 'partially_refunded', 'refunded') and ${t.completedAt} is not null`,
      ),
    check('payment_attempt_refund', sql`${t.refundedMinor} between 0 and ${t.amountMinor}`),
  ],
);

/** Inbox: everything a provider told us, once, whatever the order and number of its deliveries. */
export const paymentEvent = pgTable(
  'payment_event',
  {
    id: uuid().primaryKey(),
    provider: text().notNull(),
    eventId: text('event_id').notNull(),
    attemptId: uuid('attempt_id'),
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
export const paymentAlert = pgTable('payment_alert', {
  id: uuid().primaryKey(),
  kind: text({
    enum: ['wrong_amount', 'capture_reused', 'unknown_reference', 'paid_twice', 'refund_failed'],
  }).notNull(),
  attemptId: uuid('attempt_id'),
  detail: jsonb().notNull(),
  raisedAt: moment('raised_at').notNull(),
  resolvedAt: moment('resolved_at'),
});
