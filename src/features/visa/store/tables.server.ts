import { date, index, integer, text } from 'drizzle-orm/pg-core';
import { applicationRef } from '~/features/application/tables.server.ts';
import { bytes, enumChecks } from '~/platform/postgres/columns.server.ts';
import { personal, personalTable, sealed } from '~/platform/postgres/personal-table.server.ts';
import { purposes } from '../rules/questions.ts';

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
    applicationId: applicationRef('application_id').primaryKey(),
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
