import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { getTableName, sql, is } from 'drizzle-orm';
import { text, getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { retention } from '~/base/retention-periods.ts';
import { allTables, personalTables } from '~/features/desk/privacy/personal-tables.server.ts';
import { groups } from '~/features/desk/privacy/deletions.server.ts';
import { processingRegister } from '~/features/desk/privacy/register.server.ts';
import { personalTable } from '~/platform/postgres/personal-table.server.ts';
import { schedule } from '~/app/jobs.server.ts';
import { LINK_DAYS } from '~/features/form/answers/limits.ts';
import { useDatabase } from './database.ts';

const { db } = await useDatabase();

test('a column that does not say whether it is personal is refused', () => {
  const facts = { about: 'traveller', purpose: 'to see it refused' } as const;
  expect(() => personalTable('refused', facts, { nickname: text().notNull() })).toThrow(
    'Is refused.nickname personal or internal?',
  );
});

test('the migration tool finds nothing to migrate, so that the next migration holds its change alone', async ({
  onTestFinished,
}) => {
  const migrations = await mkdtemp(join(tmpdir(), 'lale-migrations-'));
  onTestFinished(() => rm(migrations, { recursive: true }));
  await cp('db/migrations', migrations, { recursive: true });
  // In a process of its own: the tool adds a property to every array, which the reader of PDFs refuses.
  const { stdout } = await promisify(execFile)(process.execPath, [
    'node_modules/drizzle-kit/bin.cjs',
    'generate',
    '--dialect=postgresql',
    '--schema=./src/**/tables.server.ts',
    `--out=${relative(process.cwd(), migrations)}`,
  ]);
  expect(stdout).toContain('No schema changes');
});

describe('the tables of personal data', () => {
  test('are among those of the export, which are all of the database', async () => {
    const { rows } = await db.execute<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    // What the simulated partners hold is not the operator's.
    const inDatabase = rows.map(({ name }) => name).filter((name) => name !== 'simulated_document');
    const named = allTables.map((table) => getTableName(table));
    expect(named.toSorted()).toEqual(inDatabase.toSorted());
    expect(inDatabase.length).toBeGreaterThan(40);
  });

  test('are all but those that are known to be nobody’s', () => {
    const personal = new Set(personalTables.map(({ name }) => name));
    const others = allTables
      .map((table) => getTableName(table))
      .filter((one) => !personal.has(one));
    expect(others.toSorted()).toEqual([
      'audit_seal',
      'backup',
      'country',
      'deletion_record',
      'draft_party',
      'erased_application',
      'insurance_plan',
      'insurance_terms',
      'payment_movement',
      'payment_notification',
      'payment_partner',
      'rate_limit',
      'receipt_counter',
      'reconciliation',
    ]);
  });

  test('say how the rows of travellers, payers and drafts are found, and what an erasure does', () => {
    const about = ['traveller', 'payer', 'draft'];
    const unfound = personalTables
      .filter((one) => about.includes(one.about) && one.rows.length === 0)
      .map(({ name }) => name);
    // No column says whose they are: `read-person.server.ts` opens each.
    expect(unfound).toEqual(['idempotency_key']);
    // The account of somebody who works here ends with the work, and not on a request.
    const untouched = personalTables
      .filter((one) => one.rows.length > 0 && one.erasure === 'none' && one.about !== 'staff')
      .map(({ name }) => name);
    expect(untouched).toEqual([]);
  });

  test('stand under a heading of the desk where rows of them go, and no heading counts another', () => {
    const grouped = Object.values<readonly string[]>(groups).flat();
    const going = personalTables
      .filter(({ erasure, kept }) => erasure !== 'none' || kept.length > 0)
      .map(({ name }) => name);
    expect(going.filter((name) => !grouped.includes(name))).toEqual([]);
    const known = [...allTables.map((table) => getTableName(table)), 'job'];
    expect(grouped.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('keep after an erasure only what a law obliges us to keep', () => {
    const kept = personalTables.filter(({ erasure }) => erasure === 'kept');
    const reasons = kept.flatMap(({ kept: kinds }) => kinds).map((kind) => retention[kind]);
    expect(kept.every(({ kept: kinds }) => kinds.length > 0)).toBe(true);
    expect(reasons.every((reason) => 'law' in reason)).toBe(true);
  });
});

test('the register of processing names every table', () => {
  const register = processingRegister();
  const [people = '', nobody = ''] = register.split('## Tables without personal data');
  for (const table of allTables) {
    const name = getTableName(table);
    if (personalTables.some((one) => one.table === table))
      expect(people).toContain(`\n| ${name} | `);
    else expect(nobody.trim().split(', ')).toContain(name);
  }
});

/** Rows with their own expiry are deleted then, without a retention period. */
const EXPIRING = ['desk.delete_claims', 'application.delete_links'];

test('every job that deletes stands in the table, and every job of the table is run', () => {
  const deleting = schedule
    .map(({ name }) => name)
    .filter((name) => /forget|purge|delete|retention/.test(name) && !EXPIRING.includes(name));
  const inTable = Object.values(retention).flatMap(({ job }) => job ?? []);
  expect([...new Set(inTable)].toSorted()).toEqual(deleting.toSorted());
});

test('a draft outlives the last link to it', () => {
  expect(retention.draft.days).toBe(LINK_DAYS + 2);
});

describe('database constraints', async () => {
  const { pool } = await useDatabase();

  /** All tables in the code: those read by the migration tool. */
  const tables = Object.values(
    import.meta.glob<Record<string, unknown>>('../src/**/tables.server.ts', { eager: true }),
  )
    .flatMap((module) => Object.values(module))
    .filter((each) => is(each, PgTable))
    .map((table) => getTableConfig(table));

  /** CHECK constraints that allow a list of texts in one column, from the catalog of a migrated database. */
  async function allowedValues(): Promise<Map<string, string[]>> {
    const { rows } = await pool.query<{ column: string; definition: string }>(
      `select relation.relname || '.' || attribute.attname as column,
       pg_get_constraintdef(checked.oid) as definition
     from pg_constraint checked
       join pg_class relation on relation.oid = checked.conrelid
       join pg_attribute attribute
         on attribute.attrelid = relation.oid and array[attribute.attnum] = checked.conkey
     where checked.contype = 'c' and relation.relnamespace = 'public'::regnamespace`,
    );
    return new Map(
      rows.flatMap(({ column, definition }) => {
        const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition)?.[1];
        if (list === undefined) return [];
        return [[column, [...list.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value)]];
      }),
    );
  }

  describe('enumerated columns', () => {
    const enumerated = tables.flatMap(({ name, columns }) =>
      columns.flatMap((column) =>
        column.enumValues ? [[`${name}.${column.name}`, column.enumValues] as const] : [],
      ),
    );

    test('each has a CHECK that allows exactly what the code knows', async () => {
      const allowed = await allowedValues();
      expect(enumerated.length).toBeGreaterThan(30);
      for (const [column, values] of enumerated) {
        expect(allowed.get(column)?.toSorted(), column).toEqual(values.toSorted());
      }
    });
  });

  describe('references', () => {
    const FILE = 'files lie in the file store, outside the database';
    const PARTNER = 'a payment partner’s own number, known to the partner alone';
    const MANY = 'what it is about is of several kinds, and may be gone before it';

    /** Columns that look like references and have no foreign key, each with its reason. */
    const without: Readonly<Record<string, string>> = {
      'application_document.file_id': FILE,
      'case_message_file.file_id': FILE,
      'desk_draft.file_id': FILE,
      'desk_upload.file_id': FILE,
      'insurance_photo.file_id': FILE,
      'application.authority_reference': 'the authority’s own number',
      'desk_upload.draft_for':
        'unused it is gone after a day, used it is the application of application_id',
      'email.subject': MANY,
      'audit_entry.subject_id': MANY,
      'email.message_id': 'the name of an e-mail, out in the world',
      'audit_entry.staff_id':
        'the trail stands by itself: it is checked whatever became of other rows',
      'order_line.application_number':
        'the ledger is kept for ten years, most applications for five',
      'draft.application_number':
        'tells that the draft was submitted, also once the application was taken back',
      'payment_attempt.reference': 'payment lies below orders and takes any reference',
      'reconciliation_row.reference': 'as the attempt of its attempt_id has it',
      'payment_refund.requested_by': 'an account, or the word for the service itself',
      'payment_refund.released_by': 'an account, or the word for the service itself',
      'staff_reset.asked_by': 'no account: an enumeration of who can ask',
      'payment_attempt.begun_by': 'no account: an enumeration of who can begin',
      'payment_attempt.provider_reference': PARTNER,
      'payment_attempt.capture_id': PARTNER,
      'payment_refund.provider_refund_id': PARTNER,
      'payment_movement.capture_id': PARTNER,
      'payment_movement.refund_id': PARTNER,
      'payment_event.event_id': PARTNER,
      'reconciliation_row.their_capture_id': PARTNER,
    };

    test('each has a foreign key in the database, or a reason why not', async () => {
      const { rows } = await pool.query<{ column: string }>(
        `select relation.relname || '.' || attribute.attname as column
       from pg_constraint key
         join pg_class relation on relation.oid = key.conrelid
         join pg_attribute attribute
           on attribute.attrelid = relation.oid and attribute.attnum = any(key.conkey)
       where key.contype = 'f' and relation.relnamespace = 'public'::regnamespace`,
      );
      const referring = new Set(rows.map(({ column }) => column));
      const named = tables.flatMap(({ name, columns }) =>
        columns
          .filter((column) => /^(PgUUID|PgText|PgInteger)$/.test(column.columnType))
          .filter((column) =>
            /(_id|_by|_for|_from|terms_version|order_number|application_number|reference|subject)$/.test(
              column.name,
            ),
          )
          .map((column) => `${name}.${column.name}`),
      );
      expect(named.filter((column) => !referring.has(column)).toSorted()).toEqual(
        Object.keys(without).toSorted(),
      );
    });
  });
});
