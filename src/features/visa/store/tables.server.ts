import { date, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { application } from '~/features/application/tables.server.ts';
import { draftTables } from '~/features/form/draft/draft-tables.server.ts';
import { bytes, enumChecks } from '~/platform/postgres/columns.server.ts';
import { personal, personalTable, sealed } from '~/platform/postgres/personal-table.server.ts';
import { purposes } from '../rules/purposes.ts';

/** A visa application's own answers. Personal throughout, kept 5 years; document numbers are sealed. */
export const visaApplication = personalTable(
  'visa_application',
  {
    about: 'traveller',
    purpose: 'to check and carry out what was applied for',
    kept: ['visa'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: uuid('application_id')
      .primaryKey()
      .references(() => application.id),
    passportNumber: sealed(bytes('passport_number').notNull()),
    /** Keyed hash, to find the same passport without decrypting any. */
    passportHash: bytes('passport_hash').notNull(),
    passportIssueDate: personal(date('passport_issue_date').notNull()),
    passportExpiryDate: personal(date('passport_expiry_date').notNull()),
    placeOfBirth: personal(text('place_of_birth').notNull()),
    motherName: personal(text('mother_name').notNull()),
    fatherName: personal(text('father_name').notNull()),
    address: personal(text().notNull()),
    purpose: personal(text({ enum: purposes })),
    supportingDocumentType: personal(
      text('supporting_document_type', { enum: ['visa', 'residence'] }),
    ),
    /** The issuer: `SCHENGEN`, `GBR`, … */
    supportingDocumentCountry: personal(text('supporting_document_country')),
    supportingDocumentNumber: sealed(bytes('supporting_document_number')),
    supportingDocumentStartDate: personal(date('supporting_document_start_date')),
    /** A date, or the word `unlimited`. */
    supportingDocumentEndDate: personal(text('supporting_document_end_date')),
    /** The passport's machine-readable lines as read, sealed: `passport-reader/zone.ts`. */
    machineReadableZone: sealed(bytes('machine_readable_zone')),
    /** The terms of the nationality on the day of application. */
    stayDays: personal(integer('stay_days').notNull()),
    entries: personal(text({ enum: ['single', 'multiple'] }).notNull()),
  },
  (t) => [...enumChecks(t), index('visa_application_passport').on(t.passportHash)],
);

/** Drafts of the wizard, the browsers that may open them, and links that open them elsewhere. */
export const {
  draft: visaDraft,
  device: visaDraftDevice,
  link: visaDraftLink,
} = draftTables('visa');

/** Travellers who apply together, a draft each, and pay one order. Deleted with the last of its drafts. */
export const visaParty = pgTable('visa_party', {
  id: uuid().primaryKey(),
  /**
   * The position of the next traveller. A removed one leaves a gap, so that a page that is still open never writes to
   * another's draft.
   */
  nextPosition: integer('next_position').notNull(),
});

/** The drafts of a party. A browser that may open one of them may open all. */
export const visaDraftParty = personalTable(
  'visa_draft_party',
  {
    about: 'draft',
    purpose: 'to apply together with others',
    kept: ['visaDraft'],
    rows: [['draftId', 'visaDraftIds']],
  },
  {
    draftId: uuid('draft_id')
      .primaryKey()
      .references(() => visaDraft.id, { onDelete: 'cascade' }),
    partyId: uuid('party_id')
      .notNull()
      .references(() => visaParty.id),
    /** Which traveller, from 1. */
    position: personal(integer().notNull()),
  },
  (t) => [unique('visa_draft_party_position').on(t.partyId, t.position)],
);
