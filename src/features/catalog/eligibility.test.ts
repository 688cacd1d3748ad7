import { describe, expect, it } from 'vitest';
import catalog from '../../../locales/en/catalog.json';
import { eligibility, grantsEvisa } from './eligibility.ts';
import { referenceCountries, parseCountries } from './reference-data.ts';
import {
  isEligible,
  needsSupportingDocument,
  otherDocuments,
  stayRule,
  travelDocuments,
  type Country,
  type OtherDocument,
  type Regime,
} from './regime.ts';
import residenceFile from './data/residence-countries.tsv?raw';
import {
  firstResidenceCountries,
  furtherResidenceCountries,
  residenceCountries,
  supportingVisaCountries,
} from './supporting-documents.ts';
import { ageExemption, countryAgeNote, agedCountries } from './age-notes.ts';
import { documentPathConditions, notedCountries, countryNote } from './notes.ts';

const byCode = new Map(referenceCountries.map((country) => [country.code, country]));
function country(code: string) {
  const found = byCode.get(code);
  if (!found) throw new Error(`no ${code}`);
  return found;
}

describe('the reference data', () => {
  it('holds 201 nationalities, each once, and not Türkiye', () => {
    expect(referenceCountries).toHaveLength(201);
    expect(byCode.size).toBe(201);
    expect(new Set(referenceCountries.map(({ name }) => name)).size).toBe(201);
    expect(byCode.has('TUR')).toBe(false);
  });

  it('makes 38 nationalities eligible, 20 of them without a supporting document', () => {
    const eligible = referenceCountries.filter(isEligible);
    expect(eligible).toHaveLength(38);
    const without = eligible.filter((one) => !needsSupportingDocument(one));
    expect(without).toHaveLength(20);
    const short = without.filter((one) => one.entries === 'single');
    expect(short.map(({ code }) => code)).toEqual([
      'CYP',
      'FJI',
      'MEX',
      'NAM',
      'ZAF',
      'SUR',
      'TLS',
    ]);
    expect(short.every((one) => one.maxStayDays === 30)).toBe(true);
  });

  it('gives every supporting-document nationality 30 days and one entry', () => {
    const withDocument = referenceCountries.filter(needsSupportingDocument);
    expect(withDocument).toHaveLength(18);
    for (const one of withDocument)
      expect(one).toMatchObject({ maxStayDays: 30, entries: 'single' });
  });

  it('asks Taiwan and Vietnam for a supporting document: where sources disagree, the stricter holds', () => {
    expect(['TWN', 'VNM'].map((code) => needsSupportingDocument(country(code)))).toEqual([
      true,
      true,
    ]);
  });

  it('exempts official passports of some thirty nationalities and sells them no e-visa', () => {
    const exempt = referenceCountries.filter(
      ({ others }) => typeof others?.diplomatic === 'number',
    );
    expect(exempt.length).toBeGreaterThan(25);
    for (const one of referenceCountries) {
      for (const document of otherDocuments) {
        expect(grantsEvisa(eligibility(one, document)), `${one.code} ${document}`).toBe(false);
      }
    }
  });

  it('counts stays over 30 days in any 180, and shorter ones at each visit', () => {
    const free = referenceCountries.filter(({ regime }) => regime === 'visa_free');
    const perVisit = free.filter(({ maxStayDays }) => stayRule(maxStayDays ?? 0) === 'visit');
    expect(perVisit.map(({ code }) => code)).toEqual('BLR BRN CRI IDN MAC MNG THA'.split(' '));
  });

  it('names a source and the day it was checked for every fact', () => {
    expect(referenceCountries.filter(({ checkedOn }) => checkedOn < '2026-05-27')).toEqual([]);
    expect(referenceCountries.filter(({ source }) => source === '')).toEqual([]);
  });
});

describe('eligibility', () => {
  const evisa = { entries: 'single', validityDays: 180, stayDays: 30 };
  it.each([
    ['DEU', 'ordinary', { regime: 'visa_free', reason: 'visa_free', stayDays: 90 }],
    ['RUS', 'ordinary', { regime: 'visa_free', reason: 'visa_free', stayDays: 60 }],
    ['ZAF', 'ordinary', { regime: 'evisa', reason: 'evisa_available', ...evisa }],
    [
      'ARM',
      'ordinary',
      { regime: 'evisa', reason: 'evisa_available', ...evisa, entries: 'multiple' },
    ],
    [
      'GBN',
      'ordinary',
      {
        regime: 'evisa',
        reason: 'evisa_available',
        stayDays: 90,
        entries: 'multiple',
        validityDays: 180,
      },
    ],
    [
      'IND',
      'ordinary',
      { regime: 'evisa_with_document', reason: 'supporting_document_required', ...evisa },
    ],
    ['CUB', 'ordinary', { regime: 'no_evisa', reason: 'consular_visa' }],
    ['DEU', 'identity', { regime: 'visa_free', reason: 'visa_free_document', stayDays: 90 }],
    [
      'AUT',
      'identity',
      {
        regime: 'visa_free',
        reason: 'visa_free_passport',
        stayDays: 90,
        document: 'identity',
        needsVisa: false,
      },
    ],
    [
      'USA',
      'diplomatic',
      {
        regime: 'visa_free',
        reason: 'visa_free_passport',
        stayDays: 90,
        document: 'diplomatic',
        needsVisa: true,
      },
    ],
    ['ZAF', 'diplomatic', { regime: 'visa_free', reason: 'visa_free_document', stayDays: 30 }],
    ['IND', 'diplomatic', { regime: 'visa_free', reason: 'visa_free_document', stayDays: 90 }],
    ['ARM', 'service', { regime: 'no_evisa', reason: 'official_site_free' }],
    ['TWN', 'special', { regime: 'no_evisa', reason: 'official_site' }],
    ['NPL', 'diplomatic', { regime: 'no_evisa', reason: 'diplomatic_passport' }],
    ['IND', 'service', { regime: 'no_evisa', reason: 'service_passport' }],
    ['CUB', 'special', { regime: 'no_evisa', reason: 'special_passport' }],
  ] as const)('%s on %s document', (code, document, expected) => {
    expect(eligibility(country(code), document)).toEqual(expected);
  });

  /** What the data says of a document other than an ordinary passport, and the answer that has to follow. */
  function reasonFor({ regime, others }: Country, document: OtherDocument): string {
    const terms = others?.[document];
    if (typeof terms === 'number') return 'visa_free_document';
    if (terms === 'official_site' || terms === 'official_site_free') return terms;
    if (regime === 'visa_free') return 'visa_free_passport';
    return document === 'identity' ? 'identity_card' : `${document}_passport`;
  }
  const ordinary: Record<Regime, string> = {
    visa_free: 'visa_free',
    evisa: 'evisa_available',
    evisa_with_document: 'supporting_document_required',
    no_evisa: 'consular_visa',
  };

  const table = referenceCountries.flatMap((one) =>
    travelDocuments.map((document) => ({ one, document, name: `${one.code} ${document}` })),
  );
  it('is tested for every nationality and document', () => expect(table).toHaveLength(201 * 5));

  it.each(table)('gives $name its regime, reason and terms', ({ one, document }) => {
    const answer = eligibility(one, document);
    expect(answer.reason).toBe(
      document === 'ordinary' ? ordinary[one.regime] : reasonFor(one, document),
    );
    if (document === 'ordinary') expect(answer.regime).toBe(one.regime);
    expect(grantsEvisa(answer)).toBe(document === 'ordinary' && isEligible(one));
    if (grantsEvisa(answer)) {
      expect(answer).toMatchObject({
        stayDays: one.maxStayDays,
        entries: one.entries,
        validityDays: one.validityDays,
      });
    } else {
      expect(answer).not.toHaveProperty('entries');
      expect(answer).not.toHaveProperty('validityDays');
    }
  });

  it('throws on a stay that the data does not hold', () => {
    expect(() => eligibility({ ...country('ZAF'), maxStayDays: null }, 'ordinary')).toThrow('ZAF');
    expect(() => eligibility({ ...country('ZAF'), entries: null }, 'ordinary')).toThrow('ZAF');
  });
});

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

const noteOf = (code: string, age: number) =>
  countryAgeNote({ code, regime: 'evisa_with_document' }, age);

describe('what an age changes', () => {
  it.each([
    ['DZA', 14, 'visa_free'],
    ['DZA', 15, null],
    ['DZA', 17, null],
    ['DZA', 18, 'unclear'],
    ['DZA', 26, 'consulate'],
    ['DZA', 34, 'consulate'],
    ['DZA', 35, 'unclear'],
    ['DZA', 36, null],
    ['DZA', 65, null],
    ['DZA', 66, 'visa_free'],
    ['EGY', 14, 'no_document'],
    ['EGY', 15, null],
    ['EGY', 45, null],
    ['EGY', 46, 'no_document'],
    ['IRQ', 14, 'visa_free'],
    ['IRQ', 50, null],
    ['IRQ', 51, 'visa_free'],
    ['LBY', 15, 'visa_free'],
    ['LBY', 16, null],
    ['LBY', 46, 'visa_free'],
    ['ZAF', 26, null],
  ] as const)('%s at %i: %s', (code, age, note) => {
    expect(noteOf(code, age)).toBe(note);
  });

  it('goes with the regime that the note was written for', () => {
    expect(countryAgeNote({ code: 'DZA', regime: 'evisa' }, 26)).toBeNull();
  });

  it('exempts the ages that the note in the data exempts', () => {
    const written = referenceCountries.flatMap(({ code, note }) => {
      const [, under, over] = /under (\d+) or over (\d+)/i.exec(note) ?? [];
      return under && over ? [[code, Number(under), Number(over)]] : [];
    });
    const known = agedCountries.map((code) => {
      const { under, over } = ageExemption({ code, regime: 'evisa_with_document' }) ?? {};
      return [code, under, over];
    });
    expect(known.toSorted()).toEqual(written.toSorted());
    expect(ageExemption({ code: 'EGY', regime: 'evisa_with_document' })?.from).toBe('no_document');
    expect(ageExemption({ code: 'LBY', regime: 'evisa_with_document' })?.from).toBe('visa_free');
    expect(ageExemption({ code: 'EGY', regime: 'evisa' })).toBeNull();
    expect(ageExemption({ code: 'IND', regime: 'evisa_with_document' })).toBeNull();
  });

  it('is known for every nationality whose note in the data speaks of ages', () => {
    const spoken = referenceCountries
      .filter(({ regime, note }) => regime === 'evisa_with_document' && /\bages \d/i.test(note))
      .map(({ code }) => code);
    expect(agedCountries.toSorted()).toEqual(spoken.toSorted());
  });
});

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
    const noted = referenceCountries.filter((country) => countryNote(country));
    expect(noted.map(({ code }) => code).sort()).toEqual([...notedCountries].sort());
  });

  it('goes when the regime changes', () => {
    expect(countryNote({ code: 'DZA', regime: 'evisa_with_document' })).toBe('DZA');
    expect(countryNote({ code: 'DZA', regime: 'visa_free' })).toBeUndefined();
  });

  it('is not for nationalities without one', () => {
    expect(countryNote({ code: 'ZAF', regime: 'evisa' })).toBeUndefined();
    expect(countryNote({ code: 'constructor', regime: 'evisa' })).toBeUndefined();
  });
});

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
