import { describe, expect, it } from 'vitest';
import {
  countryName,
  countryOptions,
  placeName,
  residenceOptions,
  supportingVisaOptions,
} from './names.server.ts';
import { referenceCountries } from './reference-data.ts';

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
