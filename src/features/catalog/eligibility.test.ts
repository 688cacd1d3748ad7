import { describe, expect, it } from 'vitest';
import { eligibility, grantsEvisa } from './eligibility.ts';
import { referenceCountries } from './reference-data.ts';
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
