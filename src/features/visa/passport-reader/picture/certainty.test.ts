import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigit, sampleLines, type SamplePerson } from '../testing/sample-lines.ts';
import { measureCertainty, type LineSigns } from './certainty.ts';
import { ALPHABET, BLANK } from './network.ts';
import { zoneFormats } from './zone-formats.ts';

const thandi: SamplePerson = {
  issuer: 'ZAF',
  nationality: 'ZAF',
  lastName: 'Nkosi',
  firstName: 'Thandi',
  number: 'A01234567',
  born: '1990-05-17',
  sex: 'F',
  expires: '2032-02-28',
  optional: '9005170',
};

type FormatName = keyof typeof zoneFormats;
/** What else could stand at a place, and how probable that is; `banned`: were it allowed there. */
type Other = { line: number; place: number; sign: string; chance: number; isBanned?: boolean };

/** What the network would say of these lines. */
function seen(lines: readonly string[], others: readonly Other[] = []): LineSigns[] {
  return lines.map((text, line) => {
    const signs = (isAny: boolean): Float64Array => {
      const chances = new Float64Array(text.length * BLANK);
      for (const [place, sign] of Array.from(text).entries()) {
        let rest = 1;
        for (const other of others) {
          if (other.line !== line || other.place !== place || (other.isBanned && !isAny)) continue;
          const at = place * BLANK + ALPHABET.indexOf(other.sign);
          chances[at] = (chances[at] ?? 0) + other.chance;
          rest -= other.chance;
        }
        const at = place * BLANK + ALPHABET.indexOf(sign);
        chances[at] = (chances[at] ?? 0) + rest;
      }
      return chances;
    };
    return { allowed: signs(false), any: signs(true) };
  });
}

const certain = (
  person: Partial<SamplePerson>,
  others: readonly Other[] = [],
  format: FormatName = 'TD3',
) =>
  measureCertainty(
    zoneFormats[format],
    seen(sampleLines(format, { ...thandi, ...person }), others),
  );

/** In the number of a TD3, at these places. */
const inNumber = (places: readonly number[], sign: string, chance = 0.05): Other[] =>
  places.map((place) => ({ line: 1, place, sign, chance }));

describe('what lines say is sure', () => {
  it('nowhere in a line of which nothing could be read', () => {
    const [upper, lower] = seen(sampleLines('TD3', thandi));
    if (!upper || !lower) throw new Error('No lines');
    const nothing = { allowed: lower.allowed.map(() => 0), any: lower.any.map(() => 0) };
    const { sure } = measureCertainty(zoneFormats.TD3, [upper, nothing]);
    expect(sure).toEqual({
      passportNumber: false,
      dateOfBirth: false,
      passportExpiryDate: false,
      names: true,
      nationality: false,
    });
  });

  it.each(['TD1', 'TD2', 'TD3'] as const)('where every character of a %s is clear', (format) => {
    const { doubts, isHeld, sure, text } = certain({}, [], format);
    expect(text).toBe(sampleLines(format, thandi).join('\n'));
    expect({ doubts, isHeld }).toEqual({ doubts: [], isHeld: true });
    expect(new Set(Object.values(sure))).toEqual(new Set([true]));
  });

  it('where check digits tell a character from what else it could be', () => {
    const { sure, text } = certain({ number: 'AB8123456' }, inNumber([2], 'B', 0.4));
    expect(sure.passportNumber).toBe(true);
    expect(text).toContain('AB8123456');
  });

  it('where check digits say that the less likely character stands there', () => {
    const { sure, text } = certain({ number: 'AB8123456' }, inNumber([2], 'B', 0.6));
    expect(sure.passportNumber).toBe(true);
    expect(text).toContain('AB8123456');
  });

  it('not where zero could be another sign of the same value modulo ten', () => {
    const { sure, doubts } = certain({ number: 'AA0000000' }, inNumber([4], 'U'));
    expect(sure).toMatchObject({ passportNumber: false, dateOfBirth: true, names: true });
    expect(doubts).toEqual([{ line: 2, place: 5 }]);
  });

  it('not where two characters could both be others, which outweigh each other', () => {
    expect(certain({ number: '007007007' }, inNumber([0], 'O')).sure.passportNumber).toBe(true);
    const { sure, doubts } = certain({ number: '007007007' }, inNumber([0, 1], 'O'));
    expect(sure.passportNumber).toBe(false);
    expect(doubts).toHaveLength(2);
  });

  it('not where this print does not tell them apart where only one of them may stand', () => {
    const number = '007007007';
    const zero = { line: 1, place: 17, sign: 'O', chance: 0.3, isBanned: true };
    expect(certain({ number, born: '1984-05-02' }, [zero]).sure.passportNumber).toBe(false);
    expect(certain({ born: '1984-05-02' }, [zero]).sure.passportNumber).toBe(true);
  });

  it('not where two characters had to be taken for less likely ones, but elsewhere', () => {
    const others = [...inNumber([1], 'O', 0.6), ...inNumber([3], 'B', 0.6)];
    const { sure, isHeld, text } = certain({ number: 'A01823456' }, others);
    expect({ isHeld, ...sure }).toMatchObject({ isHeld: true, dateOfBirth: true });
    expect(sure.passportNumber).toBe(false);
    expect(text).toContain('A01823456');
  });

  it('of names only where each letter is clear', () => {
    const letter = { line: 0, place: 7, sign: 'D', chance: 0.05 };
    expect(certain({}, [letter]).sure).toMatchObject({ names: false, passportNumber: true });
    expect(certain({}, [{ ...letter, chance: 0.001 }]).sure.names).toBe(true);
  });

  it('not where check digits do not hold', () => {
    const lines = sampleLines('TD3', thandi).map((line) => line.replace('900517', '900518'));
    const { isHeld, sure } = measureCertainty(zoneFormats.TD3, seen(lines));
    expect(isHeld).toBe(false);
    expect(sure).toMatchObject({ passportNumber: false, dateOfBirth: false });
  });
});

/** Whether all check digits hold, by the tests' own arithmetic. */
function hold(format: FormatName, lines: readonly string[]): boolean {
  const at = (line: number, from: number, to: number) => lines[line]?.slice(from, to) ?? '';
  const isRight = (text: string, digit: string) =>
    checkDigit(text) === (digit === '<' ? '0' : digit);
  if (format === 'TD1') {
    return (
      isRight(at(0, 5, 14), at(0, 14, 15)) &&
      isRight(at(1, 0, 6), at(1, 6, 7)) &&
      isRight(at(1, 8, 14), at(1, 14, 15)) &&
      isRight(at(0, 5, 30) + at(1, 0, 7) + at(1, 8, 15) + at(1, 18, 29), at(1, 29, 30))
    );
  }
  const last = format === 'TD3' ? 43 : 35;
  return (
    isRight(at(1, 0, 9), at(1, 9, 10)) &&
    isRight(at(1, 13, 19), at(1, 19, 20)) &&
    isRight(at(1, 21, 27), at(1, 27, 28)) &&
    (format === 'TD2' || isRight(at(1, 28, 42), at(1, 42, 43))) &&
    isRight(at(1, 0, 10) + at(1, 13, 20) + at(1, 21, last), at(1, last, last + 1))
  );
}

const digits = '0123456789';
const all = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ<`;

it('no character is sure that could be another one with which all check digits hold', () => {
  const documents = fc.record({
    format: fc.constantFrom<FormatName>('TD1', 'TD2', 'TD3'),
    number: fc.string({
      unit: fc.constantFrom(...Array.from('0OAKU8B1I57')),
      minLength: 9,
      maxLength: 9,
    }),
    others: fc.array(
      fc.record({
        field: fc.constantFrom('number', 'number', 'born', 'expires'),
        index: fc.nat(8),
        sign: fc.nat(36),
        chance: fc.double({ min: 0.02, max: 0.24, noNaN: true }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
  fc.assert(
    fc.property(documents, ({ format, number, others }) => {
      const lines = sampleLines(format, { ...thandi, number });
      const starts = format === 'TD1' ? [0, 5, 1, 0, 1, 8] : [1, 0, 1, 13, 1, 21];
      const placed = others.map(({ field, index, sign, chance }): Other => {
        const from = field === 'number' ? 0 : field === 'born' ? 2 : 4;
        const signs =
          field === 'number' ? all : index % 6 === 2 ? '01' : index % 6 === 4 ? '0123' : digits;
        const place = (starts[from + 1] ?? 0) + (field === 'number' ? index : index % 6);
        return { line: starts[from] ?? 0, place, sign: signs.charAt(sign % signs.length), chance };
      });
      const { doubts, isHeld, text } = measureCertainty(zoneFormats[format], seen(lines, placed));
      if (!isHeld) return;
      const read = text.split('\n');
      for (let some = 0; some < 2 ** placed.length; some += 1) {
        const changed = lines.map((line) => Array.from(line));
        for (const [index, { line, place, sign }] of placed.entries()) {
          const signs = changed[line];
          if (some & (1 << index) && signs) signs[place] = sign;
        }
        const otherwise = changed.map((line) => line.join(''));
        if (!hold(format, otherwise)) continue;
        for (const [line, line_] of otherwise.entries()) {
          for (const [place, sign] of Array.from(line_).entries()) {
            if (read[line]?.charAt(place) === sign) continue;
            expect(doubts).toContainEqual({ line: line + 1, place: place + 1 });
          }
        }
      }
    }),
    { numRuns: 150 },
  );
});
