import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { machineReadable } from '~/features/application/machine-readable.ts';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { readLines } from './read-lines.ts';
import { checkDigit, sampleLines, signValue, type SamplePerson } from './testing/sample-lines.ts';
import { parseZone, writeZone } from './zone.ts';

function day(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
}
const TODAY = day('2026-11-23');

/** The samples of ICAO Doc 9303, parts 4, 5 and 6. */
const PASSPORT = `P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
L898902C36UTO7408122F1204159ZE184226B<<<<<10`;
const CARD = `I<UTOD231458907<<<<<<<<<<<<<<<
7408122F1204159UTO<<<<<<<<<<<6
ERIKSSON<<ANNA<MARIA<<<<<<<<<<`;
const LARGE_CARD = `I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<
D231458907UTO7408122F1204159<<<<<<<6`;

/** Utopia is no country. */
const anna = {
  nationality: '',
  lastName: 'ERIKSSON',
  firstName: 'ANNA MARIA',
  areNamesCut: false,
  dateOfBirth: '1974-08-12',
  passportExpiryDate: '2012-04-15',
};

const thandi: SamplePerson = {
  issuer: 'ZAF',
  nationality: 'ZAF',
  lastName: 'Nkosi',
  firstName: 'Thandi',
  number: 'A01234567',
  born: '1990-05-17',
  sex: 'F',
  expires: '2032-02-28',
  optional: '9005170123083',
};

const read = (person: Partial<SamplePerson>, format: 'TD1' | 'TD2' | 'TD3' = 'TD3') =>
  readLines(sampleLines(format, { ...thandi, ...person }).join('\n'), TODAY);

describe('machine-readable lines', () => {
  test.each([
    ['TD3', PASSPORT, 'L898902C3'],
    ['TD1', CARD, 'D23145890'],
    ['TD2', LARGE_CARD, 'D23145890'],
  ])('%s, the sample of ICAO Doc 9303', (_, lines, passportNumber) => {
    expect(readLines(lines, TODAY)).toEqual({ ok: true, zone: { ...anna, passportNumber } });
  });

  test.each([
    ['in lower case, with spaces and guillemets', PASSPORT.toLowerCase().replaceAll('<<', ' « ')],
    ['without a line break', PASSPORT.replace('\n', '')],
    ['with empty lines', `\n\n${PASSPORT.replace('\n', '\r\n\r\n')}\n`],
    ['with letters for digits where only digits stand', PASSPORT.replace('7408122', '74OBI2Z')],
  ])('%s', (_, lines) => {
    expect(readLines(lines, TODAY)).toMatchObject({ ok: true, zone: anna });
  });

  test.each([
    ['none', ''],
    ['none', ' \n '],
    ['length', 'Anna Maria Eriksson'],
    ['length', PASSPORT.slice(1)],
    ['length', PASSPORT.split('\n')[0]],
    ['length', `${PASSPORT}\n${PASSPORT}`],
    ['kind', PASSPORT.replace('P<', 'V<')],
    ['kind', PASSPORT.replace('ANNA', 'АННА')],
  ])('%s is the error of %j', (error, lines = '') => {
    expect(readLines(lines, TODAY)).toEqual({ ok: false, error });
  });

  test.each([
    ['L898902C36', 'L898902C46', ['passportNumber', 'composite']],
    ['7408122', '7408132', ['dateOfBirth', 'composite']],
    ['1204159', '1204169', ['passportExpiryDate', 'composite']],
    ['<10', '<11', ['composite']],
  ])('%s misread as %s is told', (right, wrong, parts) => {
    const answer = readLines(PASSPORT.replace(right, wrong), TODAY);
    expect(answer).toEqual({ ok: false, error: 'check_digit', parts });
  });
});

describe('names', () => {
  test.each([
    ['one name alone', { lastName: 'Suharto', firstName: '' }, 'SUHARTO', ''],
    ['an apostrophe', { lastName: 'O’Connor', firstName: 'Seán' }, 'OCONNOR', 'SEAN'],
    ['particles', { lastName: 'van der Velde', firstName: 'Jan' }, 'VAN DER VELDE', 'JAN'],
    ['a hyphen', { lastName: 'Smith-Jones', firstName: 'Ann' }, 'SMITH JONES', 'ANN'],
  ])('%s', (_, person, lastName, firstName) => {
    expect(read(person)).toMatchObject({
      ok: true,
      zone: { lastName, firstName, areNamesCut: false },
    });
  });

  test.each(['TD1', 'TD2', 'TD3'] as const)(
    'that fill the line of %s may have been cut',
    (format) => {
      const long = { lastName: 'Nilavadhanananda', firstName: 'Chayapa Dejthamrong Krasuang' };
      expect(read(long, format)).toMatchObject({ ok: true, zone: { areNamesCut: true } });
    },
  );
});

describe('dates', () => {
  test.each([
    ['2026-11-23', '2026-11-23'],
    ['1926-11-24', '1926-11-24'],
    ['1930-01-01', '1930-01-01'],
  ])('somebody born on %s was', (born, dateOfBirth) => {
    expect(read({ born })).toMatchObject({ ok: true, zone: { dateOfBirth } });
  });

  test.each([
    ['2036-11-23', '2036-11-23'],
    ['1999-11-23', '1999-11-23'],
  ])('what expires on %s does', (expires, passportExpiryDate) => {
    expect(read({ expires })).toMatchObject({ ok: true, zone: { passportExpiryDate } });
  });

  it('of a birth whose day nobody knows stays empty', () => {
    expect(read({ born: '1990-05-<<' })).toMatchObject({ ok: true, zone: { dateOfBirth: '' } });
  });
});

it('leaves a number empty that goes on elsewhere in the lines', () => {
  const lines = `I<UTOD23145890<7349<<<<<<<<<<<
3407127M9507122UTO<<<<<<<<<<<2
STEVENSON<<PETER<JOHN<<<<<<<<<`;
  expect(readLines(lines, TODAY)).toMatchObject({ ok: true, zone: { passportNumber: '' } });
});

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<'.split('');
const text = (unit: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...unit.split('')), minLength, maxLength });
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const people: fc.Arbitrary<SamplePerson> = fc.record({
  issuer: fc.constantFrom('ZAF', 'D', 'MEX', 'CHN'),
  nationality: fc.constantFrom('ZAF', 'D', 'MEX', 'CHN'),
  lastName: text(LETTERS, 1, 20),
  firstName: text(LETTERS, 0, 20),
  number: text(`${LETTERS}0123456789`, 5, 9),
  born: fc.constantFrom('1974-08-12', '1990-05-17', '2010-10-01', '2000-02-29'),
  sex: fc.constantFrom('F', 'M', '<'),
  expires: fc.constantFrom('2027-01-31', '2032-02-28', '2036-12-09'),
  optional: text(`${LETTERS}0123456789`, 0, 7),
});
/** Where check digits stand: behind what they cover. */
const inLine = (line: number, first: readonly [number, number, number]) =>
  (['passportNumber', 'dateOfBirth', 'passportExpiryDate'] as const).map((part, index) => {
    const from = first[index] ?? 0;
    return { part, line, from, to: from + (index === 0 ? 9 : 6) };
  });
const [upper, lower] = [inLine(0, [5, 0, 0]), inLine(1, [0, 0, 8])];
const covered = {
  TD3: inLine(1, [0, 13, 21]),
  TD2: inLine(1, [0, 13, 21]),
  TD1: [...upper.slice(0, 1), ...lower.slice(1)],
};
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  B: '8',
  G: '6',
  O: '0',
  I: '1',
  S: '5',
  Z: '2',
};
const digitsFor = (text: string) =>
  text.replaceAll(/[BGOISZ]/g, (sign) => LOOK_ALIKES[sign] ?? sign);

const documents = fc
  .tuple(fc.constantFrom('TD1' as const, 'TD2' as const, 'TD3' as const), people)
  .map(([format, person]) => ({ format, person, lines: sampleLines(format, person).join('\n') }));

describe('of any document', () => {
  it('everything is read as it was printed, and kept so in the form', () => {
    fc.assert(
      fc.property(documents, ({ person, lines }) => {
        const answer = readLines(lines, TODAY);
        expect(answer).toMatchObject({
          ok: true,
          zone: {
            passportNumber: person.number,
            dateOfBirth: person.born,
            passportExpiryDate: person.expires,
          },
        });
        if (answer.ok) expect(parseZone(writeZone(answer.zone))).toEqual(answer.zone);
      }),
    );
  });

  // Weights 7, 3 and 1 find every wrong digit. Of letters they miss those whose value differs by 10, 20 or 30: G for 6.
  it('one wrong character is refused or corrected, except in a number one of the same value modulo ten', () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.constantFrom(...signs), ({ person, lines }, at, sign) => {
        const place = at % lines.length;
        const right = lines[place] ?? '';
        if (right === '\n' || right === sign) return;
        const answer = readLines(lines.slice(0, place) + sign + lines.slice(place + 1), TODAY);
        if (!answer.ok) return;
        const { passportNumber, dateOfBirth, passportExpiryDate } = answer.zone;
        expect(dateOfBirth === '' || dateOfBirth === person.born).toBe(true);
        expect(passportExpiryDate === '' || passportExpiryDate === person.expires).toBe(true);
        const isUnseen = (signValue(right) - signValue(sign)) % 10 === 0;
        expect(passportNumber === '' || passportNumber === person.number || isUnseen).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('nothing is read whose check digits do not hold', () => {
    const pieces = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(documents, fc.nat(), pieces, ({ format, lines }, at, piece) => {
        const place = at % lines.length;
        const changed = lines.slice(0, place) + piece + lines.slice(place + piece.length);
        const answer = readLines(changed, TODAY);
        if (!answer.ok) return;
        const { zone } = answer;
        const printed = changed.split('\n').map((line) => line.toUpperCase());
        for (const { part, line, from, to } of covered[format]) {
          const text = printed[line]?.slice(from, to) ?? '';
          const read = part === 'passportNumber' ? text : digitsFor(text);
          if (zone[part] === '') continue;
          expect(checkDigit(read)).toBe(digitsFor(printed[line]?.charAt(to) ?? ''));
        }
      }),
      { numRuns: 3000 },
    );
  });
});

it('a name as its lines print it is printed so again', () => {
  const answer = read({ lastName: 'Müller-Lüdenscheidt', firstName: 'Jürgen' });
  const zone = answer.ok ? answer.zone : null;
  expect(zone).toMatchObject({ lastName: 'MUELLER LUEDENSCHEIDT', firstName: 'JUERGEN' });
  expect(machineReadable(zone?.lastName ?? '')).toEqual({ ok: true, text: zone?.lastName });
});

test.each([
  '',
  'TD3',
  'UTO',
  'UTOPIA|A|B||L898902C3|1974-08-12|2012-04-15',
  'UTO|A<B|B||L898902C3|1974-08-12|2012-04-15',
  'UTO|A|B||L898902C3|1974-08-12|2012-04-15|more',
  'UTO|A|B||<script>|1974-08-12|2012-04-15',
  'TD4|UTO|UTO|A|B||L898902C3|1974-08-12|2012-04-15',
])('%j in the control of the form is no reading', (written) => {
  expect(parseZone(written)).toBeNull();
});

it('a reading of an earlier version is read without its format and issuer', () => {
  const rest = 'ZAF|NKOSI|THANDI||A01234567|1990-05-17|2032-02-28';
  expect(parseZone(`TD3|ZAF|${rest}`)).toEqual(parseZone(rest));
  expect(parseZone(rest)).toMatchObject({ nationality: 'ZAF', passportNumber: 'A01234567' });
});
