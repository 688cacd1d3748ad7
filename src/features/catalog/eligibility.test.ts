import { describe, expect, it } from 'vitest';
import { eligibility, grantsEvisa } from './eligibility.ts';
import { referenceCountries } from './reference-data.ts';
import { isEligible, needsSupportingDocument, travelDocuments, type Regime } from './regime.ts';

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

  it('makes 38 nationalities eligible, 21 of them without a supporting document', () => {
    const eligible = referenceCountries.filter(isEligible);
    expect(eligible).toHaveLength(38);
    const without = eligible.filter((one) => !needsSupportingDocument(one));
    expect(without).toHaveLength(21);
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
    expect(withDocument).toHaveLength(17);
    for (const one of withDocument)
      expect(one).toMatchObject({ maxStayDays: 30, entries: 'single' });
  });

  it('names a source for every fact', () => {
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
    ['DEU', 'identity', { regime: 'no_evisa', reason: 'identity_card' }],
    ['ZAF', 'diplomatic', { regime: 'no_evisa', reason: 'diplomatic_passport' }],
    ['IND', 'service', { regime: 'no_evisa', reason: 'service_passport' }],
    ['CUB', 'special', { regime: 'no_evisa', reason: 'special_passport' }],
  ] as const)('%s on %s document', (code, document, expected) => {
    expect(eligibility(country(code), document)).toEqual(expected);
  });

  const reasons: Record<Regime, Record<(typeof travelDocuments)[number], string>> = {
    visa_free: row('visa_free'),
    evisa: row('evisa_available'),
    evisa_with_document: row('supporting_document_required'),
    no_evisa: row('consular_visa'),
  };
  function row(ordinary: string) {
    return {
      ordinary,
      diplomatic: 'diplomatic_passport',
      service: 'service_passport',
      special: 'special_passport',
      identity: 'identity_card',
    };
  }

  const table = referenceCountries.flatMap((one) =>
    travelDocuments.map((document) => ({ one, document, name: `${one.code} ${document}` })),
  );
  it('is tested for every nationality and document', () => expect(table).toHaveLength(201 * 5));

  it.each(table)('gives $name its regime, reason and terms', ({ one, document }) => {
    const answer = eligibility(one, document);
    expect(answer.reason).toBe(reasons[one.regime][document]);
    expect(answer.regime).toBe(document === 'ordinary' ? one.regime : 'no_evisa');
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
