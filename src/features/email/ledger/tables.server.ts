import { index, integer, pgTable, text, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { emailFailures } from './failure.ts';
import { emailKinds } from './kinds.ts';

/**
 * Every email that we send: `occasion` is unique, so a job that runs twice sends it once. Kept for 2 years as
 * communication. The content is personal and sealed; it is deleted earlier with the applications that it is about.
 */
export const email = pgTable(
  'email',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: emailKinds }).notNull(),
    /** What it is about, once: `approved:<id>`; for a repetition its own id. */
    occasion: text().notNull().unique(),
    /** Number of the order, or id of the application, document, refund, correction or draft; never an address. */
    subject: text().notNull(),
    /** The language and Message-ID; null until it is first claimed. */
    language: text(),
    messageId: text('message_id'),
    createdAt: moment('created_at').notNull(),
    /** Not sent before, because what it says may still be undone; null: at once. */
    dueAt: moment('due_at'),
    /** Set while one process is sending, so that no other does; null again after a failure. */
    claimedAt: moment('claimed_at'),
    sentAt: moment('sent_at'),
    tries: integer().notNull().default(0),
    /**
     * Recipient and text, without secret links. Null before it is first written, and for emails about no application.
     */
    content: bytes(),
    /** The last failed try and its reason; null again while another is queued. */
    failedAt: moment('failed_at'),
    failure: text({ enum: emailFailures }),
    /** The email that this one repeats, and who asked for it. */
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
