import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';

/** The simulated gateway's own data, which Lale reaches over HTTP only. */
export const gatewayTransaction = pgTable(
  'lab_gateway_transaction',
  {
    id: text().primaryKey(),
    orderRef: text('order_ref').notNull().unique(),
    amount: text().notNull(),
    currency: text().notNull(),
    fields: jsonb().$type<Record<string, string>>().notNull(),
    status: text({ enum: ['created', 'completed', 'declined', 'cancelled'] }).notNull(),
    reason: text(),
    captureId: text('capture_id'),
    cardLast4: text('card_last4'),
    /** refundRef → minor units, so that each reference refunds once. */
    refunds: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** For refunds that are pending or failed. A failed one is not in `refunds`. */
    refundStates: jsonb('refund_states')
      .$type<Record<string, 'pending' | 'failed'>>()
      .notNull()
      .default({}),
    createdAt: moment('created_at').notNull(),
    decidedAt: moment('decided_at'),
  },
  (t) => enumChecks(t),
);
