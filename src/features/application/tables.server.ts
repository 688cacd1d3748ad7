import { sql, type SQL } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { email } from '~/features/email/ledger/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { staffRef } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  sealed,
  storedFile,
  withheld,
} from '~/platform/postgres/personal-table.server.ts';
import {
  bytesSql,
  foldedReferenceSql,
  hasOtherLettersSql,
  phoneEndSql,
  queueGroupSql,
  queueKeySql,
  searchedSql,
} from './queue-sql.server.ts';
import { rejectionCodes } from './rejection.ts';
import { applicationStatuses } from './status-machine.ts';
import { MAX_TRAVELLERS } from './travellers.ts';

/**
 * What every application has, of either kind; the answers of a visa or an insurance are in tables of their own.
 * Personal: names, email, phone, birth date, nationality (deleted as the kind's retention says).
 */
export const application = personalTable(
  'application',
  {
    about: 'traveller',
    purpose: 'to check and carry out what was applied for',
    kept: ['visa', 'insurance'],
    rows: [['id', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    kind: personal(text({ enum: ['visa', 'insurance'] }).notNull()),
    number: personal(text().notNull().unique()),
    status: personal(text({ enum: applicationStatuses }).notNull().default('pending')),
    actionRequired: internal(boolean('action_required').notNull().default(false)),
    /** Start of a pause in which the traveller has to answer; null while there is none. */
    pausedAt: internal(moment('paused_at')),
    language: personal(text().notNull()),
    firstName: personal(text('first_name').notNull()),
    lastName: personal(text('last_name').notNull()),
    email: personal(text().notNull()),
    /** Raised with every change of the address; links in emails to an earlier one stop working. */
    emailVersion: internal(integer('email_version').notNull().default(0)),
    phone: personal(text().notNull()),
    dateOfBirth: personal(date('date_of_birth').notNull()),
    countryCode: personal(text('country_code').notNull()),
    travelDocument: personal(text('travel_document').notNull()),
    /** Arrival date of a visa, first insured day of an insurance. */
    startsOn: personal(date('starts_on').notNull()),
    /** Which traveller of the order, from 1: a visa and an insurance with the same one are the same person's. */
    travellerPosition: personal(smallint('traveller_position').notNull().default(1)),
    /** Processing type of a visa, plan of an insurance. */
    service: personal(text().$type<ServiceCode>().notNull()),
    orderNumber: personal(
      text('order_number')
        .notNull()
        .references(() => order.number),
    ),
    amountMinor: personal(integer('amount_minor').notNull()),
    currency: personal(text().notNull()),
    createdAt: personal(moment('created_at').notNull()),
    paidAt: personal(moment('paid_at')),
    /** Counted from payment; null until then. */
    promisedAt: personal(moment('promised_at')),
    decidedAt: personal(moment('decided_at')),
    /** When a visa was approved without its PDF; null once one is attached. */
    undeliveredSince: personal(moment('undelivered_since')),
    /** Under which number the authority keeps it, as staff typed it when they handed it in, or later. */
    authorityReference: personal(text('authority_reference')),
    /** For rejected applications only: the reason of the list. */
    rejectionCode: personal(text('rejection_code', { enum: rejectionCodes })),
    /** The reviewer's own words, as they were written. */
    rejectionReason: personal(text('rejection_reason')),
    /** Personal: names and e-mail, folded for the desk's search. */
    searchText: internal(
      text('search_text')
        .notNull()
        .generatedAlwaysAs((): SQL => searchedSql(application)),
    ),
  },
  (t) => [
    ...enumChecks(t),
    index('application_order').on(t.orderNumber),
    index('application_email_start').on(sql`lower(${t.email})`, t.startsOn),
    // The queue, whole or of one nationality or service: each list of the desk uses one of these.
    index('application_queue').on(t.kind, queueGroupSql(t), queueKeySql(t), t.id),
    index('application_country').on(t.kind, t.countryCode, queueGroupSql(t), queueKeySql(t), t.id),
    index('application_service').on(t.kind, t.service, queueGroupSql(t), queueKeySql(t), t.id),
    index('application_pending')
      .on(t.createdAt)
      .where(sql`${t.status} = 'pending'`),
    index('application_newest').on(t.kind, t.createdAt, t.id),
    // The desk's statistics read these indexes alone, never the rows.
    index('application_submitted').on(t.createdAt, t.id, t.kind, t.countryCode),
    index('application_visa_decided')
      .on(t.decidedAt, t.status, t.paidAt, t.promisedAt, t.countryCode, t.rejectionCode)
      .where(sql`${t.kind} = 'visa' and ${t.paidAt} is not null and ${t.decidedAt} is not null`),
    index('application_visa_paid')
      .on(t.paidAt, t.countryCode)
      .where(sql`${t.kind} = 'visa' and ${t.paidAt} is not null`),
    // Promises kept, by when they fell due, for the manager's page and the statistics.
    index('application_promised')
      .on(t.promisedAt, t.id, t.decidedAt, t.pausedAt, t.undeliveredSince, t.rejectionCode)
      .where(sql`${t.paidAt} is not null and ${t.promisedAt} is not null`),
    index('application_name').on(t.kind, t.lastName, t.firstName, t.id),
    // Trigrams find parts of three letters and more, and beginnings of words of any length. With a nationality or
    // service first, a search within one skips the rows of others.
    index('application_search').using(
      'gin',
      t.countryCode,
      t.service,
      t.searchText.op('gin_trgm_ops'),
    ),
    // Under the C locale PostgreSQL makes trigrams of a to z and digits alone.
    index('application_search_other')
      .using('gin', sql`${bytesSql(t.searchText)} gin_trgm_ops`)
      .where(hasOtherLettersSql(t.searchText)),
    index('application_phone').on(phoneEndSql(t.phone)),
    index('application_reference')
      .on(foldedReferenceSql(t.authorityReference))
      .where(sql`${t.authorityReference} is not null`),
    index('application_number_part').using('gin', t.number.op('gin_trgm_ops')),
    check('application_amount', sql`${t.amountMinor} > 0`),
    check(
      'application_traveller',
      sql`${t.travellerPosition} between 1 and ${sql.raw(String(MAX_TRAVELLERS))}`,
    ),
    check(
      'application_decided',
      sql`(${t.status} in ('approved', 'rejected')) = (${t.decidedAt} is not null)`,
    ),
    check(
      'application_undelivered',
      sql`${t.undeliveredSince} is null or (${t.kind} = 'visa' and ${t.status} = 'approved')`,
    ),
    check(
      'application_handed_in',
      sql`${t.authorityReference} is null or (${t.kind} = 'visa' and ${t.status} <> 'pending')`,
    ),
    check(
      'application_rejected',
      sql`(${t.status} = 'rejected') = (${t.rejectionCode} is not null)`,
    ),
    check(
      'application_reason',
      sql`${t.rejectionCode} <> 'other' or ${t.kind} = 'insurance' or coalesce(length(${t.rejectionReason}), 0) > 0`,
    ),
  ],
);

/** A column with an application. */
export const applicationRef = (column: string, actions: { onDelete?: 'cascade' } = {}) =>
  uuid(column).references(() => application.id, actions);

/** The dated events that the traveller and the desk see; ids and codes only, no personal data. */
export const applicationEvent = personalTable(
  'application_event',
  {
    about: 'traveller',
    purpose: 'to decide an application and to say how it was decided',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    applicationId: applicationRef('application_id').notNull(),
    kind: personal(
      text({
        enum: [
          'submitted',
          // By the traveller, before it was paid.
          'changed',
          'paid',
          'processing',
          'approved',
          'rejected',
          'document_attached',
          'correction_asked',
          'correction_answered',
          'correction_withdrawn',
          'correction_expired',
        ],
      }).notNull(),
    ),
    at: personal(moment().notNull()),
    staffId: staffRef('staff_id'),
  },
  (t) => [
    ...enumChecks(t),
    index('application_event_of').on(t.applicationId, t.at),
    // What staff did in a period.
    index('application_event_staff')
      .on(t.at, t.kind, t.staffId, t.applicationId)
      .where(sql`${t.staffId} is not null`),
  ],
);

/** What staff asked a traveller to correct. Deleted with its application; note and changes are personal. */
export const applicationCorrection = personalTable(
  'application_correction',
  {
    about: 'traveller',
    purpose: 'to have answers corrected by the traveller',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    applicationId: applicationRef('application_id').notNull(),
    /** The reopened fields, under the API's names. */
    fields: personal(text().array().notNull()),
    note: personal(text().notNull()),
    staffId: staffRef('staff_id').notNull(),
    askedAt: personal(moment('asked_at').notNull()),
    /** Until when the traveller may answer, and whether an answer until then makes the trip. */
    answerBy: personal(moment('answer_by').notNull()),
    keepsStart: personal(boolean('keeps_start').notNull()),
    remindedAt: personal(moment('reminded_at')),
    answeredAt: personal(moment('answered_at')),
    /** When staff said that they checked the answer, asked again or decided: it is news until then. */
    checkedAt: personal(moment('checked_at')),
    /** Before and after of each changed field, sealed. */
    changes: sealed(bytes()),
    /** Withdrawn by staff, ended by a decision, or not answered in time. */
    closedAt: personal(moment('closed_at')),
    /** Set where it was not answered in time. */
    expiredAt: personal(moment('expired_at')),
  },
  (t) => [
    index('application_correction_of').on(t.applicationId, t.askedAt),
    uniqueIndex('application_correction_open')
      .on(t.applicationId)
      .where(sql`${t.answeredAt} is null and ${t.closedAt} is null`),
    index('application_correction_unchecked')
      .on(t.applicationId)
      .where(sql`${t.answeredAt} is not null and ${t.checkedAt} is null`),
  ],
);

/** A file delivered to the traveller. A later one replaces the earlier; both stay. */
export const applicationDocument = personalTable(
  'application_document',
  {
    about: 'traveller',
    purpose: 'to deliver the visa or the certificate',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    applicationId: applicationRef('application_id').notNull(),
    fileId: storedFile(text('file_id').notNull()),
    mediaType: personal(text('media_type').notNull()),
    size: personal(integer().notNull()),
    createdAt: personal(moment('created_at').notNull()),
    staffId: staffRef('staff_id'),
    replacedAt: personal(moment('replaced_at')),
    /**
     * Keyed hash of the file's bytes, to find the same file given to two travellers by mistake. Null for files that we
     * made.
     */
    contentHash: bytes('content_hash'),
    /** The first and the last day of an e-visa, as its text says. */
    validFrom: personal(date('valid_from')),
    validUntil: personal(date('valid_until')),
  },
  (t) => [
    index('application_document_of').on(t.applicationId),
    index('application_document_content').on(t.contentHash),
  ],
);

/** A short-lived link to one document: 128 random bits, of which only the hash is kept. */
export const downloadLink = personalTable(
  'download_link',
  {
    about: 'traveller',
    purpose: 'to open a document for some minutes',
    rows: [['documentId', 'documentIds']],
  },
  {
    tokenHash: bytes('token_hash').primaryKey(),
    documentId: uuid('document_id')
      .notNull()
      .references(() => applicationDocument.id),
    expiresAt: personal(moment('expires_at').notNull()),
  },
);

/** Which applications an e-mail is about. */
export const applicationEmail = personalTable(
  'application_email',
  {
    about: 'traveller',
    purpose: 'to know which application an email was about',
    kept: ['communication'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: applicationRef('application_id').notNull(),
    emailId: uuid('email_id')
      .notNull()
      .references(() => email.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.emailId] }),
    index('application_email_email').on(t.emailId),
  ],
);

/**
 * Passports that an application named before a correction, as keyed hashes, so that possible duplicates are found by
 * them too. Personal, deleted with the application.
 */
export const applicationEarlierPassport = personalTable(
  'application_earlier_passport',
  {
    about: 'traveller',
    purpose: 'to notice that the same passport applied twice',
    kept: ['visa', 'insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: applicationRef('application_id').notNull(),
    passportHash: bytes('passport_hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.passportHash] }),
    index('application_earlier_passport_hash').on(t.passportHash),
  ],
);

/** Who is working on an application or was given it, and until when: one row each, which a take-over changes. */
export const deskClaim = personalTable(
  'desk_claim',
  {
    about: 'traveller',
    purpose: 'to say who of the staff works on an application',
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).primaryKey(),
    staffId: staffRef('staff_id').notNull(),
    /** Who gave it to them; null where they took it themselves. */
    assignedBy: staffRef('assigned_by'),
    claimedAt: personal(moment('claimed_at').notNull()),
    expiresAt: personal(moment('expires_at').notNull()),
  },
  (t) => [index('desk_claim_staff').on(t.staffId)],
);

/** Who looked at which undecided application, and when last: taking the next one passes it over for two hours. */
export const deskLook = personalTable(
  'desk_look',
  {
    about: 'traveller',
    purpose: 'to lead each of the staff once through a list',
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }).notNull(),
    staffId: staffRef('staff_id').notNull(),
    at: personal(moment().notNull()),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.staffId] }),
    index('desk_look_staff').on(t.staffId),
  ],
);

/**
 * A legal hold: while it stands, neither retention nor an erasure deletes the application, or, without one, any
 * application of the order. The reason is sealed, because it may name people. Deleted with its application.
 */
export const legalHold = personalTable(
  'legal_hold',
  {
    about: 'traveller',
    purpose: 'to keep what a claim or an authority needs',
    kept: ['visa', 'insurance'],
    rows: [
      ['applicationId', 'applicationIds'],
      ['orderNumber', 'orderNumbers'],
    ],
  },
  {
    id: uuid().primaryKey(),
    orderNumber: internal(
      text('order_number')
        .notNull()
        .references(() => order.number),
    ),
    /** Null: all applications of the order. */
    applicationId: applicationRef('application_id', { onDelete: 'cascade' }),
    /** Whether the person may read it is for a lawyer to say, not for an export. */
    why: withheld(bytes().notNull()),
    placedBy: staffRef('placed_by').notNull(),
    placedAt: personal(moment('placed_at').notNull()),
    /** It stands until this moment, or until it is lifted. */
    until: personal(moment().notNull()),
    liftedBy: staffRef('lifted_by'),
    liftedAt: personal(moment('lifted_at')),
  },
  (t) => [
    index('legal_hold_order').on(t.orderNumber),
    check('legal_hold_until', sql`${t.until} > ${t.placedAt}`),
    check('legal_hold_lifted', sql`num_nonnulls(${t.liftedBy}, ${t.liftedAt}) in (0, 2)`),
  ],
);
