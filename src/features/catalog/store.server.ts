import { asc, count, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '~/platform/database.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { assertOutsideTransaction } from '~/platform/transaction-scope.server.ts';
import { countriesAt } from './regime-change.server.ts';
import { EVISA_VALIDITY_DAYS, isEligible, type Country } from './regime.ts';
import { country } from './tables.server.ts';

/** The list that the service began with changes only when it is first filled. */
const CACHE_MS = 10 * 60 * 1000;

type Cached = { until: number; countries: Promise<readonly Country[]> };
const caches = new WeakMap<Database, Cached>();

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

/** Every nationality as the service began with it, at most ten minutes old. */
export function firstCountries(db: Database): Promise<readonly Country[]> {
  assertOutsideTransaction();
  const cached = caches.get(db);
  if (cached && cached.until > performance.now()) return cached.countries;
  const countries = readCountries(db);
  caches.set(db, { until: performance.now() + CACHE_MS, countries });
  const forget = () => {
    if (caches.get(db)?.countries === countries) caches.delete(db);
  };
  // Neither a failure nor an empty table is worth remembering.
  countries.then((list) => list.length === 0 && forget(), forget);
  return countries;
}

/** After a change to the table in this process: the next read asks the database. */
export function forgetCountries(db: Database): void {
  caches.delete(db);
}

async function readCountries(db: Queryable): Promise<readonly Country[]> {
  const rows = await db.select().from(country).orderBy(asc(country.name), asc(country.code));
  return rows.map(({ updatedAt: _, ...row }) => ({
    ...row,
    id: row.code,
    validityDays: isEligible(row) ? EVISA_VALIDITY_DAYS : null,
  }));
}

export async function countCountries(db: Queryable): Promise<number> {
  const [row] = await db.select({ countries: count() }).from(country);
  return row?.countries ?? 0;
}

/** Waits until no other transaction is filling the table: two processes starting at once fill it once. */
export async function holdCountries(tx: Transaction): Promise<void> {
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
