import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '~/platform/columns.server.ts';

/** A PDF that staff uploaded and that passed the checks. It serves one application; unused, it is kept one day. */
export const deskUpload = pgTable(
  'desk_upload',
  {
    fileId: text('file_id').primaryKey(),
    staffId: uuid('staff_id').notNull(),
    size: integer().notNull(),
    createdAt: moment('created_at').notNull(),
    /** The application it was used for. */
    applicationId: uuid('application_id'),
  },
  (t) => [index('desk_upload_unused').on(t.createdAt)],
);

/** Who is at work on an application, until when. One row each: whoever takes it over takes the row. */
export const deskClaim = pgTable(
  'desk_claim',
  {
    applicationId: uuid('application_id').primaryKey(),
    staffId: uuid('staff_id').notNull(),
    claimedAt: moment('claimed_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('desk_claim_staff').on(t.staffId)],
);
