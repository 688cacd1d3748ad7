import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { application } from '~/features/application/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { deskNote } from '../application/tables.server.ts';
import { forYouKinds } from './for-you-kinds.ts';

/**
 * What a colleague's action asks of one of the staff: a case assigned to them, a note that mentions them. Ids alone; kept
 * and deleted with the application.
 */
export const deskForYou = pgTable(
  'desk_for_you',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: forYouKinds }).notNull(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id, { onDelete: 'cascade' }),
    /** The note that mentions them, or that came with the case. */
    noteId: uuid('note_id').references(() => deskNote.id, { onDelete: 'cascade' }),
    byStaffId: uuid('by_staff_id')
      .notNull()
      .references(() => staffAccount.id),
    at: moment().notNull(),
    readAt: moment('read_at'),
  },
  (t) => [
    ...enumChecks(t),
    index('desk_for_you_newest').on(t.staffId, t.at),
    index('desk_for_you_unread')
      .on(t.staffId)
      .where(sql`${t.readAt} is null`),
    index('desk_for_you_of').on(t.applicationId),
    // A note mentions somebody once, however often it is edited.
    uniqueIndex('desk_for_you_note').on(t.noteId, t.staffId),
  ],
);

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
