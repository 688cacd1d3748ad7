import { describe, expect, it } from 'vitest';
import residenceFile from './data/residence-countries.tsv?raw';
import { referenceCountries } from './reference-data.ts';
import {
  firstResidenceCountries,
  furtherResidenceCountries,
  residenceCountries,
  supportingVisaCountries,
} from './supporting-documents.ts';

describe('supporting documents', () => {
  const marked = (listed: string) =>
    residenceFile
      .split('\n')
      .filter((line) => line.endsWith(`\t${listed}`))
      .map((line) => line.slice(0, 3));

  it('offer every residence permit of the data file, the 20 of the specification first', () => {
    expect(firstResidenceCountries).toEqual(marked('first'));
    expect(firstResidenceCountries).toHaveLength(20);
    expect(furtherResidenceCountries).toEqual(marked('further'));
    expect(residenceCountries).toEqual([...marked('first'), ...marked('further')]);
  });

  it('offer the permit of every Schengen state', () => {
    const schengen =
      'AUT BEL BGR HRV CZE DNK EST FIN FRA DEU GRC HUN ISL ITA LVA LIE LTU LUX MLT NLD NOR POL PRT ROU SVK SVN ESP SWE CHE';
    const missing = schengen
      .split(' ')
      .filter((state) => !residenceCountries.some((code) => code === state));
    expect(missing).toEqual([]);
  });

  it('offer visas of Ireland, Schengen, the United States and the United Kingdom', () => {
    expect(supportingVisaCountries).toEqual(['IRL', 'SCHENGEN', 'USA', 'GBR']);
  });

  it('name real countries', () => {
    const codes = new Set(referenceCountries.map(({ code }) => code));
    expect(residenceCountries.filter((code) => !codes.has(code))).toEqual([]);
  });
});
