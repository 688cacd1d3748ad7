import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { order } from '~/features/order/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { bytes, moment } from '~/platform/postgres/columns.server.ts';
import { application } from '../tables.server.ts';

/**
 * A legal hold: while it stands, neither retention nor an erasure deletes the application, or, without one, any
 * application of the order. The reason is sealed, because it may name people. Deleted with its application.
 */
export const legalHold = pgTable(
  'legal_hold',
  {
    id: uuid().primaryKey(),
    orderNumber: text('order_number')
      .notNull()
      .references(() => order.number),
    /** Null: all applications of the order. */
    applicationId: uuid('application_id').references(() => application.id, { onDelete: 'cascade' }),
    why: bytes().notNull(),
    placedBy: uuid('placed_by')
      .notNull()
      .references(() => staffAccount.id),
    placedAt: moment('placed_at').notNull(),
    /** It stands until this moment, or until it is lifted. */
    until: moment().notNull(),
    liftedBy: uuid('lifted_by').references(() => staffAccount.id),
    liftedAt: moment('lifted_at'),
  },
  (t) => [
    index('legal_hold_order').on(t.orderNumber),
    check('legal_hold_until', sql`${t.until} > ${t.placedAt}`),
    check('legal_hold_lifted', sql`num_nonnulls(${t.liftedBy}, ${t.liftedAt}) in (0, 2)`),
  ],
);
