import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { application } from '~/features/application/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';

/**
 * A PDF that staff uploaded and that passed the checks. It is used for one application and deleted with it; unused, it
 * is kept one day.
 */
export const deskUpload = pgTable(
  'desk_upload',
  {
    fileId: text('file_id').primaryKey(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    size: integer().notNull(),
    createdAt: moment('created_at').notNull(),
    /** The application for whose decision it was uploaded: only that one, by that person. Null for the staff calls. */
    draftFor: uuid('draft_for'),
    /** The application it was used for. */
    applicationId: uuid('application_id').references(() => application.id, { onDelete: 'cascade' }),
    /** Keyed hash of the file's bytes. */
    contentHash: bytes('content_hash'),
    /** Its text, to compare it with its application. Personal, sealed; deleted when it is used for good. */
    text: bytes(),
  },
  (t) => [
    index('desk_upload_unused').on(t.createdAt),
    index('desk_upload_of')
      .on(t.applicationId)
      .where(sql`${t.applicationId} is not null`),
  ],
);

/** The kinds of `desk_draft`: a decision, or a document for an approved application. */
const draftKinds = ['approve', 'reject', 'attach'] as const;

/** A decision that its author is checking before it is sent. Words are personal; kept one day. */
export const deskDraft = pgTable(
  'desk_draft',
  {
    id: uuid().primaryKey(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id, { onDelete: 'cascade' }),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    kind: text({ enum: draftKinds }).notNull(),
    /** The status that the author saw. */
    seen: text({ enum: applicationStatuses }).notNull(),
    fileId: text('file_id'),
    rejectionCode: text('rejection_code', { enum: rejectionCodes }),
    words: text(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [...enumChecks(t), index('desk_draft_age').on(t.createdAt)],
);

/** The decisions that can be undone: see `desk_decision`. */
const undoableKinds = ['start_processing', ...draftKinds] as const;

/**
 * A decision that its author may undo for some seconds. `before`: what stood before, in ids, states and moments. Kept one
 * day.
 */
export const deskDecision = pgTable(
  'desk_decision',
  {
    id: uuid().primaryKey(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id, { onDelete: 'cascade' }),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    kind: text({ enum: undoableKinds }).notNull(),
    at: moment().notNull(),
    /** Its emails and refunds wait until then. */
    undoUntil: moment('undo_until').notNull(),
    undoneAt: moment('undone_at'),
    before: jsonb().notNull(),
  },
  (t) => [
    ...enumChecks(t),
    index('desk_decision_of').on(t.staffId, t.undoUntil),
    index('desk_decision_age').on(t.at),
  ],
);

/** Notes of staff on an application. Personal, sealed; kept and deleted with the application. */
export const deskNote = pgTable(
  'desk_note',
  {
    id: uuid().primaryKey(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    text: bytes().notNull(),
    writtenAt: moment('written_at').notNull(),
    editedAt: moment('edited_at'),
    struckAt: moment('struck_at'),
    struckBy: uuid('struck_by').references(() => staffAccount.id),
    struckWhy: bytes('struck_why'),
  },
  (t) => [
    index('desk_note_of').on(t.applicationId, t.writtenAt),
    check(
      'desk_note_struck',
      sql`num_nonnulls(${t.struckAt}, ${t.struckBy}, ${t.struckWhy}) in (0, 3)`,
    ),
  ],
);

/**
 * A correction of a traveller's email address by staff. `content`: old address, new address and reason; personal,
 * sealed. Kept and deleted with the application.
 */
export const deskEmailCorrection = pgTable(
  'desk_email_correction',
  {
    id: uuid().primaryKey(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    at: moment().notNull(),
    content: bytes().notNull(),
  },
  (t) => [index('desk_email_correction_of').on(t.applicationId, t.at)],
);

/**
 * A pair of applications that staff found to be no duplicates; `facts` is the hash of the compared facts then. The
 * reason is personal and sealed; deleted with the first of the two applications.
 */
export const deskDismissal = pgTable(
  'desk_dismissal',
  {
    /** The smaller id of the two. */
    oneId: uuid('one_id')
      .notNull()
      .references(() => application.id),
    otherId: uuid('other_id')
      .notNull()
      .references(() => application.id),
    facts: bytes().notNull(),
    why: bytes().notNull(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    dismissedAt: moment('dismissed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.oneId, t.otherId, t.facts] }),
    index('desk_dismissal_other').on(t.otherId),
    check('desk_dismissal_order', sql`${t.oneId} < ${t.otherId}`),
  ],
);
