import { describe, expect, it } from 'vitest';
import { parseCountries } from './country-file.ts';

const header =
  'iso3,iso2,name_en,regime,max_stay_days,evisa_entries,supporting_document_required,identity_card,diplomatic,service,special,note,source,checked\n';

describe('the country file', () => {
  it('keeps commas and quotes inside quoted fields', () => {
    const [country] = parseCountries(
      `${header}DZA,DZ,Algeria,evisa,30,single,yes,,90,official_site,visa,"ages 15-18, 35-65 ""only""",mfa.gov.tr,2026-05-27\n`,
    );
    expect(country).toEqual({
      id: 'DZA',
      code: 'DZA',
      iso2: 'DZ',
      name: 'Algeria',
      regime: 'evisa_with_document',
      maxStayDays: 30,
      entries: 'single',
      validityDays: 180,
      others: { diplomatic: 90, service: 'official_site', special: 'visa' },
      checkedOn: '2026-05-27',
      note: 'ages 15-18, 35-65 "only"',
      source: 'mfa.gov.tr',
    });
  });

  it('reads a nationality without an ISO code, an empty stay and an empty note', () => {
    const [hongKong, cuba] = parseCountries(
      `${header}GBN,,Hong Kong,evisa,90,multiple,no,,,,,,x,2026-05-27\r\nCUB,CU,Cuba,sticker_visa,,,no,,,,,,x,2026-05-27\r\n`,
    );
    expect(hongKong).toMatchObject({ iso2: null, regime: 'evisa', entries: 'multiple', note: '' });
    expect(hongKong).not.toHaveProperty('others');
    expect(cuba).toMatchObject({ regime: 'no_evisa', maxStayDays: null, validityDays: null });
  });

  it.each([
    ['an unknown regime', 'CUB,CU,Cuba,maybe,,,no,,,,,,x,2026-05-27'],
    ['a missing column', 'CUB,CU,Cuba,sticker_visa,,,no,,x,2026-05-27'],
    ['an e-visa without entries', 'ZAF,ZA,South Africa,evisa,30,,no,,,,,,x,2026-05-27'],
    ['a visa-free stay without days', 'DEU,DE,Germany,visa_free,,,no,,,,,,x,2026-05-27'],
    ['a wrong code', 'DE,DE,Germany,visa_free,90,,no,,,,,,x,2026-05-27'],
    ['a stay that is no number', 'DEU,DE,Germany,visa_free,ninety,,no,,,,,,x,2026-05-27'],
    ['unknown terms of a document', 'DEU,DE,Germany,visa_free,90,,no,maybe,,,,,x,2026-05-27'],
    ['no day on which it was checked', 'DEU,DE,Germany,visa_free,90,,no,,,,,,x,'],
  ])('refuses %s and names the line', (_, line) => {
    expect(() => parseCountries(header + line)).toThrow('line 2');
  });
});
