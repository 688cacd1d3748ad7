import { sql } from 'drizzle-orm';
import { check, date, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { staffRef } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  personal,
  personalTable,
  sealed,
  withheld,
} from '~/platform/postgres/personal-table.server.ts';
import { caseKinds, identityChecks, outcomes } from './privacy-case.ts';

/**
 * A request of a person about their data. What was given to find them, what was chosen as theirs, reasons and the
 * answer are personal and sealed. Kept three years after it was closed, as proof of what was done.
 */
export const privacyCase = personalTable(
  'privacy_case',
  {
    about: 'request',
    purpose: 'to answer requests about personal data and to prove it',
    kept: ['privacyCase'],
    erasure: 'kept',
    rows: [['id', 'caseIds']],
  },
  {
    id: uuid().primaryKey(),
    kind: personal(text({ enum: caseKinds }).notNull()),
    /** The clock starts with this day. */
    arrivedOn: personal(date('arrived_on').notNull()),
    language: personal(text().notNull()),
    /** Number, email address and passport number as the person gave them. */
    given: sealed(bytes().notNull()),
    openedBy: staffRef('opened_by').notNull(),
    openedAt: personal(moment('opened_at').notNull()),
    identityCheck: personal(text('identity_check', { enum: identityChecks })),
    identityBy: staffRef('identity_by'),
    identityAt: personal(moment('identity_at')),
    /** Ids of the applications, orders and drafts that are the person's: an export has these rows anyway. */
    chosen: withheld(bytes()),
    erasedBy: staffRef('erased_by'),
    erasedAt: personal(moment('erased_at')),
    outcome: personal(text({ enum: outcomes })),
    answer: sealed(bytes()),
    closedBy: staffRef('closed_by'),
    closedAt: personal(moment('closed_at')),
  },
  (t) => [
    ...enumChecks(t),
    index('privacy_case_arrived').on(t.arrivedOn, t.id),
    check(
      'privacy_case_identity',
      sql`num_nonnulls(${t.identityCheck}, ${t.identityBy}, ${t.identityAt}, ${t.chosen}) in (0, 4)`,
    ),
    check(
      'privacy_case_erased',
      sql`num_nonnulls(${t.erasedBy}, ${t.erasedAt}) in (0, 2) and (${t.erasedAt} is null or (${t.kind} = 'erasure' and ${t.identityAt} is not null))`,
    ),
    check(
      'privacy_case_closed',
      sql`num_nonnulls(${t.outcome}, ${t.answer}, ${t.closedBy}, ${t.closedAt}) in (0, 4)`,
    ),
  ],
);

/**
 * That an application was erased on request, so that staff who look its number up are told. Of the number only a keyed
 * hash stays, which names nobody. Kept three years.
 */
export const erasedApplication = pgTable('erased_application', {
  numberHash: bytes('number_hash').primaryKey(),
  erasedAt: moment('erased_at').notNull(),
});

/**
 * Proof that something was deleted: how many rows of which table, and how many files; no personal data. By a job, or by
 * an erasure. Kept three years.
 */
export const deletionRecord = pgTable(
  'deletion_record',
  {
    id: uuid().primaryKey(),
    at: moment().notNull(),
    /** The job; `erasure` for a request. */
    cause: text().notNull(),
    caseId: uuid('case_id').references(() => privacyCase.id, { onDelete: 'set null' }),
    /** Rows by table. */
    deleted: jsonb().$type<Record<string, number>>().notNull(),
    /** Rows that stay without what was personal in them, by table. */
    changed: jsonb().$type<Record<string, number>>().notNull(),
    files: integer().notNull(),
  },
  (t) => [index('deletion_record_at').on(t.at), index('deletion_record_case').on(t.caseId)],
);
