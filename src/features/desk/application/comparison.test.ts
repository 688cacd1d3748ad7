import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needsCheck, type ComparedFact, type FactMark, type PersonFacts } from './pdf-rules.ts';
import { compareText } from './match-document.server.ts';

const person: PersonFacts = {
  passportNumber: 'A01234547',
  firstName: 'Thabo',
  lastName: 'Naidoo',
  dateOfBirth: '1984-05-02',
};
const trip = { nationality: ['South Africa', 'Güney Afrika', 'ZAF'], arrival: '2026-12-12' };

/** The mark at each fact. */
const marks = (text: string | null, given: Partial<PersonFacts> = {}) =>
  Object.fromEntries(
    compareText(text, { ...person, ...given }).fields.map(({ fact, mark }) => [fact, mark]),
  );
const has = (text: string, fact: ComparedFact, given: Partial<PersonFacts> = {}) =>
  marks(text, given)[fact] === 'match';
/** What it says instead, at each fact that it does not say. */
const instead = (text: string) =>
  Object.fromEntries(
    compareText(text, person).fields.flatMap(({ fact, says }) =>
      says.length > 0 ? [[fact, says]] : [],
    ),
  );
const every = (mark: string | null) => ({
  passportNumber: mark,
  lastName: mark,
  firstName: mark,
  dateOfBirth: mark,
});

describe('an e-visa', () => {
  test('of the same person says everything', () => {
    const text =
      'e-Visa Surname / Soyadı NAIDOO Given Names THABO Nationality SOUTH AFRICA Passport No. A01234547 02/05/1984 Valid from 01/12/2026 until 30/05/2027';
    expect(marks(text, { visa: trip })).toEqual({
      ...every('match'),
      nationality: 'match',
      validity: 'match',
    });
  });

  test('of another person says none of it', () => {
    const text = 'NAIDOOSAMY THABOMBEKI B01234547 A012345471 02/05/1985 05/02/1984';
    expect(marks(text)).toEqual({
      passportNumber: 'differs',
      lastName: 'missing',
      firstName: 'missing',
      dateOfBirth: 'differs',
    });
  });

  test('without readable text has no mark', () => {
    expect(marks(null)).toEqual(every(null));
  });

  test.each([
    ['Nationality / Uyruğu SOUTH AFRICA Date of birth', 'match'],
    ['Nationality: ZAF', 'match'],
    ['Uyruğu: GÜNEY AFRİKA', 'match'],
    ['a citizen of South Africa', 'match'],
    ['Nationality NIGERIA, born in SOUTH AFRICA', 'differs'],
    ['ZAF', 'missing'],
  ])('says the nationality as “%s”: %s', (text, mark) => {
    expect(marks(text, { visa: trip }).nationality).toBe(mark);
  });

  test.each([
    ['Valid from 01/12/2026 until 30/05/2027', '2026-12-01/2027-05-30', 'match'],
    ['Valid until 30.05.2027, valid from 01.12.2026', '2026-12-01/2027-05-30', 'match'],
    ['Validity: 12 DEC 2026 - 12 Dec 2026', '2026-12-12/2026-12-12', 'match'],
    [
      'Geçerlilik Başlangıç 01.12.2026 Geçerlilik BİTİŞ 2027-05-30',
      '2026-12-01/2027-05-30',
      'match',
    ],
    [
      'Passport valid until 01/01/2030. Visa validity 1/12/2026 to 30/5/2027',
      '2026-12-01/2027-05-30',
      'match',
    ],
    ['Valid from 13/12/2026 until 30/05/2027', '2026-12-13/2027-05-30', 'differs'],
    ['Valid from 01/05/2026 until 11/12/2026', '2026-05-01/2026-12-11', 'differs'],
    ['Valid from 01/12/2026', undefined, 'missing'],
    ['Valid from 30/05/2027 until 01/12/2026', undefined, 'missing'],
    ['Issued 01/12/2026', undefined, 'missing'],
  ])('says its validity as “%s”: %s, %s', (text, days, mark) => {
    const { fields } = compareText(text, { ...person, visa: trip });
    expect(fields.at(-1)).toMatchObject({ fact: 'validity', mark, says: days ? [days] : [] });
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
    expect(has(`born ${written} in Durban`, 'dateOfBirth')).toBe(true);
  });

  test.each(['12/05/1984', '02/05/19845', '102/05/1984', '05/02/1984', '02 MAR 1984'])(
    'does not say it as %s',
    (written) => {
      expect(has(`born ${written} in Durban`, 'dateOfBirth')).toBe(false);
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
    expect(has(`1. ${written}, X`, 'lastName', { lastName })).toBe(true);
  });

  test.each([
    ['Li', 'LIVERPOOL'],
    ['Νικολάου', 'NIKOLAOU'],
    ['Smith-Jones', 'SMITH'],
    ['Al Hasan', 'ALHASANI'],
    ['', 'NAIDOO'],
  ])('does not find %s in %s', (lastName, written) => {
    expect(has(written, 'lastName', { lastName })).toBe(false);
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
        expect(marks(text, { firstName, lastName, passportNumber })).toEqual(every('match'));
        marks(after, {
          firstName: before,
          lastName: after,
          passportNumber: before,
          dateOfBirth: after,
          visa: { nationality: [before], arrival: after },
        });
      },
    ),
  );
});

const field = (mark: FactMark | null) =>
  ({ fact: 'firstName', applied: '', mark, says: [] }) as const;
test.each([
  [[field('match')], [], false],
  [[field('match'), field('differs')], [], true],
  [[field('match'), field('missing')], [], true],
  [[field(null)], [], true],
  [[field('match')], ['TRV1'], true],
])('%j, given to %j, needs a look: %s', (fields, usedFor, expected) => {
  expect(needsCheck({ fields, usedFor })).toBe(expected);
});

describe('what an e-visa says instead', () => {
  test('is the number, the names and the date that stand there', () => {
    const text =
      'e-Visa Surname / Soyadı OKAFOR Given Names / Adı AMARA LINDA Passport No. B7654321 Date of Birth 03/04/1990 Valid 01/12/2026';
    expect(instead(text)).toEqual({
      passportNumber: ['B7654321'],
      lastName: ['OKAFOR'],
      firstName: ['AMARA LINDA'],
      dateOfBirth: ['1990-04-03'],
    });
  });

  test('is what is nearly the same, closest first', () => {
    const text = 'NAIDO THABOO C99999999 A01234574 2 May 1985';
    expect(instead(text)).toEqual({
      passportNumber: ['A01234574', 'C99999999'],
      lastName: ['NAIDO'],
      firstName: ['THABOO'],
      dateOfBirth: ['1985-05-02'],
    });
  });

  test('is nothing where a fact was found, or nothing like it stands there', () => {
    expect(instead('A01234547 B7654321')).toEqual({});
    fc.assert(fc.property(fc.string(), (text) => void instead(text)));
  });
});
