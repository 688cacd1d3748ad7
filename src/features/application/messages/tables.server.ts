import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, text, uuid } from 'drizzle-orm/pg-core';
import { applicationRef } from '~/features/application/tables.server.ts';
import { staffRef } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  sealed,
  storedFile,
} from '~/platform/postgres/personal-table.server.ts';

/** From a traveller to us, or from staff to a traveller. */
const messageDirections = ['in', 'out'] as const;

/**
 * What a traveller wrote about an application by e-mail, and what staff wrote to its traveller. Personal, sealed; kept
 * and deleted with the application.
 */
export const caseMessage = personalTable(
  'case_message',
  {
    about: 'traveller',
    purpose: 'to answer what is written about an application',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    direction: personal(text({ enum: messageDirections }).notNull()),
    subject: sealed(bytes().notNull()),
    text: sealed(bytes().notNull()),
    /** The address that an email says it is from. Nobody has proved it. */
    sender: sealed(bytes()),
    /** Its author; null for a traveller. */
    staffId: staffRef('staff_id'),
    at: personal(moment().notNull()),
    /** Keyed hash of an email's Message-ID and text, so that it is taken once. */
    messageIdHash: bytes('message_id_hash').unique(),
    /** Written by a machine, as an absence note: nobody has to read it. */
    isAutomatic: internal(boolean('is_automatic').notNull().default(false)),
    /** How many attachments were not taken. */
    leftOut: personal(integer('left_out').notNull().default(0)),
    /** When staff said that they had read it, or answered. */
    readAt: personal(moment('read_at')),
  },
  (t) => [
    ...enumChecks(t),
    index('case_message_of').on(t.applicationId, t.at),
    index('case_message_unread')
      .on(t.applicationId)
      .where(sql`${t.direction} = 'in' and ${t.readAt} is null`),
    check(
      'case_message_author',
      sql`case ${t.direction} when 'in' then ${t.staffId} is null and num_nonnulls(${t.sender}, ${t.messageIdHash}) = 2
        else ${t.staffId} is not null and num_nonnulls(${t.sender}, ${t.messageIdHash}) = 0 end`,
    ),
  ],
);

/** A file that came with a message. Never opened by the service; handed out to staff as it came. */
export const caseMessageFile = personalTable(
  'case_message_file',
  {
    about: 'traveller',
    purpose: 'to answer what is written about an application',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    messageId: uuid('message_id')
      .notNull()
      .references(() => caseMessage.id, { onDelete: 'cascade' }),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    fileId: storedFile(text('file_id').notNull()),
    /** As its sender called it. */
    name: sealed(bytes().notNull()),
    size: personal(integer().notNull()),
  },
  (t) => [
    index('case_message_file_message').on(t.messageId),
    index('case_message_file_of').on(t.applicationId),
  ],
);
