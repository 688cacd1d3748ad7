import { sql } from 'drizzle-orm';
import { check, index, text, uuid } from 'drizzle-orm/pg-core';
import { order } from '~/features/order/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { bytes, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  withheld,
} from '~/platform/postgres/personal-table.server.ts';
import { application } from '../tables.server.ts';

/**
 * A legal hold: while it stands, neither retention nor an erasure deletes the application, or, without one, any
 * application of the order. The reason is sealed, because it may name people. Deleted with its application.
 */
export const legalHold = personalTable(
  'legal_hold',
  {
    about: 'traveller',
    purpose: 'to keep what a claim or an authority needs',
    kept: ['visa', 'insurance'],
    rows: [
      ['applicationId', 'applicationIds'],
      ['orderNumber', 'orderNumbers'],
    ],
  },
  {
    id: uuid().primaryKey(),
    orderNumber: internal(
      text('order_number')
        .notNull()
        .references(() => order.number),
    ),
    /** Null: all applications of the order. */
    applicationId: uuid('application_id').references(() => application.id, { onDelete: 'cascade' }),
    /** Whether the person may read it is for a lawyer to say, not for an export. */
    why: withheld(bytes().notNull()),
    placedBy: uuid('placed_by')
      .notNull()
      .references(() => staffAccount.id),
    placedAt: personal(moment('placed_at').notNull()),
    /** It stands until this moment, or until it is lifted. */
    until: personal(moment().notNull()),
    liftedBy: uuid('lifted_by').references(() => staffAccount.id),
    liftedAt: personal(moment('lifted_at')),
  },
  (t) => [
    index('legal_hold_order').on(t.orderNumber),
    check('legal_hold_until', sql`${t.until} > ${t.placedAt}`),
    check('legal_hold_lifted', sql`num_nonnulls(${t.liftedBy}, ${t.liftedAt}) in (0, 2)`),
  ],
);
