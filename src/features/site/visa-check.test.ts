import { describe, expect, it } from 'vitest';
import { toPlainDate, UTC } from '~/base/dates/dates.ts';
import { firstOffice } from '~/base/dates/office.ts';
import { firstPriceList } from '~/features/visa/testing/first-price-list.ts';
import { toDecimal } from '~/base/money.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { checkVisa, isUntouched } from './visa-check.ts';

const now = new Date('2026-11-19T10:20:00Z');

const country = (
  code: string,
  regime: Country['regime'],
  more: Partial<Country> = {},
): Country => ({
  id: code,
  code,
  iso2: null,
  name: code,
  regime,
  maxStayDays: regime === 'no_evisa' ? null : 30,
  entries: regime === 'evisa' || regime === 'evisa_with_document' ? 'single' : null,
  validityDays: null,
  note: '',
  source: '',
  checkedOn: toPlainDate(now, UTC),
  ...more,
});
const countries = [
  country('MEX', 'evisa'),
  country('IND', 'evisa_with_document'),
  country('DEU', 'visa_free'),
  country('CUB', 'no_evisa'),
];

const ask = (question: Record<string, string>) =>
  checkVisa(new URLSearchParams(question), countries, firstPriceList, firstOffice, now);

describe('Do I need a visa?', () => {
  it('answers nothing before it is asked', () => {
    expect(ask({})).toEqual({
      values: { countryId: '', documentType: 'ordinary', day: '', month: '', year: '' },
      isAsked: false,
      problems: {},
    });
  });

  it.each([
    ['MEX', 'evisa_available', '94.00'],
    ['ind', 'supporting_document_required', '119.00'],
  ])('offers %s the cheapest e-visa', (countryId, reason, total) => {
    const { answer } = ask({ countryId });
    expect(answer?.eligibility.reason).toBe(reason);
    expect(answer?.offer && toDecimal(answer.offer.total)).toBe(total);
  });

  it.each([
    [{ countryId: 'DEU' }, 'visa_free'],
    [{ countryId: 'CUB' }, 'consular_visa'],
    [{ countryId: 'MEX', documentType: 'service' }, 'service_passport'],
  ])('offers nothing where no e-visa is to be had: %o', (question, reason) => {
    const { answer } = ask(question);
    expect(answer?.eligibility.reason).toBe(reason);
    expect(answer?.offer).toBeUndefined();
  });

  const arriving = (day: string, month: string, year: string) =>
    ask({
      countryId: 'MEX',
      'arrivalDate-day': day,
      'arrivalDate-month': month,
      'arrivalDate-year': year,
    });

  it('chooses a speed that is ready before the arrival', () => {
    expect(arriving('21', 'November', '2026').answer?.offer?.processingType).toBe('fast');
    expect(arriving('12', '12', '2026').answer?.offer?.processingType).toBe('standard');
  });

  it('says so where no speed is in time', () => {
    expect(arriving('19', '11', '2026').answer?.offer).toBeNull();
  });

  it.each([
    ['31', '2', '2027', 'date_unreal'],
    ['12', '', '', 'date_unreal'],
    ['18', '11', '2026', 'date_past'],
  ])('finds fault with %s/%s/%s', (day, month, year, problem) => {
    const check = arriving(day, month, year);
    expect(check.problems.arrivalDate).toBe(problem);
    expect(check.answer).toBeUndefined();
    expect(check.values).toMatchObject({ day, month, year });
  });

  it('asks for a country that exists', () => {
    expect(ask({ countryId: 'ATL' }).problems).toEqual({ countryId: 'country_missing' });
  });

  it('only shows again what comes along into another language', () => {
    const typed = { countryId: 'MEX', 'arrivalDate-day': '31', 'arrivalDate-month': 'fe' };
    const { values, ...rest } = ask({ ...typed, intent: 'language' });
    expect(rest).toEqual({ isAsked: false, problems: {} });
    expect(values).toMatchObject({ countryId: 'MEX', day: '31', month: 'fe' });
    expect(isUntouched(values)).toBe(false);
    expect(isUntouched(ask({ countryId: '', documentType: 'ordinary' }).values)).toBe(true);
    expect(isUntouched(ask({ countryId: '', documentType: 'special' }).values)).toBe(false);
  });
});
