import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { catalogApi } from './api.server.ts';
import { countriesAnswer, seedAnswer, type CountryAnswer } from './country-answer.ts';
import { seedCatalog } from './seed.server.ts';

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
