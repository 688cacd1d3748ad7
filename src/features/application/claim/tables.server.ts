import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { moment } from '~/platform/postgres/columns.server.ts';
import { application } from '../tables.server.ts';

/** Who is working on an application or was given it, and until when: one row each, which a take-over changes. */
export const deskClaim = pgTable(
  'desk_claim',
  {
    applicationId: uuid('application_id')
      .primaryKey()
      .references(() => application.id, { onDelete: 'cascade' }),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    /** Who gave it to them; null where they took it themselves. */
    assignedBy: uuid('assigned_by').references(() => staffAccount.id),
    claimedAt: moment('claimed_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('desk_claim_staff').on(t.staffId)],
);

/** Who looked at which undecided application, and when last: taking the next one passes it over for two hours. */
export const deskLook = pgTable(
  'desk_look',
  {
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id, { onDelete: 'cascade' }),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    at: moment().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.staffId] }),
    index('desk_look_staff').on(t.staffId),
  ],
);
