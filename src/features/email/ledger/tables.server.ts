import { index, integer, text, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { staffRef } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  sealed,
} from '~/platform/postgres/personal-table.server.ts';
import type { CodeIn } from '~/base/text-keys.ts';

/** Emails about applications, named after what causes them: those that staff see under these names. */
export type ApplicationEmailKind = CodeIn<'email', 'kind'>;

/** Emails about no application. */
export type JobEmailKind =
  | 'numbers'
  | 'resume'
  | 'invitation'
  | 'password_reset'
  | 'price_change'
  | 'feast_ahead'
  | 'operator_alert'
  | 'weekly_figures';

export type EmailKind = ApplicationEmailKind | JobEmailKind;

/**
 * Why an email was not sent. `address`: the mail server does not know the recipient. `refused`, `later`: the server
 * rejected it for good or for now. `unreachable`: no answer. `over`: there was nothing to say any more. `limit`: its
 * recipient had as many as they get of what nobody has paid for. `other`: it could not be written, or an unknown error.
 */
const emailFailures = [
  'address',
  'refused',
  'later',
  'unreachable',
  'over',
  'limit',
  'other',
] as const;
export type EmailFailure = (typeof emailFailures)[number];

/**
 * Every email that we send: `occasion` is unique, so a job that runs twice sends it once. Kept for 2 years as
 * communication. The content is personal and sealed; it is deleted earlier with the applications that it is about.
 */
export const email = personalTable(
  'email',
  {
    about: 'traveller',
    purpose: 'to tell travellers what became of their application',
    kept: ['communication'],
    erasure: 'emptied',
    rows: [['id', 'emailIds']],
  },
  {
    id: uuid().primaryKey(),
    /** Without a CHECK: only typed code writes it, and a new kind needs no migration. */
    kind: personal(text().$type<EmailKind>().notNull()),
    /** What it is about, once: `approved:<id>`; for a repetition its own id. */
    occasion: internal(text().notNull().unique()),
    /** Number of the order, or id of the application, document, refund, correction or draft; never an address. */
    subject: internal(text().notNull()),
    /** The language and Message-ID; null until it is first claimed. */
    language: personal(text()),
    messageId: internal(text('message_id')),
    createdAt: personal(moment('created_at').notNull()),
    /** Not sent before, because what it says may still be undone; null: at once. */
    dueAt: internal(moment('due_at')),
    /** Set while one process is sending, so that no other does; null again after a failure. */
    claimedAt: internal(moment('claimed_at')),
    sentAt: personal(moment('sent_at')),
    tries: internal(integer().notNull().default(0)),
    /**
     * Recipient and text, without secret links. Null before it is first written, and for emails about no application.
     */
    content: sealed(bytes()),
    /** The last failed try and its reason; null again while another is queued. */
    failedAt: personal(moment('failed_at')),
    failure: personal(text({ enum: emailFailures })),
    /** The email that this one repeats, and who asked for it. */
    resentFrom: uuid('resent_from').references((): AnyPgColumn => email.id, {
      onDelete: 'set null',
    }),
    staffId: staffRef('staff_id'),
  },
  (t) => [
    ...enumChecks(t),
    index('email_age').on(t.createdAt),
    index('email_resent').on(t.resentFrom),
  ],
);
