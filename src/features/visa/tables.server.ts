import { date, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { application } from '~/features/application/tables.server.ts';
import { bytes, moment } from '~/platform/columns.server.ts';

/** A visa application's own answers. Personal throughout, kept 5 years; document numbers are sealed. */
export const visaApplication = pgTable(
  'visa_application',
  {
    applicationId: uuid('application_id')
      .primaryKey()
      .references(() => application.id),
    passportNumber: bytes('passport_number').notNull(),
    /** Keyed hash, to find the same passport without opening any. */
    passportHash: bytes('passport_hash').notNull(),
    passportIssueDate: date('passport_issue_date').notNull(),
    passportExpiryDate: date('passport_expiry_date').notNull(),
    placeOfBirth: text('place_of_birth').notNull(),
    motherName: text('mother_name').notNull(),
    fatherName: text('father_name').notNull(),
    address: text().notNull(),
    purpose: text({ enum: ['tourism', 'trade'] }),
    supportingDocumentType: text('supporting_document_type', { enum: ['visa', 'residence'] }),
    /** The issuer: `SCHENGEN`, `GBR`, … */
    supportingDocumentCountry: text('supporting_document_country'),
    supportingDocumentNumber: bytes('supporting_document_number'),
    supportingDocumentStartDate: date('supporting_document_start_date'),
    /** A date, or the word `unlimited`. */
    supportingDocumentEndDate: text('supporting_document_end_date'),
    /** What the nationality's regime granted on the day of application. */
    stayDays: integer('stay_days').notNull(),
    entries: text({ enum: ['single', 'multiple'] }).notNull(),
  },
  (t) => [index('visa_application_passport').on(t.passportHash)],
);

/** A wizard's answers on their way, sealed, for 30 days after the last change. */
export const visaDraft = pgTable(
  'visa_draft',
  {
    id: uuid().primaryKey(),
    answers: bytes().notNull(),
    /** Counts up with every change, so that a second tab cannot silently overwrite the first. */
    version: integer().notNull(),
    language: text().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Once submitted: the application's number. The answers are emptied with it. */
    applicationNumber: text('application_number'),
  },
  (t) => [index('visa_draft_expiry').on(t.expiresAt)],
);

/** A browser that may open a draft: it holds the token, we hold its hash. */
export const visaDraftDevice = pgTable(
  'visa_draft_device',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    draftId: uuid('draft_id')
      .notNull()
      .references(() => visaDraft.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('visa_draft_device_draft').on(t.draftId)],
);

/** A link that opens a draft on another device: single use, 28 days. */
export const visaDraftLink = pgTable('visa_draft_link', {
  tokenHash: bytes('token_hash').primaryKey(),
  draftId: uuid('draft_id')
    .notNull()
    .references(() => visaDraft.id, { onDelete: 'cascade' }),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  usedAt: moment('used_at'),
});
