import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uuid,
  uniqueIndex,
  boolean,
} from 'drizzle-orm/pg-core';
import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { applicationEvent, applicationRef } from '~/features/application/tables.server.ts';
import { staffRef } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  sealed,
  storedFile,
} from '~/platform/postgres/personal-table.server.ts';
import { forYouKinds } from './note.ts';
import { putOffReasons } from './put-off.ts';

/**
 * A PDF that staff uploaded and that passed the checks. It is used for one application and deleted with it; unused, it
 * is kept one day.
 */
export const deskUpload = personalTable(
  'desk_upload',
  {
    about: 'traveller',
    purpose: 'to check a document before it is delivered',
    kept: ['deskUpload', 'visa', 'insurance'],
    rows: [
      ['applicationId', 'applicationIds'],
      ['draftFor', 'applicationIds'],
    ],
  },
  {
    fileId: storedFile(text('file_id').primaryKey()),
    staffId: staffRef('staff_id').notNull(),
    size: personal(integer().notNull()),
    createdAt: personal(moment('created_at').notNull()),
    /** The application for whose decision it was uploaded: only that one, by that person. Null for the staff calls. */
    draftFor: uuid('draft_for'),
    /** The application it was used for. */
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }),
    /** Keyed hash of the file's bytes. */
    contentHash: bytes('content_hash'),
    /** Its text, to compare it with its application. Personal, sealed; deleted when it is used for good. */
    text: sealed(bytes()),
    /** The name of a file that waits for its application, often a person's. Sealed; deleted with the text. */
    name: sealed(bytes()),
  },
  (t) => [
    index('desk_upload_unused').on(t.createdAt),
    index('desk_upload_draft')
      .on(t.draftFor)
      .where(sql`${t.applicationId} is null`),
    index('desk_upload_of')
      .on(t.applicationId)
      .where(sql`${t.applicationId} is not null`),
  ],
);

/** The kinds of `desk_draft`: a decision, a document for an approved application, or a message to the traveller. */
const draftKinds = ['approve', 'reject', 'attach', 'message'] as const;

/** A decision or a message that its author is checking before it is sent. Kept one day. */
export const deskDraft = personalTable(
  'desk_draft',
  {
    about: 'traveller',
    purpose: 'to look at a decision or a message before it is sent',
    kept: ['deskDraft'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    staffId: staffRef('staff_id').notNull(),
    kind: personal(text({ enum: draftKinds }).notNull()),
    /** The status that the author saw. */
    seen: personal(text({ enum: applicationStatuses }).notNull()),
    fileId: storedFile(text('file_id')),
    rejectionCode: personal(text('rejection_code', { enum: rejectionCodes })),
    words: sealed(bytes()),
    createdAt: personal(moment('created_at').notNull()),
  },
  (t) => [...enumChecks(t), index('desk_draft_age').on(t.createdAt)],
);

/** What can be undone: see `desk_decision`. */
const undoableKinds = ['start_processing', ...draftKinds] as const;

/**
 * A decision or a message that its author may undo for some seconds. `before`: what stood before, in ids, states and
 * moments. Kept one day.
 */
export const deskDecision = personalTable(
  'desk_decision',
  {
    about: 'traveller',
    purpose: 'to undo a decision within the seconds after it',
    kept: ['deskDraft'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    staffId: staffRef('staff_id').notNull(),
    kind: personal(text({ enum: undoableKinds }).notNull()),
    at: personal(moment().notNull()),
    /** Its emails and refunds wait until then. */
    undoUntil: personal(moment('undo_until').notNull()),
    undoneAt: personal(moment('undone_at')),
    before: internal(jsonb().notNull()),
  },
  (t) => [
    ...enumChecks(t),
    index('desk_decision_of').on(t.staffId, t.undoUntil),
    index('desk_decision_age').on(t.at),
  ],
);

/**
 * Who put an application off, why and until when: its last time. It counts while nothing has happened to the application
 * since, see `isStillPutOff`. One's own words may name people.
 */
export const deskPutOff = personalTable(
  'desk_put_off',
  {
    about: 'traveller',
    purpose: 'to come back to an application when there is something to do',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).primaryKey(),
    staffId: staffRef('staff_id').notNull(),
    at: personal(moment().notNull()),
    reason: personal(text({ enum: putOffReasons }).notNull()),
    words: sealed(bytes()),
    until: personal(moment().notNull()),
    /** It waits for the traveller's answer, and for the moment only if none comes. */
    untilReply: personal(boolean('until_reply').notNull()),
  },
  (t) => [
    ...enumChecks(t),
    index('desk_put_off_until').on(t.until),
    check('desk_put_off_words', sql`(${t.reason} = 'other') = (${t.words} is not null)`),
  ],
);

/** Notes of staff on an application. Personal, sealed; kept and deleted with the application. */
export const deskNote = personalTable(
  'desk_note',
  {
    about: 'traveller',
    purpose: 'to decide an application and to say how it was decided',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    staffId: staffRef('staff_id').notNull(),
    text: sealed(bytes().notNull()),
    writtenAt: personal(moment('written_at').notNull()),
    editedAt: personal(moment('edited_at')),
    struckAt: personal(moment('struck_at')),
    struckBy: staffRef('struck_by'),
    struckWhy: sealed(bytes('struck_why')),
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
export const deskEmailCorrection = personalTable(
  'desk_email_correction',
  {
    about: 'traveller',
    purpose: 'to correct a mistyped email address',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    staffId: staffRef('staff_id').notNull(),
    at: personal(moment().notNull()),
    content: sealed(bytes().notNull()),
  },
  (t) => [index('desk_email_correction_of').on(t.applicationId, t.at)],
);

/**
 * A pair of applications that staff found to be no duplicates; `facts` is the hash of the compared facts then. The
 * reason is personal and sealed; deleted with the first of the two applications.
 */
export const deskDismissal = personalTable(
  'desk_dismissal',
  {
    about: 'traveller',
    purpose: 'to say why two applications are no duplicates',
    kept: ['visa', 'insurance'],
    rows: [
      ['oneId', 'applicationIds'],
      ['otherId', 'applicationIds'],
    ],
  },
  {
    /** The smaller id of the two. */
    oneId: applicationRef('one_id', { onDelete: 'cascade' }).notNull(),
    otherId: applicationRef('other_id', { onDelete: 'cascade' }).notNull(),
    facts: bytes().notNull(),
    why: sealed(bytes().notNull()),
    staffId: staffRef('staff_id').notNull(),
    dismissedAt: personal(moment('dismissed_at').notNull()),
  },
  (t) => [
    primaryKey({ columns: [t.oneId, t.otherId, t.facts] }),
    index('desk_dismissal_other').on(t.otherId),
    check('desk_dismissal_order', sql`${t.oneId} < ${t.otherId}`),
  ],
);

/**
 * What asks something of one of the staff: a case assigned to them, a note that mentions them, a message about a case that
 * they hold, a decision of theirs that was found wrong. Ids alone; kept and deleted with the application.
 */
export const deskForYou = personalTable(
  'desk_for_you',
  {
    about: 'traveller',
    purpose:
      'to tell staff of an application that somebody gave them, a note that mentions them, a message, or a mistake of theirs',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    kind: personal(text({ enum: forYouKinds }).notNull()),
    staffId: staffRef('staff_id').notNull(),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    /** The note that mentions them, or that came with the case. */
    noteId: uuid('note_id').references(() => deskNote.id, { onDelete: 'cascade' }),
    /** Null for a traveller's message. */
    byStaffId: staffRef('by_staff_id'),
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

/**
 * A decision that a manager looks at a second time: drawn, or sent in spite of `differences`, which are codes (see
 * `second-looks.server.ts`). Kept and deleted with the application.
 */
export const deskSecondLook = personalTable(
  'desk_second_look',
  {
    about: 'traveller',
    purpose: 'to find out how many decisions are wrong',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    eventId: internal(
      bigint('event_id', { mode: 'number' })
        .primaryKey()
        .references(() => applicationEvent.id, { onDelete: 'cascade' }),
    ),
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    /** Who decided. */
    staffId: staffRef('staff_id').notNull(),
    decidedAt: personal(moment('decided_at').notNull()),
    differences: personal(text().array().notNull()),
    verdict: personal(text({ enum: ['right', 'wrong'] })),
    judgedBy: staffRef('judged_by'),
    judgedAt: personal(moment('judged_at')),
    /** The note of the application that says what is wrong. */
    noteId: uuid('note_id').references(() => deskNote.id, { onDelete: 'cascade' }),
  },
  (t) => [
    ...enumChecks(t),
    index('desk_second_look_decided').on(t.decidedAt),
    index('desk_second_look_open')
      .on(t.staffId)
      .where(sql`${t.verdict} is null`),
    index('desk_second_look_of').on(t.applicationId),
    check('desk_second_look_other', sql`${t.judgedBy} <> ${t.staffId}`),
    check(
      'desk_second_look_judged',
      sql`num_nonnulls(${t.verdict}, ${t.judgedBy}, ${t.judgedAt}) in (0, 3)`,
    ),
    check(
      'desk_second_look_why',
      sql`(${t.verdict} is not distinct from 'wrong') = (${t.noteId} is not null)`,
    ),
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
    staffId: staffRef('staff_id').notNull(),
    name: personal(text().notNull()),
    /** The address's query, '' for all visa applications: filters alone, no search and no personal data. */
    query: personal(text().notNull()),
    /** Listed for everybody. */
    shared: personal(boolean().notNull().default(false)),
    createdAt: personal(moment('created_at').notNull()),
  },
  (t) => [uniqueIndex('desk_view_name').on(t.staffId, t.name)],
);
