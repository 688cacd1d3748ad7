import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import { referenceCountries } from './reference-data.ts';
import {
  countCountries,
  invalidateCountries,
  lockCountries,
  insertCountries,
} from './store.server.ts';

/** `counts`: rows there are now, by table; `inserted`: how many of them this call added. */
export type SeedCounts = { counts: Record<string, number>; inserted: number };

/** Inserts a feature's reference data where it is missing. Idempotent; never deletes or overwrites. */
export type Seeder = (tx: Transaction, now: Date) => Promise<SeedCounts>;

/**
 * Fills the empty table with the countries that the project ships. A table with any row is left alone: from then on the
 * desk's settings count.
 */
export async function seedCatalog(tx: Transaction, now: Date): Promise<SeedCounts> {
  const there = await countCountries(tx);
  if (there > 0) return { counts: { countries: there }, inserted: 0 };
  await lockCountries(tx);
  const meanwhile = await countCountries(tx);
  if (meanwhile > 0) return { counts: { countries: meanwhile }, inserted: 0 };
  await insertCountries(tx, referenceCountries, now);
  const inserted = referenceCountries.length;
  return { counts: { countries: inserted }, inserted };
}

/** Runs every feature's seeder in one transaction and adds up the results. */
export async function seedAll(
  db: Database,
  seeders: readonly Seeder[],
  now: Date,
): Promise<SeedCounts> {
  const all = await db.transaction(async (tx) => {
    const sum: SeedCounts = { counts: {}, inserted: 0 };
    for (const seed of seeders) {
      const { counts, inserted } = await seed(tx, now);
      Object.assign(sum.counts, counts);
      sum.inserted += inserted;
    }
    return sum;
  });
  if (all.inserted > 0) invalidateCountries(db);
  return all;
}
