import { describe, expect, it, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { ZONE } from '../rules/typed.ts';
import { zoneCountries, zoneDifferences, type ZoneAnswers } from './differences.ts';
import { fillFromZone, writeZone, type Zone } from './zone.ts';

const zone: Zone = {
  nationality: 'ZAF',
  lastName: 'NKOSI',
  firstName: 'THANDI',
  areNamesCut: false,
  passportNumber: 'A01234567',
  dateOfBirth: parseDate('1990-05-17') ?? '',
  passportExpiryDate: parseDate('2032-02-28') ?? '',
};

const filled = {
  lastName: 'NKOSI',
  firstName: 'THANDI',
  passportNumber: 'A01234567',
  'dateOfBirth-day': '17',
  'dateOfBirth-month': '5',
  'dateOfBirth-year': '1990',
  'passportExpiryDate-day': '28',
  'passportExpiryDate-month': '2',
  'passportExpiryDate-year': '2032',
};

describe('a reading', () => {
  it('fills what is empty, and is kept beside it', () => {
    expect(fillFromZone(zone, {})).toEqual({ ...filled, [ZONE]: writeZone(zone) });
  });

  it('leaves what was typed, a date in part as well', () => {
    const set = fillFromZone(zone, { lastName: 'Nkosi-Dube', 'dateOfBirth-year': '1991' });
    expect(Object.keys(set)).not.toContain('lastName');
    expect(Object.keys(set)).not.toContain('dateOfBirth-year');
    expect(set).toMatchObject({ firstName: 'THANDI', passportNumber: 'A01234567' });
  });

  it('replaces what an earlier one has filled in, but not what was changed since', () => {
    const typed = { ...filled, firstName: 'Thandiwe', [ZONE]: writeZone(zone) };
    const other: Zone = { ...zone, passportNumber: 'B01234567', firstName: 'SIPHO' };
    const set = fillFromZone(other, typed);
    expect(set).toMatchObject({ passportNumber: 'B01234567', lastName: 'NKOSI' });
    expect(Object.keys(set)).not.toContain('firstName');
  });

  it('fills nothing of which the lines say nothing', () => {
    const set = fillFromZone({ ...zone, firstName: '', dateOfBirth: '' }, {});
    expect(Object.keys(set)).not.toContain('firstName');
    expect(Object.keys(set)).not.toContain('dateOfBirth-day');
  });
});

describe('an answer that the lines have otherwise', () => {
  const answers: ZoneAnswers = {
    countryId: 'ZAF',
    lastName: 'Nkosi',
    firstName: 'Thandi',
    passportNumber: 'a 0123 4567',
    dateOfBirth: '1990-05-17',
    passportExpiryDate: '2032-02-28',
  };
  const differing = (given: Partial<ZoneAnswers>, read: Partial<Zone> = {}) =>
    zoneDifferences({ ...zone, ...read }, { ...answers, ...given });

  it('is none where all is the same', () => expect(differing({})).toEqual([]));

  test.each([
    [{ passportNumber: 'A01234568' }, ['passportNumber']],
    [{ dateOfBirth: '1990-05-18' }, ['dateOfBirth']],
    [{ dateOfBirth: '1990-?' }, ['dateOfBirth']],
    [{ passportExpiryDate: '2031-02-28', lastName: 'Dube' }, ['lastName', 'passportExpiryDate']],
    [{ countryId: 'MEX' }, ['countryId']],
    [{ firstName: '' }, []],
  ])('%j: %j', (given, expected) => expect(differing(given)).toEqual(expected));

  test.each([
    ['Müller', 'MUELLER'],
    ['Müller', 'MULLER'],
    ['Núñez', 'NUNEZ'],
    ['Smith-Jones', 'SMITH JONES'],
    ['O’Connor', 'OCONNOR'],
    ['van der Velde', 'VANDER VELDE'],
  ])('is none where the lines print %s as %s', (lastName, printed) =>
    expect(differing({ lastName }, { lastName: printed })).toEqual([]),
  );

  it('is none where the lines have cut it', () => {
    const typed = { firstName: 'Thandi Nomvula Precious' };
    expect(differing(typed, { firstName: 'THANDI NOMV', areNamesCut: true })).toEqual([]);
    expect(differing(typed, { firstName: 'THANDI NOMV' })).toEqual(['firstName']);
  });

  test.each([
    ['DEU', 'D'],
    ['XKX', 'RKS'],
    ['HKG', 'CHN'],
    ['BMU', 'GBD'],
    ['XKX', 'UNK'],
    ['ZAF', 'UNO'],
    ['ZAF', 'XOM'],
    ['FRA', 'EUE'],
    ['ZAF', 'XXA'],
    ['ZAF', ''],
  ])('is none where the lines of %s say %j', (countryId, nationality) =>
    expect(differing({ countryId }, { nationality })).toEqual([]),
  );
  it('is the nationality of a British passport that is no citizen’s', () => {
    for (const nationality of ['GBD', 'GBO', 'GBP', 'GBS'])
      expect(differing({ countryId: 'GBR' }, { nationality })).toEqual(['countryId']);
    expect(differing({ countryId: 'BMU' }, { nationality: 'GBO' })).toEqual(['countryId']);
  });
});

test.each([
  ['ZAF', ['ZAF']],
  ['D', ['DEU']],
  ['CHN', ['CHN', 'HKG', 'MAC']],
  ['XXA', []],
  ['', []],
])('lines that say %j may be of %j', (nationality, countries) =>
  expect(zoneCountries({ ...zone, nationality })).toEqual(countries),
);
