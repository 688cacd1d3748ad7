import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { retention } from '../src/base/retention-periods.ts';
import { namedColumns } from '../src/features/desk/privacy/data-map.server.ts';
import { registerOfProcessing } from '../src/features/desk/privacy/register.server.ts';
import { sealedColumns } from '../src/features/desk/privacy/sealed-columns-store.server.ts';
import { wholeMap } from '../src/features/desk/privacy/whole-map.server.ts';
import { useDatabase } from './database.ts';

const { db } = await useDatabase();

const tables = Object.values(
  import.meta.glob<Record<string, unknown>>('../src/**/tables.server.ts', { eager: true }),
)
  .flatMap((module) => Object.values(module))
  .filter((each) => is(each, PgTable));

describe('the map of personal data', () => {
  test('knows every table of the database', async () => {
    const { rows } = await db.execute<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    // What the simulated partners hold is not the operator's.
    const inDatabase = rows.map(({ name }) => name).filter((name) => name !== 'simulated_document');
    expect(wholeMap.map(({ name }) => name).toSorted()).toEqual(inDatabase.toSorted());
    expect(inDatabase.length).toBeGreaterThan(40);
  });

  test.each(tables.map((table) => [getTableName(table), table] as const))(
    'says of every column of %s what it is, once',
    (name, table) => {
      const mapped = wholeMap.find((one) => one.name === name);
      expect(mapped && namedColumns(mapped)).toEqual(
        Object.keys(getTableColumns(table)).toSorted(),
      );
    },
  );

  test('opens or withholds exactly the columns that are sealed', () => {
    const named = wholeMap.flatMap(({ name, table, columns }) =>
      [...columns.sealed, ...columns.withheld].map(
        (column) => `${name}.${getTableColumns(table)[column]?.name}`,
      ),
    );
    expect(named.toSorted()).toEqual(
      sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted(),
    );
  });

  test('says how the rows of travellers, payers and drafts are found, and what an erasure does', () => {
    const about = ['traveller', 'payer', 'draft'];
    const unfound = wholeMap
      .filter((one) => about.includes(one.about) && one.rows.length === 0)
      .map(({ name }) => name);
    // No column says whose they are: `short-lived-store.server.ts` opens each.
    expect(unfound).toEqual(['idempotency_key']);
    // The account of somebody who works here ends with the work, and not on a request.
    const untouched = wholeMap
      .filter((one) => one.rows.length > 0 && one.erasure === 'none' && one.about !== 'staff')
      .map(({ name }) => name);
    expect(untouched).toEqual([]);
  });

  test('keeps after an erasure only what a law obliges us to keep', () => {
    const kept = wholeMap.filter(({ erasure }) => erasure === 'kept');
    const reasons = kept.flatMap(({ kept: kinds }) => kinds).map((kind) => retention[kind]);
    expect(kept.every(({ kept: kinds }) => kinds.length > 0)).toBe(true);
    expect(reasons.every((reason) => 'law' in reason)).toBe(true);
  });
});

test('the register of processing names every table', () => {
  const register = registerOfProcessing();
  const [people = '', nobody = ''] = register.split('## Tables without personal data');
  for (const { name, about } of wholeMap) {
    if (about === 'nobody') expect(nobody.trim().split(', ')).toContain(name);
    else expect(people).toContain(`\n| ${name} | `);
  }
});
