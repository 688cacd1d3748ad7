import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { deliveryManners, faultCalls, faultKinds } from './scenarios.ts';

/** The simulated Stripe's own data, which Lale reaches over HTTP only. A session has one payment at most. */
export const stripeSession = pgTable(
  'lab_stripe_session',
  {
    id: text().primaryKey(),
    clientReferenceId: text('client_reference_id'),
    orderMark: text('order_mark'),
    name: text().notNull(),
    /** In cents. */
    amount: integer().notNull(),
    currency: text().notNull(),
    successUrl: text('success_url').notNull(),
    cancelUrl: text('cancel_url'),
    /** An open one is expired from `expiresAt` on. */
    status: text({ enum: ['open', 'complete', 'expired'] }).notNull(),
    expiresAt: moment('expires_at').notNull(),
    payment: text({ enum: ['none', 'processing', 'succeeded', 'failed'] })
      .notNull()
      .default('none'),
    /** Set with the payment. */
    intentId: text('intent_id'),
    chargeId: text('charge_id'),
    /** What was captured, in cents. */
    captured: integer(),
    paidAt: moment('paid_at'),
    deliveries: text({ enum: deliveryManners }).notNull().default('once'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    ...enumChecks(t),
    index('lab_stripe_session_charge').on(t.chargeId),
    index('lab_stripe_session_client').on(t.clientReferenceId),
  ],
);

export const stripeRefund = pgTable(
  'lab_stripe_refund',
  {
    id: text().primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => stripeSession.id),
    refundMark: text('refund_mark'),
    /** In cents. */
    amount: integer().notNull(),
    status: text({ enum: ['pending', 'succeeded', 'failed'] }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [...enumChecks(t), index('lab_stripe_refund_session').on(t.sessionId)],
);

export const stripeDispute = pgTable(
  'lab_stripe_dispute',
  {
    id: text().primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => stripeSession.id),
    status: text({ enum: ['needs_response', 'under_review', 'won', 'lost'] }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [...enumChecks(t), index('lab_stripe_dispute_session').on(t.sessionId)],
);

/** The response to an idempotency key, for repetitions. */
export const stripeRequest = pgTable('lab_stripe_request', {
  key: text().primaryKey(),
  /** What was asked: the same key with something else is refused. */
  asked: text().notNull(),
  status: integer().notNull(),
  body: jsonb().notNull(),
});

/** Webhooks, with the exact text that is signed. */
export const stripeEvent = pgTable(
  'lab_stripe_event',
  {
    id: text().primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => stripeSession.id),
    type: text().notNull(),
    body: text().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('lab_stripe_event_session').on(t.sessionId)],
);

/** Faults planned for the next matching call, once each. */
export const stripeFault = pgTable(
  'lab_stripe_fault',
  {
    id: uuid().primaryKey(),
    call: text({ enum: faultCalls }).notNull(),
    kind: text({ enum: faultKinds }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => enumChecks(t),
);
