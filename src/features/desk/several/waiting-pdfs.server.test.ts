import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeNumber } from '~/features/application/number.ts';
import {
  matchFile,
  extractNumbers,
  extractPassportWords,
  type Candidate,
} from './waiting-pdfs.server.ts';

const numbered = (seed: number) =>
  makeNumber(
    'TRV',
    Uint8Array.from({ length: 12 }, (_, at) => (seed * 7 + at * 3) % 32),
  );

const thabo: Candidate = {
  id: 'thabo',
  number: numbered(1),
  isOpen: true,
  person: {
    passportNumber: 'A01234547',
    firstName: 'Thabo',
    lastName: 'Naidoo',
    dateOfBirth: '1984-05-02',
  },
};
const anna: Candidate = {
  id: 'anna',
  number: numbered(2),
  isOpen: true,
  person: {
    passportNumber: 'C7654321',
    firstName: 'Anna',
    lastName: 'Novak',
    dateOfBirth: '1990-11-30',
  },
};
/** The same person a year ago. */
const earlier: Candidate = { ...thabo, id: 'earlier', number: numbered(3), isOpen: false };
/** The same person, applying a second time. */
const twice: Candidate = { ...thabo, id: 'twice', number: numbered(4) };

const evisa = 'e-Visa\nSurname NAIDOO\nGiven names THABO\nPassport A01234547\nborn 02/05/1984';

describe('a file', () => {
  test.each([
    ['with passport number and name', evisa, 'visa.pdf', [thabo, anna], 'exact', ['thabo']],
    ['with passport and birth date', 'A01234547 2 May 1984', 'x.pdf', [thabo], 'exact', ['thabo']],
    [
      'with passport, and the application’s number in its name',
      'Passport A01234547',
      `${thabo.number}.pdf`,
      [thabo, anna],
      'exact',
      ['thabo'],
    ],
    ['with nothing but the passport', 'No. A01234547', 'x.pdf', [thabo], 'likely', ['thabo']],
    [
      'with nothing but a last name beside it',
      'A01234547 NAIDOO',
      'x',
      [thabo],
      'likely',
      ['thabo'],
    ],
    ['without the passport number', 'THABO NAIDOO 02/05/1984', 'x.pdf', [thabo], 'nothing', []],
    [
      'without text, named by the number',
      null,
      `${thabo.number}.pdf`,
      [thabo],
      'likely',
      ['thabo'],
    ],
    [
      'without text, named by the passport',
      null,
      'A01234547_visa.pdf',
      [thabo],
      'likely',
      ['thabo'],
    ],
    [
      'of somebody with an earlier application, which is decided',
      evisa,
      'x.pdf',
      [earlier, thabo],
      'exact',
      ['thabo'],
    ],
    ['of somebody whose only one is decided', evisa, 'x.pdf', [earlier], 'exact', ['earlier']],
    [
      'that names the decided one by number',
      evisa,
      `${earlier.number}.pdf`,
      [earlier, thabo],
      'exact',
      ['earlier'],
    ],
    [
      'of somebody who applied twice',
      evisa,
      'x.pdf',
      [thabo, twice],
      'several',
      ['thabo', 'twice'],
    ],
    [
      'of somebody who applied twice, named by number',
      evisa,
      `${twice.number}.pdf`,
      [thabo, twice],
      'exact',
      ['twice'],
    ],
    [
      'of two people',
      `${evisa}\nC7654321 ANNA NOVAK`,
      'both.pdf',
      [thabo, anna],
      'several',
      ['thabo', 'anna'],
    ],
    [
      'of one person, named as another’s',
      evisa,
      `${anna.number}.pdf`,
      [thabo, anna],
      'several',
      ['thabo', 'anna'],
    ],
    ['about nobody', 'hello', 'x.pdf', [thabo, anna], 'nothing', []],
  ] as const)('%s', (_, text, name, candidates, kind, ids) => {
    const { kind: is, matched } = matchFile({ text, name }, candidates);
    expect([is, matched.map(({ id }) => id)]).toEqual([kind, ids]);
  });
});

test('never matches two applications exactly, nor one whose passport number is not in its text', () => {
  const word = (letters: string, most: number) =>
    fc.string({ unit: fc.constantFrom(...letters.split('')), minLength: 1, maxLength: most });
  // Few values, so that people often share a passport, a name or a birth date.
  const candidate = fc.record({
    id: fc.uuid(),
    number: fc.integer({ min: 1, max: 6 }).map(numbered),
    isOpen: fc.boolean(),
    person: fc.record({
      passportNumber: fc.constantFrom('A01234547', 'A0123454', 'C7654321', 'B123456'),
      firstName: word('AB', 2),
      lastName: word('AB', 2),
      dateOfBirth: fc.constantFrom('1984-05-02', '1990-11-30'),
    }),
  });
  const scrap = fc.oneof(
    fc.constantFrom('A01234547', 'A 01234547', 'C7654321', 'B123456', '02/05/1984', '1990-11-30'),
    fc.integer({ min: 1, max: 6 }).map(numbered),
    word('AB', 2),
    fc.string({ maxLength: 6 }),
  );
  const text = fc.array(scrap, { maxLength: 8 }).map((scraps) => scraps.join(' '));
  fc.assert(
    fc.property(
      fc.uniqueArray(candidate, { maxLength: 6, selector: ({ number }) => number }),
      fc.option(text),
      text,
      (candidates, written, name) => {
        const { kind, matched } = matchFile({ name, text: written }, candidates);
        expect(matched.length === 0).toBe(kind === 'nothing');
        if (kind !== 'exact') return;
        expect(matched).toHaveLength(1);
        const [one] = matched;
        const letters = one?.person.passportNumber.split('').join(' ?') ?? '';
        expect(written ?? '').toMatch(new RegExp(letters));
      },
    ),
  );
});

test('numbers are read as people and programs write them', () => {
  const { number } = thabo;
  const spaced = `${number.slice(0, 3)} ${number.slice(3, 7)}-${number.slice(7)}`;
  expect(extractNumbers(`Ref. ${spaced.toLowerCase()}, ${number}`)).toEqual([number]);
  expect(extractNumbers(`X${number}`)).toEqual([]);
  expect(extractPassportWords({ name: 'evisa_U-7654321 (2).pdf', text: 'No: a 01234547' })).toEqual(
    expect.arrayContaining(['U7654321', 'A01234547']),
  );
});
