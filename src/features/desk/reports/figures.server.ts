import { sql, type SQL } from 'drizzle-orm';
import type { Language } from '~/base/languages.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';

/* What the reports have in common: steps of time, one snapshot for all figures of a page, names of nationalities. */

/** The number of a moment's step, from 0. `starts`: the first day of every step, in UTC. */
export const stepOf = (at: SQL, starts: readonly string[]): SQL =>
  sql`width_bucket(${at}, ${sql.param(starts.map((day) => `${day}T00:00:00Z`))}::timestamptz[]) - 1`;

/** Reads all figures of a page in one snapshot of the database. */
export const readSnapshot = <Figures>(
  db: Database,
  read: (tx: Transaction) => Promise<Figures>,
): Promise<Figures> =>
  db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });

/** Rows of nationalities with their names. */
export async function nameNationalities<Row extends { code: string }>(
  platform: Parameters<typeof allCountries>[0],
  rows: readonly Row[],
  language: Language,
): Promise<(Row & { name: string })[]> {
  const names = new Map((await allCountries(platform)).map(({ code, name }) => [code, name]));
  return rows.map((row) => ({
    ...row,
    name: countryName({ code: row.code, name: names.get(row.code) ?? row.code }, language),
  }));
}
