import { asc, count, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '~/platform/database.server.ts';
import { EVISA_VALIDITY_DAYS, isEligible, type Country } from './regime.ts';
import { country } from './tables.server.ts';

/** How long a process may answer from memory; the same ten minutes that browsers may (`Cache-Control`). */
const CACHE_MS = 10 * 60 * 1000;

type Cached = { until: number; countries: Promise<readonly Country[]> };
const caches = new WeakMap<Database, Cached>();

/** Every nationality, by English name; at most ten minutes old. Empty only before the first seeding. */
export function allCountries(db: Database): Promise<readonly Country[]> {
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

/** The nationality with this three-letter code in any case, or undefined. */
export async function countryByCode(db: Database, code: string): Promise<Country | undefined> {
  const wanted = code.toUpperCase();
  return (await allCountries(db)).find((one) => one.code === wanted);
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
  await tx
    .insert(country)
    .values(countries.map(({ id: _, validityDays: __, ...row }) => ({ ...row, updatedAt: now })));
}
