import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { enumChecks, moment } from '~/platform/postgres/columns.server.ts';

/** One e-mail to one traveller, once: `occasion` is unique, so a job that runs twice finds its own trace. Kept 2 years. */
export const notice = pgTable(
  'notice',
  {
    id: uuid().primaryKey(),
    kind: text({
      enum: [
        'numbers',
        'unpaid',
        'unpaid_reminder',
        'received',
        'approved',
        'rejected',
        'document',
        'resume',
        'invitation',
        'password_reset',
        'refunded',
        'correction',
        'correction_reminder',
        'paid_closed',
        'returned',
      ],
    }).notNull(),
    /** What it is about, once: `approved:TRV…`. */
    occasion: text().notNull().unique(),
    /** Number of the application or order, or id of the draft; never an address. */
    subject: text().notNull(),
    language: text().notNull(),
    messageId: text('message_id').notNull(),
    createdAt: moment('created_at').notNull(),
    /** While one process is sending, so that no other does; empty again after a failure. */
    claimedAt: moment('claimed_at'),
    sentAt: moment('sent_at'),
    tries: integer().notNull().default(0),
  },
  (t) => [...enumChecks(t), index('notice_sent').on(t.sentAt)],
);
