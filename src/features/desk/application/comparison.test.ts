import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMatch, needsCheck, type PersonFacts } from './pdf-rules.ts';
import { matchDocument, findWrittenInstead } from './match-document.server.ts';

const person: PersonFacts = {
  passportNumber: 'A01234547',
  firstName: 'Thabo',
  lastName: 'Naidoo',
  dateOfBirth: '1984-05-02',
};
const all = { passportNumber: true, firstName: true, lastName: true, dateOfBirth: true };
const match = (text: string, given: Partial<PersonFacts> = {}) =>
  matchDocument(text, { ...person, ...given });

describe('an e-visa', () => {
  test('of the same person has all four', () => {
    const text =
      'e-Visa\nSurname / Soyadı NAIDOO\nGiven Names THABO\nPassport No. A01234547\n02/05/1984';
    expect(match(text)).toEqual(all);
  });

  test('of another person has none of them', () => {
    const text = 'NAIDOOSAMY THABOMBEKI B01234547 A012345471 02/05/1985 05/02/1984';
    const none = { passportNumber: false, firstName: false, lastName: false, dateOfBirth: false };
    expect(match(text)).toEqual(none);
  });

  test.each([
    '02.05.1984',
    '2/5/1984',
    '02 - 05 - 1984',
    '1984-05-02',
    '02 MAY 1984',
    '02MAY1984',
    '2 Mayıs 1984',
    'May 2, 1984',
  ])('says the birth date as %s', (written) => {
    expect(match(`born ${written} in Durban`).dateOfBirth).toBe(true);
  });

  test.each(['12/05/1984', '02/05/19845', '102/05/1984', '05/02/1984', '02 MAR 1984'])(
    'does not say it as %s',
    (written) => {
      expect(match(`born ${written} in Durban`).dateOfBirth).toBe(false);
    },
  );

  test.each([
    ['Müller', 'MULLER'],
    ['Müller', 'MUELLER'],
    ['Ødegård', 'OEDEGAARD'],
    ['Ødegård', 'ODEGAARD'],
    ['Sørensen', 'SORENSEN'],
    ['Ærø', 'AERO'],
    ['Ærø', 'ARO'],
    ['Ærø', 'AEROE'],
    ['Ærø', 'Ærø'],
    ['Strauß', 'STRAUSS'],
    ['İpekçi', 'IPEKCI'],
    ['Yıldız', 'YILDIZ'],
    ["D'Souza", 'DSOUZA'],
    ['D’Souza', 'D’SOUZA'],
    ['Smith-Jones', 'SMITH JONES'],
    ['Smith-Jones', 'SMITHJONES'],
    ['Al Hasan', 'ALHASAN'],
    ['Al-Hasan', 'AL-HASAN'],
    ['O’Brien', 'O BRIEN'],
    ['Raj a/l Kumar', 'RAJ A L KUMAR'],
    ['Raj a/l Kumar', 'RAJ A/L KUMAR'],
    ['Col·lell', 'COLLELL'],
    ['Col·lell', 'COL·LELL'],
    ['ʿAbd al-Raḥmān', 'ABD AL RAHMAN'],
    ['Þórsdóttir', 'THORSDOTTIR'],
    ['van der Berg', 'VAN DER BERG'],
    ['Li', 'LI'],
    ['Naidoo', 'N A I D O O'],
    ['Νικολάου', 'ΝΙΚΟΛΑΟΥ'],
  ])('spells %s as %s', (lastName, written) => {
    expect(match(`1. ${written}, X`, { lastName }).lastName).toBe(true);
  });

  test.each([
    ['Li', 'LIVERPOOL'],
    ['Νικολάου', 'NIKOLAOU'],
    ['Smith-Jones', 'SMITH'],
    ['Al Hasan', 'ALHASANI'],
    ['', 'NAIDOO'],
  ])('does not find %s in %s', (lastName, written) => {
    expect(match(written, { lastName }).lastName).toBe(false);
  });
});

test('a fact is found in any surroundings, and no text makes the search fail', () => {
  const word = fc.string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom('A', 'B', 'D', 'E', 'K', 'N', 'Z'),
  });
  const number = fc.string({
    minLength: 6,
    maxLength: 9,
    unit: fc.constantFrom('A', 'F', '0', '1', '7', '9'),
  });
  fc.assert(
    fc.property(
      word,
      word,
      number,
      fc.string(),
      fc.string(),
      (firstName, lastName, passportNumber, before, after) => {
        const text = `${before} ${lastName} / ${firstName} , ${passportNumber}: 1984-05-02 ; ${after}`;
        expect(match(text, { firstName, lastName, passportNumber })).toEqual(all);
        match(after, {
          firstName: before,
          lastName: after,
          passportNumber: before,
          dateOfBirth: after,
        });
      },
    ),
  );
});

test.each([
  [{ match: all, usedFor: [] }, false],
  [{ match: { ...all, firstName: false }, usedFor: [] }, true],
  [{ match: null, usedFor: [] }, true],
  [{ match: all, usedFor: ['TRV1'] }, true],
])('%j needs a look: %s', (comparison, expected) => {
  expect(needsCheck(comparison)).toBe(expected);
  expect(isMatch(comparison.match)).toBe(comparison.match === all);
});

describe('what an e-visa says instead', () => {
  const none = { passportNumber: false, firstName: false, lastName: false, dateOfBirth: false };
  test('is the number, the names and the date that stand there', () => {
    const text =
      'e-Visa Surname / Soyadı OKAFOR Given Names / Adı AMARA LINDA Passport No. B7654321 Date of Birth 03/04/1990 Valid 01/12/2026';
    expect(findWrittenInstead(text, person, none)).toEqual({
      passportNumber: ['B7654321'],
      lastName: ['OKAFOR'],
      firstName: ['AMARA LINDA'],
      dateOfBirth: ['03/04/1990'],
    });
  });

  test('is what is nearly the same, closest first', () => {
    const text = 'NAIDO THABOO C99999999 A01234574 2 May 1985';
    expect(findWrittenInstead(text, person, none)).toEqual({
      passportNumber: ['A01234574', 'C99999999'],
      lastName: ['NAIDO'],
      firstName: ['THABOO'],
      dateOfBirth: ['2 May 1985'],
    });
  });

  test('is nothing where a fact was found, or nothing like it stands there', () => {
    expect(
      findWrittenInstead('A01234547 B7654321', person, { ...none, passportNumber: true }),
    ).toEqual({});
    fc.assert(fc.property(fc.string(), (text) => void findWrittenInstead(text, person, none)));
  });
});
