import { sql } from 'drizzle-orm';
import { boolean, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { application } from '~/features/application/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { personal, personalTable } from '~/platform/postgres/personal-table.server.ts';
import { deskNote } from '../application/tables.server.ts';
import { forYouKinds } from './mentions.ts';

/**
 * What a colleague's action asks of one of the staff: a case assigned to them, a note that mentions them. Ids alone; kept
 * and deleted with the application.
 */
export const deskForYou = personalTable(
  'desk_for_you',
  {
    about: 'traveller',
    purpose:
      'to tell staff of an application that somebody gave them, or a note that mentions them',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    kind: personal(text({ enum: forYouKinds }).notNull()),
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
    at: personal(moment().notNull()),
    readAt: personal(moment('read_at')),
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
export const deskView = personalTable(
  'desk_view',
  {
    about: 'staff',
    purpose: 'to keep the lists of applications that staff have named',
    erasure: 'none',
    rows: [['staffId', 'staffIds']],
  },
  {
    id: uuid().primaryKey(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    name: personal(text().notNull()),
    /** The address's query, '' for all visa applications: filters alone, no search and no personal data. */
    query: personal(text().notNull()),
    /** Listed for everybody. */
    shared: personal(boolean().notNull().default(false)),
    createdAt: personal(moment('created_at').notNull()),
  },
  (t) => [uniqueIndex('desk_view_name').on(t.staffId, t.name)],
);
