import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { useDatabase } from './database.ts';

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
    'desk_draft.file_id': FILE,
    'desk_upload.file_id': FILE,
    'insurance_photo.file_id': FILE,
    'desk_upload.draft_for':
      'unused it is gone after a day, used it is the application of application_id',
    'email.subject': MANY,
    'audit_entry.subject_id': MANY,
    'email.message_id': 'the name of an e-mail, out in the world',
    'audit_entry.staff_id':
      'the trail stands by itself: it is checked whatever became of other rows',
    'order_line.application_number': 'the ledger is kept for ten years, most applications for five',
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
