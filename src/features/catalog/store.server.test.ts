import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { databaseErrorOf } from '~/platform/log/database-error.server.ts';
import { useDatabase } from '../../../test/database.ts';
import { referenceCountries } from './reference-data.ts';
import { seedAll, seedCatalog } from './seed.server.ts';
import { allCountries, countryByCode, invalidateCountries } from './store.server.ts';
import { country } from './tables.server.ts';

const { db, url } = await useDatabase();
const now = new Date('2026-11-23T10:00:00Z');
const clock = () => now;
const seed = () => seedAll(db, [seedCatalog], now);

beforeEach(async () => {
  await db.delete(country);
  invalidateCountries(db);
});

describe('seeding', () => {
  it('fills an empty table with every country of the file', async () => {
    expect(await seed()).toEqual({ counts: { countries: 201 }, inserted: 201 });
    expect(new Set(await allCountries({ db, now: clock }))).toEqual(new Set(referenceCountries));
  });

  it('adds nothing the second time', async () => {
    await seed();
    expect(await seed()).toEqual({ counts: { countries: 201 }, inserted: 0 });
  });

  it("leaves the desk's settings alone, a deleted country included", async () => {
    await seed();
    await db.update(country).set({ maxStayDays: 60 }).where(eq(country.code, 'ZAF'));
    await db.delete(country).where(eq(country.code, 'CUB'));
    expect(await seed()).toEqual({ counts: { countries: 200 }, inserted: 0 });
    invalidateCountries(db);
    expect(await countryByCode({ db, now: clock }, 'ZAF')).toMatchObject({ maxStayDays: 60 });
    expect(await countryByCode({ db, now: clock }, 'CUB')).toBeUndefined();
  });

  it('happens once when processes start together', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, seed));
    expect(all.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(201);
    expect(all.every(({ counts }) => counts.countries === 201)).toBe(true);
  });

  it("adds up every feature's seeder and keeps nothing when one fails", async () => {
    const plans = async () => ({ counts: { plans: 7 }, inserted: 2 });
    const fails = async () => {
      throw new Error('no plans');
    };
    await expect(seedAll(db, [seedCatalog, fails], now)).rejects.toThrow('no plans');
    expect(await allCountries({ db, now: clock })).toEqual([]);
    expect(await seedAll(db, [seedCatalog, plans], now)).toEqual({
      counts: { countries: 201, plans: 7 },
      inserted: 203,
    });
  });
});

describe('the countries', () => {
  it('are cached until they are invalidated', async () => {
    await seed();
    const before = await allCountries({ db, now: clock });
    await db.update(country).set({ maxStayDays: 60 }).where(eq(country.code, 'ZAF'));
    expect(await allCountries({ db, now: clock })).toBe(before);
    invalidateCountries(db);
    expect(await countryByCode({ db, now: clock }, 'ZAF')).toMatchObject({ maxStayDays: 60 });
  });

  it('are not cached while the table is empty', async () => {
    expect(await allCountries({ db, now: clock })).toEqual([]);
    await db.transaction((tx) => seedCatalog(tx, now));
    expect(await allCountries({ db, now: clock })).toHaveLength(201);
  });

  it('are asked for again after a failure', async () => {
    const other = openDatabase(url);
    await other.close();
    await expect(allCountries({ db: other.db, now: clock })).rejects.toThrow();
    await expect(allCountries({ db: other.db, now: clock })).rejects.toThrow();
    await seed();
    expect(await allCountries({ db, now: clock })).toHaveLength(201);
  });

  it('are found by their code in any case', async () => {
    await seed();
    expect(await countryByCode({ db, now: clock }, 'zaf')).toMatchObject({
      id: 'ZAF',
      name: 'South Africa',
    });
    expect(await countryByCode({ db, now: clock }, 'ZZZ')).toBeUndefined();
    expect(await countryByCode({ db, now: clock }, '')).toBeUndefined();
  });
});

describe('the table', () => {
  it.each([
    ['a stay is missing', { maxStayDays: null }],
    ['a stay is zero', { maxStayDays: 0 }],
    ['entries are missing', { entries: null }],
    ['a visa-free country has entries', { regime: 'visa_free' }],
    ['the regime is unknown', { regime: sql`'maybe'` }],
    ['the entries are unknown', { entries: sql`'some'` }],
    ['the code is not three letters', { code: 'ZA' }],
  ] as const)('refuses a row where %s', async (_, change) => {
    await seed();
    const refused = db.update(country).set(change).where(eq(country.code, 'ZAF'));
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => databaseErrorOf(reason),
    );
    expect(error?.code).toBe('23514');
  });
});
