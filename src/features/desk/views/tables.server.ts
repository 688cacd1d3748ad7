import { boolean, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { moment } from '~/platform/postgres/columns.server.ts';

/** A list of the queue that somebody named. A trigger notifies every process of changes. */
export const deskView = pgTable(
  'desk_view',
  {
    id: uuid().primaryKey(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    name: text().notNull(),
    /** The address's query, '' for all visa applications: filters alone, no search and no personal data. */
    query: text().notNull(),
    /** Listed for everybody. */
    shared: boolean().notNull().default(false),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [uniqueIndex('desk_view_name').on(t.staffId, t.name)],
);
