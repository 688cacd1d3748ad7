import { index, integer, pgTable, text, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { emailFailures } from './failure.ts';
import { emailKinds } from './kinds.ts';

/**
 * Every e-mail that we send, once: `occasion` is unique, so a job that runs twice finds its own trace. As communication
 * it is kept 2 years. The content is personal and sealed; it goes earlier, with the applications that it is about.
 */
export const email = pgTable(
  'email',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: emailKinds }).notNull(),
    /** What it is about, once: `approved:<id>`; of one that says again what was said, its own id. */
    occasion: text().notNull().unique(),
    /** Number of the order, or id of the application, document, refund, correction or draft; never an address. */
    subject: text().notNull(),
    /** In which it was written, and the name of the message: empty until it is first taken to be sent. */
    language: text(),
    messageId: text('message_id'),
    createdAt: moment('created_at').notNull(),
    /** While one process is sending, so that no other does; empty again after a failure. */
    claimedAt: moment('claimed_at'),
    sentAt: moment('sent_at'),
    tries: integer().notNull().default(0),
    /** To whom and what it said, without its secret links. Empty until it is first written, and where it is about no application. */
    content: bytes(),
    /** The last try that failed, and why; empty again while another one is on its way. */
    failedAt: moment('failed_at'),
    failure: text({ enum: emailFailures }),
    /** The e-mail that this one says again, and who asked for it. */
    resentFrom: uuid('resent_from').references((): AnyPgColumn => email.id, {
      onDelete: 'set null',
    }),
    staffId: uuid('staff_id').references(() => staffAccount.id),
  },
  (t) => [
    ...enumChecks(t),
    index('email_age').on(t.createdAt),
    index('email_resent').on(t.resentFrom),
  ],
);
