import { index, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { moment } from '~/platform/postgres/columns.server.ts';
import { personal, personalTable } from '~/platform/postgres/personal-table.server.ts';
import { application } from '../tables.server.ts';

/** Who is working on an application or was given it, and until when: one row each, which a take-over changes. */
export const deskClaim = personalTable(
  'desk_claim',
  {
    about: 'traveller',
    purpose: 'to say who of the staff works on an application',
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: uuid('application_id')
      .primaryKey()
      .references(() => application.id, { onDelete: 'cascade' }),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    /** Who gave it to them; null where they took it themselves. */
    assignedBy: uuid('assigned_by').references(() => staffAccount.id),
    claimedAt: personal(moment('claimed_at').notNull()),
    expiresAt: personal(moment('expires_at').notNull()),
  },
  (t) => [index('desk_claim_staff').on(t.staffId)],
);

/** Who looked at which undecided application, and when last: taking the next one passes it over for two hours. */
export const deskLook = personalTable(
  'desk_look',
  {
    about: 'traveller',
    purpose: 'to lead each of the staff once through a list',
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id, { onDelete: 'cascade' }),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    at: personal(moment().notNull()),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.staffId] }),
    index('desk_look_staff').on(t.staffId),
  ],
);
