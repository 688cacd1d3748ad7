import { describe, expect, it } from 'vitest';
import residenceFile from './data/residence-countries.tsv?raw';
import { referenceCountries } from './reference-data.ts';
import { residenceCountries, supportingVisaCountries } from './supporting-documents.ts';

describe('supporting documents', () => {
  it('offer the 20 residence permits that the data file marks, in its order', () => {
    const offered = residenceFile
      .split('\n')
      .filter((line) => line.endsWith('\tyes'))
      .map((line) => line.slice(0, 3));
    expect(residenceCountries).toEqual(offered);
    expect(residenceCountries).toHaveLength(20);
  });

  it('offer visas of Ireland, Schengen, the United States and the United Kingdom', () => {
    expect(supportingVisaCountries).toEqual(['IRL', 'SCHENGEN', 'USA', 'GBR']);
  });

  it('name real countries', () => {
    const codes = new Set(referenceCountries.map(({ code }) => code));
    expect(residenceCountries.filter((code) => !codes.has(code))).toEqual([]);
  });
});
