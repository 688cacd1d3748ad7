import { describe, expect, it } from 'vitest';
import catalog from '../../../locales/en/catalog.json';
import { eligibility } from './eligibility.ts';
import { documentPathConditions, notedCountries, noteFor } from './notes.ts';
import { referenceCountries } from './reference-data.ts';
import { travelDocuments } from './regime.ts';

describe('the words of the catalog', () => {
  it('exist for every reason that eligibility gives', () => {
    const reasons = referenceCountries.flatMap((country) =>
      travelDocuments.map((document) => eligibility(country, document).reason),
    );
    for (const reason of new Set(reasons)) {
      expect(catalog.eligibility[reason].title).toBeTruthy();
    }
    expect(Object.keys(catalog.eligibility).sort()).toEqual([...new Set(reasons)].sort());
  });

  it('exist for every travel document and every condition', () => {
    expect(catalog.travelDocument).toMatchObject(
      Object.fromEntries(travelDocuments.map((document) => [document, expect.any(String)])),
    );
    expect(Object.keys(catalog.conditions)).toEqual(['intro', ...documentPathConditions]);
  });

  it('exist for every noted nationality, and no other', () => {
    expect(Object.keys(catalog.notes).sort()).toEqual([...notedCountries].sort());
  });
});

describe('a note', () => {
  it('is shown under the regime it was written for', () => {
    const noted = referenceCountries.filter((country) => noteFor(country));
    expect(noted.map(({ code }) => code).sort()).toEqual([...notedCountries].sort());
  });

  it('goes when the regime changes', () => {
    expect(noteFor({ code: 'DZA', regime: 'evisa_with_document' })).toBe('DZA');
    expect(noteFor({ code: 'DZA', regime: 'visa_free' })).toBeUndefined();
  });

  it('is not for nationalities without one', () => {
    expect(noteFor({ code: 'ZAF', regime: 'evisa' })).toBeUndefined();
    expect(noteFor({ code: 'constructor', regime: 'evisa' })).toBeUndefined();
  });
});
