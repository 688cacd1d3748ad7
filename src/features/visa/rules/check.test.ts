import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { eligibility, grantsEvisa } from '~/features/catalog/eligibility.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { travelDocuments } from '~/features/catalog/regime.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { addMonths, toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import type { VisaAnswers, CountryTerms } from './answers.ts';
import { check } from './check.ts';
import { questions, type VisaField, fields } from './questions.ts';
import { completeAnswers, countries, exemptAnswers, NOW } from '../testing/sample-answers.ts';

const { southAfrica, india, germany, cuba } = countries;

/** The code at a field when these answers replace valid ones. */
function codeAt(
  field: VisaField,
  changes: VisaAnswers,
  country: CountryTerms | null = southAfrica,
) {
  const answers = { ...completeAnswers(country ?? southAfrica), ...changes };
  return check(answers, { now: NOW, country, office: firstOffice, readPhone }).problems.find(
    (one) => one.field === field,
  )?.code;
}

describe('a South African without a supporting document', () => {
  test.each<[VisaField, string, string | undefined]>([
    ['countryId', '', 'required'],
    ['countryId', 'X', 'unknown'],
    ['documentType', '', 'required'],
    ['documentType', 'library_card', 'unknown'],
    ['documentType', 'diplomatic', 'no_evisa'],
    ['purpose', '', 'required'],
    ['purpose', 'trade', undefined],
    ['arrivalDate', '', 'required'],
    ['arrivalDate', '15/01/2027', 'date_invalid'],
    ['arrivalDate', '2027-02-30', 'date_invalid'],
    ['arrivalDate', '?year_digits', 'year_digits'],
    ['arrivalDate', '?no_such_day', 'no_such_day'],
    ['arrivalDate', '?day', 'date_invalid'],
    ['arrivalDate', '2026-11-22', 'past'],
    ['arrivalDate', '2026-11-23', 'too_soon'],
    ['arrivalDate', '2036-12-31', undefined],
    ['arrivalDate', '2037-01-01', 'too_far'],
    ['processingType', '', 'required'],
    ['processingType', 'slow', 'unknown'],
    ['processingType', 'warp', 'unknown'],
    ['firstName', '', 'required'],
    ['firstName', '   ', 'required'],
    ['firstName', '…', 'no_name'],
    ['firstName', 'Anne & Co', 'characters'],
    ['firstName', 'Мария', 'not_latin'],
    ['firstName', 'Thandi2', 'digits'],
    ['firstName', 'ثاندي٢', 'digits'],
    ['lastName', '-', 'no_name'],
    ['lastName', 'Na', undefined],
    ['lastName', '', 'required'],
    ['lastName', 'x'.repeat(61), 'too_long'],
    ['firstName', 'Ɗanjuma', 'not_printed'],
    ['lastName', 'Raj a/l Kumar', undefined],
    ['lastName', 'Col·lell', undefined],
    ['lastName', 'ＷＡＮＧ', undefined],
    ['passportNumber', 'Ｅ１２３４５６７８', undefined],
    ['passportNumber', '№ 1234567', 'characters'],
    ['passportNumber', '', 'required'],
    ['passportNumber', 'A 012-345 67', undefined],
    ['passportNumber', 'A1234567#', 'characters'],
    ['passportNumber', 'A1', 'too_short'],
    ['passportNumber', 'PASSPORT', 'no_digit'],
    ['passportNumber', '000000000', 'all_alike'],
    ['passportNumber', '٠٠٠٠٠٠٠٠٠', 'all_alike'],
    ['passportNumber', 'A0000000', undefined],
    ['dateOfBirth', '', 'required'],
    ['dateOfBirth', '2026-11-24', 'future'],
    ['dateOfBirth', '1906-11-23', undefined],
    ['dateOfBirth', '1905-11-23', 'too_old'],
    ['placeOfBirth', '', 'required'],
    ['placeOfBirth', 'X', 'too_short'],
    ['placeOfBirth', 'Å', undefined],
    ['placeOfBirth', 'Y', undefined],
    ['placeOfBirth', 'Ö', undefined],
    ['placeOfBirth', 'ＷＵＨＡＮ', undefined],
    ['motherName', 'O', undefined],
    ['fatherName', 'Ø', undefined],
    ['fatherName', 'Ramli A/L', undefined],
    ['placeOfBirth', 'Ày', undefined],
    ['placeOfBirth', 'دمشق', 'not_latin'],
    ['placeOfBirth', '12', 'no_letter'],
    ['placeOfBirth', 'Durban 😀', 'characters'],
    ['motherName', 'N/A', 'no_name'],
    ['fatherName', '-', 'no_name'],
    ['motherName', 'Z', 'too_short'],
    ['fatherName', '', 'required'],
    ['address', 'Too short', 'too_short'],
    ['address', 'Longenough', undefined],
    ['address', 'First line\nSecond line', undefined],
    ['address', '12 Marine Parade 🏠, Durban', 'characters'],
    ['address', '12 Marine Parade ❤️, Durban', 'characters'],
    [
      'address',
      "Flat #4 (2nd floor), 12½ O'Connor St. & Co., C/ Mayor 3 – 1º A; nº 5: №7",
      undefined,
    ],
    ['email', '', 'required'],
    ['email', 'thandi@mail', 'invalid'],
    ['email', 'thandi mail@example.org', 'invalid'],
    ['email', 'thandi@example..org', 'invalid'],
    ['email', 'thandi@example.org.', 'invalid'],
    ['email', 'a,b@c.de', 'invalid'],
    ['email', 'thandi@gmial.com', undefined],
    ['email', ' t@e.za ', undefined],
    ['phone', '', 'required'],
    ['phone', 'call me', 'invalid'],
    ['phone', '٠٠٩٦٣ ١١ ٥٥٥ ٠١٤٢', undefined],
    ['phone', '０８２ ۱۲۳ ४५६७', undefined],
    ['phone', '082 123 4567', undefined],
    ['phone', '0171 1234567', 'not_in_country'],
    ['phone', '+27 82 123 4567 89', 'not_possible'],
    ['passportIssueDate', '', 'required'],
    ['passportIssueDate', '2026-11-24', 'future'],
    ['passportIssueDate', '1989-01-01', 'before_birth'],
    ['passportIssueDate', '1960-01-01', 'too_old'],
    ['passportExpiryDate', '', 'required'],
    ['passportExpiryDate', '2026-11-23', 'expired'],
    ['passportExpiryDate', '2027-07-14', 'six_months'],
    ['passportExpiryDate', '2027-07-15', undefined],
    ['passportExpiryDate', '2072-01-01', 'valid_too_long'],
  ])('%s "%s" is answered with %s', (field, answer, code) => {
    expect(codeAt(field, { [field]: answer })).toBe(code);
  });

  it('has a number of the country chosen beside it, and not of the nationality’s', () => {
    const phone = '082 123 4567';
    expect(codeAt('phone', { phone, phoneCountry: 'ZAF' })).toBeUndefined();
    expect(codeAt('phone', { phone, phoneCountry: 'MEX' })).toBe('not_in_country');
    expect(codeAt('phone', { phone: '33 1234 5678', phoneCountry: 'MEX' })).toBeUndefined();
    expect(codeAt('phone', { phone: '+27 82 123 4567', phoneCountry: 'MEX' })).toBeUndefined();
  });

  it('is told the limit of a text that is too long', () => {
    const answers = { ...completeAnswers(southAfrica), lastName: 'x'.repeat(61) };
    expect(
      check(answers, { now: NOW, country: southAfrica, office: firstOffice, readPhone }).problems,
    ).toEqual([{ field: 'lastName', code: 'too_long', count: 60 }]);
  });

  it('has passport dates in their order', () => {
    const dates = { passportIssueDate: '2026-11-20', passportExpiryDate: '2032-02-28' };
    expect(codeAt('passportIssueDate', dates)).toBeUndefined();
    const swapped = { passportIssueDate: '2026-01-01', passportExpiryDate: '2025-12-31' };
    expect(codeAt('passportExpiryDate', swapped)).toBe('expired');
  });

  it.each([
    ['2022-05-10', '2060-05-10', 38],
    ['2011-06-30', '2031-07-01', 20],
    ['2001-06-30', '2031-06-30', 30],
    ['2011-06-30', '2031-06-30', undefined],
  ])('is asked about a passport of %s to %s', (passportIssueDate, passportExpiryDate, years) => {
    const answers = { ...completeAnswers(southAfrica), passportIssueDate, passportExpiryDate };
    const { problems } = check(answers, {
      now: NOW,
      country: southAfrica,
      office: firstOffice,
      readPhone,
    });
    const found = { field: 'passportExpiryDate', code: 'valid_too_long', count: years };
    expect(problems).toEqual(years === undefined ? [] : [found]);
  });

  it('confirms a name only where the lines spell it otherwise', () => {
    expect(codeAt('nameConfirmed', { firstName: 'Zoë' })).toBe('required');
    expect(codeAt('nameConfirmed', { firstName: 'Zoë', nameConfirmed: 'yes' })).toBeUndefined();
    expect(codeAt('nameConfirmed', { firstName: 'Zoe' })).toBeUndefined();
  });

  it('is not asked for what belongs to a supporting document', () => {
    const answers = { visaCountry: 'nowhere', supportingDocumentEndDate: 'never' };
    const { problems, values } = check(
      { ...completeAnswers(southAfrica), ...answers },
      { now: NOW, country: southAfrica, office: firstOffice, readPhone },
    );
    expect(problems).toEqual([]);
    expect(values).not.toHaveProperty('visaCountry');
  });

  it('may not choose a speed that is too slow for the arrival', () => {
    const soon = { arrivalDate: '2026-11-26' };
    expect(codeAt('processingType', { ...soon, processingType: 'standard' })).toBe('too_slow');
    expect(codeAt('processingType', { ...soon, processingType: 'fast' })).toBeUndefined();
  });
});

describe('an Egyptian, whose age decides about the supporting document', () => {
  const { egypt, libya } = countries;
  const problems = (changes: VisaAnswers, country: CountryTerms = egypt) =>
    check({ ...exemptAnswers, ...changes }, { now: NOW, country, office: firstOffice, readPhone })
      .problems;

  it('needs none under 15 or over 45, and pays and answers as without one', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ dateOfBirth: '2016-02-03', passportIssueDate: '2024-01-10' })).toEqual([]);
    // The speeds are those without a document.
    expect(problems({ processingType: 'slow' })).toEqual([
      { field: 'processingType', code: 'unknown' },
    ]);
    expect(problems({ purpose: '' })).toEqual([{ field: 'purpose', code: 'required' }]);
  });

  it.each([
    ['1981-01-15', '2027-01-15', undefined],
    ['1981-01-16', '2027-01-15', 45],
    ['2012-01-15', '2027-01-15', 15],
    ['2012-01-16', '2027-01-15', undefined],
  ])('born on %s and arriving on %s is refused at %s', (dateOfBirth, arrivalDate, count) => {
    const found = problems({ dateOfBirth, arrivalDate, passportIssueDate: '2024-01-10' });
    expect(found).toEqual(
      count === undefined ? [] : [{ field: 'dateOfBirth', code: 'not_exempt', count }],
    );
  });

  it('needs no visa at all in Libya’s ages, and no other nationality is exempt', () => {
    const [first] = problems({ countryId: 'LBY' }, libya);
    expect(first).toEqual({ field: 'hasSupportingDocument', code: 'visa_free' });
    expect(problems({ countryId: 'IND' }, india)[0]).toEqual({
      field: 'hasSupportingDocument',
      code: 'unknown',
    });
  });
});

describe('an Indian with a supporting document', () => {
  const residence = {
    supportingDocumentType: 'residence',
    residenceCountry: 'DEU',
    supportingDocumentStartDate: '',
  };
  const british = { visaCountry: 'GBR', supportingDocumentStartDate: '' };

  test.each<[string, VisaField, VisaAnswers, string | undefined]>([
    [
      'says whether there is one',
      'hasSupportingDocument',
      { hasSupportingDocument: '' },
      'required',
    ],
    ['holds one', 'hasSupportingDocument', { hasSupportingDocument: 'no' }, 'none'],
    ['says which', 'supportingDocumentType', { supportingDocumentType: '' }, 'required'],
    ['says who issued the visa', 'visaCountry', { visaCountry: '' }, 'required'],
    ['has no visa of others', 'visaCountry', { visaCountry: 'CAN' }, 'unknown'],
    ['gives its number', 'supportingDocumentNumber', { supportingDocumentNumber: '' }, 'required'],
    [
      'gives its start',
      'supportingDocumentStartDate',
      { supportingDocumentStartDate: '' },
      'required',
    ],
    ['gives no start elsewhere', 'supportingDocumentStartDate', british, undefined],
    ['gives its end', 'supportingDocumentEndDate', { supportingDocumentEndDate: '' }, 'required'],
    [
      'may hold one without end',
      'supportingDocumentEndDate',
      { supportingDocumentEndDate: 'unlimited' },
      undefined,
    ],
    [
      'may not hold a British visa without end',
      'supportingDocumentEndDate',
      { ...british, supportingDocumentEndDate: 'unlimited' },
      'not_unlimited',
    ],
    [
      'may hold a permit without end',
      'supportingDocumentEndDate',
      { ...residence, supportingDocumentEndDate: 'unlimited' },
      undefined,
    ],
    ['says whose permit', 'residenceCountry', { ...residence, residenceCountry: '' }, 'required'],
    [
      'has no permit of others',
      'residenceCountry',
      { ...residence, residenceCountry: 'CAN' },
      'unknown',
    ],
    [
      'may hold a permit of any Schengen state',
      'residenceCountry',
      { ...residence, residenceCountry: 'LUX' },
      undefined,
    ],
    [
      'has one that lasts',
      'supportingDocumentEndDate',
      { supportingDocumentEndDate: '2026-11-22' },
      'expired',
    ],
    [
      'has one that begins before it ends',
      'supportingDocumentStartDate',
      { supportingDocumentStartDate: '2028-05-31' },
      'not_before_end',
    ],
    [
      'arrives before it ends',
      'arrivalDate',
      { supportingDocumentEndDate: '2027-01-14' },
      'after_document',
    ],
    [
      'arrives on its last day',
      'arrivalDate',
      { supportingDocumentEndDate: '2027-01-15' },
      undefined,
    ],
    [
      'arrives after it starts',
      'arrivalDate',
      { supportingDocumentStartDate: '2027-01-16' },
      'before_document',
    ],
    ['arrives within three months', 'arrivalDate', { arrivalDate: '2027-06-01' }, 'beyond_window'],
    ['buys what is sold on this path', 'processingType', { processingType: 'express' }, 'unknown'],
    ['confirms the passport', 'ordinaryPassport', { ordinaryPassport: '' }, 'required'],
    ['confirms its validity', 'validPassport', { validPassport: '' }, 'required'],
    ['confirms the entry', 'enterWithin3Months', { enterWithin3Months: 'no' }, 'required'],
    ['confirms the stay', 'stayWithin30Days', { stayWithin30Days: '' }, 'required'],
  ])('%s', (_, field, changes, code) => expect(codeAt(field, changes, india)).toBe(code));
});

describe('a nationality without an e-visa', () => {
  it('is told why', () => {
    expect(codeAt('countryId', {}, germany)).toBe('visa_free');
    expect(codeAt('countryId', {}, cuba)).toBe('no_evisa');
    expect(codeAt('countryId', {}, null)).toBe('unknown');
  });
});

describe('any answers', () => {
  const someAnswers = fc.dictionary(
    fc.constantFrom(...fields),
    fc.oneof(fc.string(), fc.constantFrom('yes', 'visa', 'unlimited', '2027-01-01', '0000-00-00')),
  );
  const someCountry = fc.constantFrom(southAfrica, india, germany, cuba, null);

  it('are judged without an exception, each field having either a value or one problem', () => {
    fc.assert(
      fc.property(someAnswers, someCountry, (answers, country) => {
        const { problems, values } = check(answers, {
          now: NOW,
          country,
          office: firstOffice,
          readPhone,
        });
        const wrong = problems.map(({ field }) => field);
        expect(new Set(wrong).size).toBe(wrong.length);
        for (const field of Object.keys(values)) expect(wrong).not.toContain(field);
      }),
    );
  });

  it('never pass with a passport that ends within six months of the arrival', () => {
    const days = fc.date({
      min: new Date('2026-12-10'),
      max: new Date('2030-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, days, (arrival, expiry) => {
        const arrivalDate = toPlainDate(arrival, TURKIYE);
        const passportExpiryDate = toPlainDate(expiry, TURKIYE);
        const code = codeAt('passportExpiryDate', { arrivalDate, passportExpiryDate });
        expect(code === undefined).toBe(passportExpiryDate >= addMonths(arrivalDate, 6));
      }),
    );
  });

  it('have a question each', () => expect(fields).toHaveLength(Object.keys(questions).length));
});

describe('the form refuses exactly what eligibility refuses', () => {
  const pairs = referenceCountries.flatMap((country) =>
    travelDocuments.map((document) => ({ country, document })),
  );
  test.each(pairs)('$country.code with a document: $document', ({ country, document }) => {
    const answers = { countryId: country.code, documentType: document };
    const refused = check(answers, {
      now: NOW,
      country,
      office: firstOffice,
      readPhone,
    }).problems.some(
      ({ field, code }) =>
        (field === 'countryId' || field === 'documentType') && code !== 'required',
    );
    expect(refused).toBe(!grantsEvisa(eligibility(country, document)));
  });
});
