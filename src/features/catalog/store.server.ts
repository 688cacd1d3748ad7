import { isDeepStrictEqual } from 'node:util';
import { asc, count, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { cacheUntilChanged } from '~/platform/invalidation/cache-until-changed.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { countriesAt } from './regime-change.server.ts';
import { EVISA_VALIDITY_DAYS, isEligible, type Country } from './regime.ts';
import { country } from './tables.server.ts';

/** An empty list is the one before the first seeding, and not worth keeping. */
const countriesCache = cacheUntilChanged({
  topic: 'country',
  read: readCountries,
  isKept: (countries) => countries.length > 0,
});

/** Every nationality, by English name, as it is granted now. Empty only before the first seeding. */
export async function allCountries({
  db,
  now,
}: Pick<Platform, 'db' | 'now'>): Promise<readonly Country[]> {
  const [first, settings] = await Promise.all([firstCountries(db), currentSettings(db)]);
  return countriesAt(first, settings, now());
}

/** The nationality with this three-letter code in any case, as it is granted now, or undefined. */
export async function countryByCode(
  platform: Pick<Platform, 'db' | 'now'>,
  code: string,
): Promise<Country | undefined> {
  return countryIn(await allCountries(platform), code);
}

/** The same in a list that was read before: for whoever asks inside a transaction. */
export function countryIn(countries: readonly Country[], code: string): Country | undefined {
  const wanted = code.toUpperCase();
  return countries.find((one) => one.code === wanted);
}

/** Every nationality as the service began with it: the table as it is. */
export const firstCountries = (db: Database): Promise<readonly Country[]> =>
  countriesCache.current(db);

/** After a change to the table in this process: the next read asks the database. */
export const invalidateCountries = (db: Database): void => countriesCache.invalidate(db);

/** The list of before where it still holds: what was made of it, names in six languages, is kept with it. */
async function readCountries(
  db: Queryable,
  before?: readonly Country[],
): Promise<readonly Country[]> {
  const rows = await db.select().from(country).orderBy(asc(country.name), asc(country.code));
  const countries = rows.map(({ updatedAt: _, ...row }): Country => ({
    ...row,
    id: row.code,
    validityDays: isEligible(row) ? EVISA_VALIDITY_DAYS : null,
  }));
  return before && isDeepStrictEqual(before, countries) ? before : countries;
}

export async function countCountries(db: Queryable): Promise<number> {
  const [row] = await db.select({ countries: count() }).from(country);
  return row?.countries ?? 0;
}

/** Waits until no other transaction is filling the table: two processes starting at once fill it once. */
export async function lockCountries(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${country} in share row exclusive mode`);
}

export async function insertCountries(
  tx: Transaction,
  countries: readonly Country[],
  now: Date,
): Promise<void> {
  await tx.insert(country).values(
    countries.map(({ id: _, validityDays: __, others: ___, ...row }) => ({
      ...row,
      updatedAt: now,
    })),
  );
}
