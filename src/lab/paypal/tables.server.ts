import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { captureOutcomes, deliveryManners, faultCalls, faultKinds } from './scenarios.ts';

/** The simulated PayPal's own data, which Lale reaches over HTTP only. */
export const paypalOrder = pgTable(
  'lab_paypal_order',
  {
    id: text().primaryKey(),
    referenceId: text('reference_id').notNull(),
    customId: text('custom_id'),
    description: text(),
    value: text().notNull(),
    currency: text().notNull(),
    brand: text(),
    returnUrl: text('return_url').notNull(),
    cancelUrl: text('cancel_url').notNull(),
    status: text({ enum: ['PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED'] }).notNull(),
    /** The result of its capture and how its webhooks are sent, as a tester chose. */
    outcome: text({ enum: captureOutcomes }).notNull().default('completed'),
    deliveries: text({ enum: deliveryManners }).notNull().default('once'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => enumChecks(t),
);

export const paypalCapture = pgTable(
  'lab_paypal_capture',
  {
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => paypalOrder.id),
    customId: text('custom_id'),
    value: text().notNull(),
    currency: text().notNull(),
    status: text({
      enum: ['COMPLETED', 'PENDING', 'DECLINED', 'PARTIALLY_REFUNDED', 'REFUNDED'],
    }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [...enumChecks(t), index('lab_paypal_capture_order').on(t.orderId)],
);

export const paypalRefund = pgTable(
  'lab_paypal_refund',
  {
    id: text().primaryKey(),
    captureId: text('capture_id')
      .notNull()
      .references(() => paypalCapture.id),
    orderId: text('order_id')
      .notNull()
      .references(() => paypalOrder.id),
    customId: text('custom_id'),
    value: text().notNull(),
    currency: text().notNull(),
    status: text({ enum: ['COMPLETED', 'PENDING', 'FAILED'] }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [...enumChecks(t), index('lab_paypal_refund_order').on(t.orderId)],
);

/** The response to a request id, for repetitions. */
export const paypalRequest = pgTable('lab_paypal_request', {
  key: text().primaryKey(),
  status: integer().notNull(),
  body: jsonb().notNull(),
});

/** Webhooks, with the exact text that is signed. */
export const paypalEvent = pgTable(
  'lab_paypal_event',
  {
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => paypalOrder.id),
    type: text().notNull(),
    body: text().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('lab_paypal_event_order').on(t.orderId)],
);

/** Faults planned for the next matching call, once each. */
export const paypalFault = pgTable(
  'lab_paypal_fault',
  {
    id: uuid().primaryKey(),
    call: text({ enum: faultCalls }).notNull(),
    kind: text({ enum: faultKinds }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => enumChecks(t),
);
