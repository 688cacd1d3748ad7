import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { useDatabase } from './database.ts';

const { pool } = await useDatabase();

/** Every table of the code: those that the migration tool reads. */
const tables = Object.values(
  import.meta.glob<Record<string, unknown>>('../src/**/tables.server.ts', { eager: true }),
)
  .flatMap((module) => Object.values(module))
  .filter((each) => is(each, PgTable))
  .map((table) => getTableConfig(table));

/** CHECKs of one column alone that allow a list of texts, as the catalog of a migrated database has them. */
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
