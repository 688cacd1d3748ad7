import { isDeepStrictEqual } from 'node:util';
import { asc, count, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { cacheUntilChanged } from '~/platform/postgres/invalidations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { countriesInForce } from './regime-change.server.ts';
import { EVISA_VALIDITY_DAYS, isEligible, type Country } from './regime.ts';
import { country } from './tables.server.ts';

/** An empty list is not cached: the table has not been seeded yet. */
const countriesCache = cacheUntilChanged({
  topic: 'country',
  read: readCountries,
  isKept: (countries) => countries.length > 0,
});

/** Every nationality, by English name, with its terms at present. Empty only before the first seeding. */
export async function allCountries({
  db,
  now,
}: Pick<Platform, 'db' | 'now'>): Promise<readonly Country[]> {
  const [first, settings] = await Promise.all([firstCountries(db), currentSettings(db)]);
  return countriesInForce(first, settings, now());
}

/** The nationality with this three-letter code in any case, with its terms at present, or undefined. */
export async function countryByCode(
  platform: Pick<Platform, 'db' | 'now'>,
  code: string,
): Promise<Country | undefined> {
  return findCountry(await allCountries(platform), code);
}

/** The same, in a list that was read before: for callers inside a transaction. */
export function findCountry(countries: readonly Country[], code: string): Country | undefined {
  const wanted = code.toUpperCase();
  return countries.find((one) => one.code === wanted);
}

/** Every nationality as it was seeded: the table without later decisions. */
export const firstCountries = (db: Database): Promise<readonly Country[]> =>
  countriesCache.current(db);

/** After a change to the table in this process: the next read asks the database. */
export const invalidateCountries = (db: Database): void => countriesCache.invalidate(db);

/**
 * Returns the previous list where the table is unchanged, so that names derived from it in six languages stay cached.
 */
async function readCountries(
  db: Queryable,
  before?: readonly Country[],
): Promise<readonly Country[]> {
  const rows = await db.select().from(country).orderBy(asc(country.name), asc(country.code));
  const countries = rows.map(({ updatedAt: _, others, ...row }): Country => ({
    ...row,
    ...(Object.keys(others).length > 0 && { others }),
    id: row.code,
    validityDays: isEligible(row) ? EVISA_VALIDITY_DAYS : null,
  }));
  return before && isDeepStrictEqual(before, countries) ? before : countries;
}

export async function countCountries(db: Queryable): Promise<number> {
  const [row] = await db.select({ countries: count() }).from(country);
  return row?.countries ?? 0;
}

/** Locks the table against writing, so that two processes that start at once seed it only once. */
export async function lockCountries(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${country} in share row exclusive mode`);
}

export async function insertCountries(
  tx: Transaction,
  countries: readonly Country[],
  now: Date,
): Promise<void> {
  await tx.insert(country).values(
    countries.map(({ id: _, validityDays: __, ...row }) => ({
      ...row,
      updatedAt: now,
    })),
  );
}
