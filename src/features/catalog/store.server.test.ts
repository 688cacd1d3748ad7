import { isDeepStrictEqual } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { findDatabaseError } from '~/platform/log/database-error.server.ts';
import { toPlainDate, UTC } from '~/base/dates/dates.ts';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { decideSetting, sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { useDatabase } from '../../../test/database.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { referenceCountries } from './reference-data.ts';
import { seedAll, seedCatalog } from './seed.server.ts';
import { allCountries, countryByCode, invalidateCountries } from './store.server.ts';
import { country } from './tables.server.ts';
import { eligibility } from './eligibility.ts';
import type { RegimeValue } from './regime-change.server.ts';
import { catalogApi } from './api.server.ts';
import { countriesAnswer, seedAnswer, type CountryAnswer } from './country-answer.ts';
import {
  countryName,
  countryOptions,
  placeName,
  residenceOptions,
  supportingVisaOptions,
} from './names.server.ts';

describe('store', async () => {
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
        (reason: unknown) => findDatabaseError(reason),
      );
      expect(error?.code).toBe('23514');
    });
  });
});

describe('regime change', async () => {
  const NOW = new Date('2026-11-23T10:00:00Z');
  const platform = await makeTestPlatform({ now: NOW });
  await seedAll(platform.db, seeders, NOW);
  const app = makeTestApp(platform);

  const evisa: RegimeValue = {
    regime: 'evisa',
    maxStayDays: 30,
    entries: 'single',
    source: 'Official Gazette, 1 December 2026',
    sourceAddress: 'https://gazette.example/1',
    note: '',
    checkedOn: toPlainDate(NOW, UTC),
  };

  async function setRegimes(values: Record<string, RegimeValue>, validFrom: Date | null) {
    const kept = await decideSetting(
      platform.db,
      {
        section: 'countries',
        values,
        validFrom,
        reason: 'A test',
        staffId: await storeStaffId(platform.db),
        seen: sectionVersion(await readSettings(platform.db), 'countries'),
        now: platform.now(),
      },
      () => true,
      async () => undefined,
    );
    if (!kept.ok) throw new Error(kept.error);
  }

  const page = async (path: string) => (await app.request(path)).text();

  describe('a regime', () => {
    it('changes at its moment, everywhere', async () => {
      const moment = new Date('2026-12-01T00:00:00Z');
      await setRegimes({ CUB: evisa }, moment);
      const answer = async () => {
        const response = await app.request('/api/countries?language=en');
        const countries: { code: string; isEligible: boolean }[] = await response.json();
        return {
          call: countries.find(({ code }) => code === 'CUB')?.isEligible,
          card: (await page('/en?countryId=CUB')).includes('E-visa available'),
          list: (await page('/en/requirements')).includes('Cuba'),
        };
      };
      platform.clock.set(new Date(moment.getTime() - 1));
      expect(await answer()).toEqual({ call: false, card: false, list: false });
      platform.clock.set(moment);
      expect(await answer()).toEqual({ call: true, card: true, list: true });
      expect(await countryByCode(platform, 'CUB')).toMatchObject({
        regime: 'evisa',
        maxStayDays: 30,
        validityDays: 180,
      });
    });

    it('is kept by browsers no longer than it holds', async () => {
      await setRegimes({ ZAF: evisa }, new Date(platform.now().getTime() + 90_000));
      const response = await app.request('/api/countries');
      expect(response.headers.get('cache-control')).toBe('public, max-age=90');
    });

    it('may exempt another document, and leaves the others as they were', async () => {
      const exempt = { ...evisa, regime: 'visa_free' as const, maxStayDays: 60, entries: null };
      await setRegimes({ 'DZA.service': exempt }, null);
      const found = await countryByCode(platform, 'DZA');
      if (!found) throw new Error('no country');
      expect(eligibility(found, 'service')).toEqual({
        regime: 'visa_free',
        reason: 'visa_free_document',
        stayDays: 60,
      });
      expect(eligibility(found, 'diplomatic')).toMatchObject({ stayDays: 90 });
      expect(eligibility(found, 'ordinary').regime).toBe('evisa_with_document');
      const html = await page('/en?countryId=DZA&documentType=service');
      expect(html).toContain('with this document: no visa for 60 days in any 180');
    });

    it('leaves every other country as it was', async () => {
      const before = await allCountries(platform);
      await setRegimes({ DEU: evisa }, null);
      const after = await allCountries(platform);
      const changed = after.filter((country, index) => !isDeepStrictEqual(country, before[index]));
      expect(changed.map(({ code }) => code)).toEqual(['DEU']);
    });
  });
});

describe('api', async () => {
  const { db } = await useDatabase();
  const now = () => new Date('2026-11-23T10:00:00Z');
  const plans = async () => ({ counts: { plans: 7 }, inserted: 0 });
  const app = catalogApi({ db, now }, [seedCatalog, plans]);

  await app.request('/api/seed', { method: 'POST' });

  async function countries(path = '', headers: HeadersInit = {}): Promise<CountryAnswer[]> {
    const response = await app.request(`/api/countries${path}`, { headers });
    expect(response.status).toBe(200);
    return countriesAnswer.parse(await response.json());
  }

  describe('GET /api/countries', () => {
    it('answers 201 nationalities, 38 of them eligible', async () => {
      const list = await countries();
      expect(list).toHaveLength(201);
      expect(list.filter(({ isEligible }) => isEligible)).toHaveLength(38);
      expect(
        list.filter(({ supportingDocumentRequired }) => supportingDocumentRequired),
      ).toHaveLength(18);
    });

    it.each([
      {
        id: 'ZAF',
        code: 'ZAF',
        name: 'South Africa',
        flag: '🇿🇦',
        isEligible: true,
        supportingDocumentRequired: false,
        regime: 'evisa',
        stayDays: 30,
        entries: 'single',
        validityDays: 180,
      },
      {
        id: 'IND',
        code: 'IND',
        name: 'India',
        flag: '🇮🇳',
        isEligible: true,
        supportingDocumentRequired: true,
        regime: 'evisa_with_document',
        stayDays: 30,
        entries: 'single',
        validityDays: 180,
      },
      {
        id: 'DEU',
        code: 'DEU',
        name: 'Germany',
        flag: '🇩🇪',
        isEligible: false,
        supportingDocumentRequired: false,
        regime: 'visa_free',
        stayDays: 90,
        entries: null,
        validityDays: null,
      },
      {
        id: 'CUB',
        code: 'CUB',
        name: 'Cuba',
        flag: '🇨🇺',
        isEligible: false,
        supportingDocumentRequired: false,
        regime: 'no_evisa',
        stayDays: null,
        entries: null,
        validityDays: null,
      },
    ])('answers $name with its terms', async (expected) => {
      expect((await countries()).find(({ id }) => id === expected.id)).toMatchObject(expected);
    });

    it('says what other documents need, the source, and when it was checked', async () => {
      const list = await countries();
      const unknown = { needs: 'unknown', stayDays: null };
      expect(list.find(({ id }) => id === 'IND')).toMatchObject({
        otherDocuments: {
          diplomatic: { needs: 'no_visa', stayDays: 90 },
          service: unknown,
          special: unknown,
          identity: unknown,
        },
        source: expect.stringContaining('mfa.gov.tr'),
        checkedOn: '2026-05-27',
      });
      const armenia = list.find(({ id }) => id === 'ARM');
      expect(armenia?.otherDocuments.service.needs).toBe('evisa_on_official_site');
      const america = list.find(({ id }) => id === 'USA');
      expect(america?.otherDocuments.diplomatic.needs).toBe('visa');
    });

    it('names and sorts in the language asked for', async () => {
      const german = await countries('?language=de');
      expect(german.find(({ id }) => id === 'ZAF')?.name).toBe('Südafrika');
      const names = german.map(({ name }) => name);
      expect(names.indexOf('Ägypten')).toBeLessThan(names.indexOf('Albanien'));
      expect((await countries('?language=ar')).find(({ id }) => id === 'EGY')?.name).toBe('مصر');
    });

    it("takes the browser's language, and English where that has no texts", async () => {
      const named = async (language: string) =>
        (await countries('', { 'Accept-Language': language })).find(({ id }) => id === 'DEU')?.name;
      expect(await named('fr-CH, en;q=0.5')).toBe('Allemagne');
      expect(await named('ja')).toBe('Germany');
    });

    it('may be kept for ten minutes, per language', async () => {
      const response = await app.request('/api/countries?language=tr');
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=600');
      expect(response.headers.get('Vary')).toBe('Accept-Language');
      expect(response.headers.get('Content-Language')).toBe('tr');
    });

    it('answers 304 to a client that has this version', async () => {
      const first = await app.request('/api/countries');
      const tag = first.headers.get('ETag') ?? '';
      expect(tag).toMatch(/^W\/".+"$/);
      const again = await app.request('/api/countries', { headers: { 'If-None-Match': tag } });
      expect(again.status).toBe(304);
      expect(again.headers.get('Cache-Control')).toBe('public, max-age=600');
      const other = await app.request('/api/countries?language=es', {
        headers: { 'If-None-Match': tag },
      });
      expect(other.status).toBe(200);
    });
  });

  describe('POST /api/seed', () => {
    it("answers every feature's counts and adds nothing to what is there", async () => {
      const response = await app.request('/api/seed', { method: 'POST' });
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      const answer = seedAnswer.parse(await response.json());
      expect(answer).toEqual({ countries: 201, plans: 7, inserted: 0 });
    });
  });
});

describe('country names', () => {
  it('are those of the language', () => {
    const southAfrica = { code: 'ZAF', name: 'South Africa' };
    expect(countryName(southAfrica, 'tr')).toBe('Güney Afrika');
    expect(countryName(southAfrica, 'ar')).toBe('جنوب أفريقيا');
  });

  it('are English where a language has none yet', () => {
    expect(countryName({ code: 'QQQ', name: 'Newland' }, 'fr')).toBe('Newland');
  });

  it('tell the nationality from the place', () => {
    expect(countryName({ code: 'GBR', name: 'x' }, 'en')).toBe('United Kingdom (British citizen)');
    expect(placeName('GBR', 'en')).toBe('United Kingdom');
    expect(placeName('TUR', 'en')).toBe('Türkiye');
    expect(placeName('FRA', 'de')).toBe('Frankreich');
  });
});

describe('options', () => {
  it('hold every nationality once, sorted for readers of the language', () => {
    const german = countryOptions(referenceCountries, 'de');
    expect(new Set(german.map(({ id }) => id)).size).toBe(201);
    const names = german.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['Afghanistan', 'Ägypten', 'Albanien']);
    const turkish = countryOptions(referenceCountries, 'tr').map(({ name }) => name);
    expect(turkish.indexOf('Çin')).toBeGreaterThan(turkish.indexOf('Cibuti'));
    expect(turkish.indexOf('Çin')).toBeLessThan(turkish.indexOf('Danimarka'));
  });

  it('carry the English name only where it differs', () => {
    const german = countryOptions(referenceCountries, 'de');
    expect(german.find(({ id }) => id === 'DEU')).toEqual({
      id: 'DEU',
      name: 'Deutschland',
      english: 'Germany',
    });
    expect(german.find(({ id }) => id === 'CUB')).toEqual({
      id: 'CUB',
      name: 'Kuba',
      english: 'Cuba',
    });
    expect(german.find(({ id }) => id === 'PER')).toEqual({ id: 'PER', name: 'Peru' });
  });

  it('of supporting documents are four visas and all residence permits, twenty of them first', () => {
    expect(supportingVisaOptions('en').map(({ name }) => name)).toEqual([
      'Ireland',
      'Schengen area',
      'United States',
      'United Kingdom',
    ]);
    const { first, further } = residenceOptions('en');
    expect(first).toHaveLength(20);
    expect(first[0]?.name).toBe('Austria');
    expect(first.at(-1)?.name).toBe('United States');
    expect(further).toHaveLength(12);
    expect(further[0]?.name).toBe('Bulgaria');
    expect(further.at(-1)?.name).toBe('Slovenia');
  });
});
