import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import {
  check,
  customType,
  timestamp,
  type CheckBuilder,
  type PgColumn,
} from 'drizzle-orm/pg-core';

/** Bytes as the sealer makes them (`crypto.server.ts`). */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** A moment; always with its zone. */
export const moment = (name?: string) =>
  name === undefined
    ? timestamp({ withTimezone: true, mode: 'date', precision: 3 })
    : timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

/**
 * A CHECK for each `text({ enum })` of a table, made of the column's own list: `(t) => [...enumChecks(t), …]`.
 * Whoever adds a value to a list writes a migration with it (`npm run migration`).
 */
export function enumChecks(columns: Record<string, PgColumn>): CheckBuilder[] {
  const table = Object.values(columns)[0]?.table;
  if (!table) return [];
  return Object.values(getTableColumns(table)).flatMap((column) => {
    if (!column.enumValues) return [];
    const values = column.enumValues.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');
    return check(
      `${getTableName(table)}_${column.name}_check`,
      sql`${column} in (${sql.raw(values)})`,
    );
  });
}
