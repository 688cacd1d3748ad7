import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { referenceCountries } from '../src/features/catalog/reference-data.ts';
import { FROZEN_FROM_CLDR, frozenFile, frozenLanguages, frozenNames } from './freeze-countries.ts';

function committed(language: (typeof frozenLanguages)[number]): Record<string, string> {
  return JSON.parse(readFileSync(frozenFile(language), 'utf8'));
}

describe.each(frozenLanguages)('the country names in %s', (language) => {
  const names = committed(language);

  it('cover every nationality, the destination and Schengen, with no empty name', () => {
    const codes = [...referenceCountries.map(({ code }) => code), 'TUR', 'SCHENGEN'];
    expect(codes.filter((code) => !names[code]?.trim())).toEqual([]);
  });

  it('have the keys of the English file', () => {
    expect(Object.keys(names)).toEqual(Object.keys(committed('en')));
  });

  it('tell every nationality apart', () => {
    const shown = referenceCountries.map(({ code }) => names[code]);
    expect(new Set(shown).size).toBe(shown.length);
  });

  // Another CLDR may have other names; then only running the script changes the file.
  it.runIf(process.versions.cldr === FROZEN_FROM_CLDR)('are what the script writes', () => {
    expect(names).toEqual(frozenNames(language));
  });
});
