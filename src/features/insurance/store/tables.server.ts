import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { applicationRef } from '~/features/application/tables.server.ts';
import { draft } from '~/features/form/tables.server.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { settingChange } from '~/features/settings/tables.server.ts';
import { bytes, moment } from '~/platform/postgres/columns.server.ts';
import {
  personal,
  personalTable,
  sealed,
  storedFile,
} from '~/platform/postgres/personal-table.server.ts';
import type { Cover, TranslatedText } from '../rules/terms.ts';

/** The plans with the prices they were seeded with; later prices are dated settings. No personal data. */
export const insurancePlan = pgTable(
  'insurance_plan',
  {
    id: text().$type<ServiceCode>().primaryKey(),
    name: text().notNull(),
    days: integer().notNull().unique(),
    priceMinor: integer('price_minor').notNull(),
    currency: text().notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    check('insurance_plan_days', sql`${t.days} between 1 and 366`),
    check('insurance_plan_price', sql`${t.priceMinor} > 0`),
  ],
);

/**
 * What is covered, by which insurer, and on which terms: one row for each decision that was ever shown or sold on.
 * Never changed; an application refers to its version. No personal data.
 */
export const insuranceTerms = pgTable('insurance_terms', {
  version: serial().primaryKey(),
  /** Sample terms of ours, marked as such wherever they are shown. */
  isSample: boolean('is_sample').notNull(),
  /** The decision in `setting_change` that contains them. */
  changeId: integer('change_id')
    .notNull()
    .unique()
    .references(() => settingChange.id),
  insurer: text(),
  address: text(),
  licence: text(),
  assistancePhone: text('assistance_phone'),
  complaintContact: text('complaint_contact'),
  wording: jsonb().$type<TranslatedText>(),
  covers: jsonb().$type<Cover[]>().notNull(),
  publishedAt: moment('published_at').notNull(),
});

/** An insurance application's own answers. Personal throughout, kept 10 years; the document number is sealed. */
export const insuranceApplication = personalTable(
  'insurance_application',
  {
    about: 'traveller',
    purpose: 'to check and carry out what was applied for',
    kept: ['insurance'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    applicationId: applicationRef('application_id').primaryKey(),
    passportNumber: sealed(bytes('passport_number').notNull()),
    /** Keyed hash, to find the same passport without decrypting any. */
    passportHash: bytes('passport_hash').notNull(),
    placeOfBirth: personal(text('place_of_birth')),
    returnDate: personal(date('return_date').notNull()),
    tripDays: personal(integer('trip_days').notNull()),
    /** The plan's length when it was sold; the last insured day follows from it. */
    planDays: personal(integer('plan_days').notNull()),
    coverUntil: personal(date('cover_until').notNull()),
    /** Under 18 on the travel date: staff decide after seeing a parent's ID. */
    isMinor: personal(boolean('is_minor').notNull()),
    termsVersion: personal(
      integer('terms_version')
        .notNull()
        .references(() => insuranceTerms.version),
    ),
    /** SHA-256 of the code on the certificate, by which anybody may check it. */
    verifyHash: bytes('verify_hash').notNull().unique(),
    cancelledAt: personal(moment('cancelled_at')),
  },
  (t) => [index('insurance_application_passport').on(t.passportHash)],
);

/**
 * A photo of a parent's ID, sealed in the file store, for staff only. It belongs to a draft, later to an application.
 */
export const insurancePhoto = personalTable(
  'insurance_photo',
  {
    about: 'traveller',
    purpose: 'to see that a parent insures a child',
    kept: ['insurance', 'draft'],
    rows: [
      ['applicationId', 'applicationIds'],
      ['draftId', 'draftIds'],
    ],
  },
  {
    id: uuid().primaryKey(),
    draftId: uuid('draft_id').references(() => draft.id),
    applicationId: uuid('application_id'),
    position: personal(smallint().notNull()),
    /** The file's name, sealed because it often contains a person's name. */
    name: sealed(bytes().notNull()),
    fileId: storedFile(text('file_id').notNull().unique()),
    /**
     * Keyed hash of the upload, so that a form sent twice stores a photo once. Of a photo that a party's child
     * gets a copy of: of our re-encoded JPEG.
     */
    contentHash: bytes('content_hash').notNull(),
    size: personal(integer().notNull()),
    createdAt: personal(moment('created_at').notNull()),
  },
  (t) => [
    unique('insurance_photo_once').on(t.draftId, t.contentHash),
    index('insurance_photo_application').on(t.applicationId),
    foreignKey({
      // Named explicitly: the generated name would exceed PostgreSQL's limit.
      name: 'insurance_photo_application_fk',
      columns: [t.applicationId],
      foreignColumns: [insuranceApplication.applicationId],
    }),
    check('insurance_photo_owner', sql`num_nonnulls(${t.draftId}, ${t.applicationId}) = 1`),
  ],
);
