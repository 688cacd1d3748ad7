import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatNumber } from '~/base/format-number.ts';
import {
  ALPHABET,
  checkCharacter,
  hasValidCheckCharacter,
  makeNumber,
  normaliseNumber,
  prefixes,
  isMistypedNumber,
  readNumber,
  type NumberError,
  type NumberKind,
} from './number.ts';

const kinds: readonly NumberKind[] = ['visa', 'insurance', 'group'];
const anyKind = fc.constantFrom(...kinds);
const bytes = fc.uint8Array({ minLength: 12, maxLength: 16 });
const anyNumber = fc
  .tuple(anyKind, bytes)
  .map(([kind, random]) => makeNumber(prefixes[kind], random));
const LETTERS = ALPHABET.split('');
const EXAMPLE = 'TRV7K2M9QXD4HPBR';

const replaced = (text: string, index: number, letter: string) =>
  text.slice(0, index) + letter + text.slice(index + 1);

const swapped = (text: string, i: number, j: number) =>
  replaced(replaced(text, i, text.charAt(j)), j, text.charAt(i));

describe('the alphabet', () => {
  it('has 32 different letters, none of them I, L, O or U', () => {
    expect(new Set(ALPHABET).size).toBe(32);
    expect(ALPHABET).toMatch(/^[0-9A-HJKMNP-TV-Z]{32}$/);
  });
});

describe('a new number', () => {
  it('has 16 characters, reads back as its kind and is stored as it is read', () => {
    fc.assert(
      fc.property(anyKind, bytes, (kind, random) => {
        const number = makeNumber(prefixes[kind], random);
        expect(number).toMatch(/^TR[VIG][0-9A-HJKMNP-TV-Z]{13}$/);
        expect(normaliseNumber(number)).toBe(number);
        expect(readNumber(number)).toEqual({ ok: true, number, kind });
      }),
    );
  });

  it('uses five bits of each byte: 60 random bits, every letter from as many bytes', () => {
    const seen = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const letter = makeNumber('TRV', new Uint8Array(12).fill(byte)).charAt(3);
      seen.set(letter, (seen.get(letter) ?? 0) + 1);
    }
    expect([...seen.keys()].toSorted().join('')).toBe(LETTERS.toSorted().join(''));
    expect(new Set(seen.values())).toEqual(new Set([8]));
    fc.assert(
      fc.property(bytes, fc.nat(11), fc.integer({ min: 1, max: 31 }), (random, index, flip) => {
        const other = random.map((byte, at) => (at === index ? byte ^ flip : byte));
        expect(makeNumber('TRV', other)).not.toBe(makeNumber('TRV', random));
      }),
    );
  });

  it('is not made from too few bytes', () => {
    expect(() => makeNumber('TRV', new Uint8Array(11))).toThrow(RangeError);
  });
});

describe('the check character', () => {
  it('fits the number on the pictures', () => {
    expect(checkCharacter('TRV7K2M9QXD4HPB')).toBe('R');
    expect(readNumber('TRV 7K2M 9QXD 4HPB R')).toEqual({ ok: true, number: EXAMPLE, kind: 'visa' });
  });

  it('is a letter of the alphabet and the only one that fits', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        const fitting = LETTERS.filter((letter) =>
          hasValidCheckCharacter(replaced(number, 15, letter)),
        );
        expect(fitting).toEqual([number.charAt(15)]);
      }),
    );
  });

  const isMistyped = (typed: string) => {
    const read = readNumber(typed);
    return !read.ok && read.error === 'mistyped';
  };

  it('catches every single wrong character, prefix and check character included', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        const taken: string[] = [];
        for (let index = 0; index < number.length; index += 1) {
          for (const letter of [...LETTERS, 'I', 'L', 'O', 'U']) {
            const typed = replaced(number, index, letter);
            // After the prefix O is read as 0, I and L as 1: no mistake where that was the digit.
            if (normaliseNumber(typed) === number) continue;
            if (!isMistyped(typed)) taken.push(typed);
          }
        }
        expect(taken).toEqual([]);
      }),
    );
  });

  it('catches any two characters swapped, neighbours and others', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        const taken: string[] = [];
        for (let i = 0; i < number.length; i += 1) {
          for (let j = i + 1; j < number.length; j += 1) {
            if (number.charAt(i) === number.charAt(j)) continue;
            const typed = swapped(number, i, j);
            if (!isMistyped(typed)) taken.push(typed);
          }
        }
        expect(taken).toEqual([]);
      }),
    );
  });

  it('tells the kinds apart: no body fits two prefixes', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        const body = number.slice(3);
        expect(kinds.filter((kind) => hasValidCheckCharacter(prefixes[kind] + body))).toHaveLength(
          1,
        );
      }),
    );
  });

  it('is not made for foreign letters', () => {
    expect(() => checkCharacter('TRVU')).toThrow(RangeError);
    expect(hasValidCheckCharacter('TRVU')).toBe(false);
  });
});

describe('a number as people type it', () => {
  test.each([
    'TRV7K2M9QXD4HPBR',
    'trv 7k2m 9qxd 4hpb r',
    '  TRV-7K2M-9QXD-4HPB-R\n',
    'TRV–7K2M—9QXD‑4HPB−R',
    'TRV\u00a07K2M\u20099QXD\u202f4HPB\u3000R',
    '\u200eTRV7K2M9QXD4HPBR\u200f\ufeff',
    'TRV7K2M\u00ad9QXD4HPBR',
    'ＴＲＶ７Ｋ２Ｍ９ＱＸＤ４ＨＰＢＲ',
    'TRV٧K٢M۹QXD۴HPBR',
    't-r-v 7 k 2 m 9 q x d 4 h p b r',
    '#TRV7K2M9QXD4HPBR',
    'TRV7K2M9QXD4HPBR.',
    '“TRV 7K2M 9QXD 4HPB R”,',
    '(TRV7K2M9QXD4HPBR)!',
    'TRV: 7K2M 9QXD 4HPB R',
    '＃ＴＲＶ７Ｋ２Ｍ９ＱＸＤ４ＨＰＢＲ。',
  ])('%j is the same number', (typed) => {
    expect(readNumber(typed)).toEqual({ ok: true, number: EXAMPLE, kind: 'visa' });
  });

  it('may have O for 0 and I or L for 1 after the prefix, not in it', () => {
    const number = makeNumber('TRI', Uint8Array.from([0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0]));
    expect(number.slice(0, 15)).toBe('TRI011010011010');
    const check = number.charAt(15);
    for (const body of ['OIIOIOOIIOIO', 'ollolOOLLOLO', 'oıioiooiioio', 'Oİ1010OLI0I0']) {
      expect(readNumber(`TRI${body}${check}`)).toEqual({ ok: true, number, kind: 'insurance' });
    }
    expect(readNumber(`tri${number.slice(3)}`)).toMatchObject({ ok: true });
    expect(readNumber(`trı${number.slice(3)}`)).toMatchObject({ ok: true });
    expect(readNumber(`TR1${number.slice(3)}`)).toEqual({ ok: false, error: 'mistyped' });
  });

  test.each<[string, NumberError]>([
    ['', 'empty'],
    ['   \n', 'empty'],
    ['---', 'empty'],
    ['\u200e', 'empty'],
    ['T', 'too_short'],
    ['TRV7K', 'too_short'],
    ['T R V 7 K', 'too_short'],
    ['TRV7K2', 'mistyped'],
    ['TRV7K2M9QXD4HPB', 'mistyped'],
    ['TRV7K2M9QXD4HPBRR', 'mistyped'],
    ['TRV7K2M9QXD4HPBS', 'mistyped'],
    ['TRX7K2M9QXD4HPBR', 'mistyped'],
    ['TRV7K2M9QXD4HPB!', 'mistyped'],
    ['sofia@correo.example', 'not_a_number'],
    ['A28731905', 'not_a_number'],
    ['<script>alert(1)', 'not_a_number'],
    ['رقم الطلب الخاص بي', 'not_a_number'],
    ["' or 1=1 --", 'not_a_number'],
    ['0'.repeat(10_000), 'not_a_number'],
  ])('%j is refused: %s', (typed, error) => {
    expect(readNumber(typed)).toEqual({ ok: false, error });
  });

  it.each(['Ϊ́', 'ΐ', 'İ', '´'])('normalises %j to the same whether once or twice', (typed) => {
    expect(normaliseNumber(normaliseNumber(typed))).toBe(normaliseNumber(typed));
  });

  it('is looked for in a sentence, in a long text without much work', () => {
    expect(normaliseNumber('(#TRV: 7K2M9QXD4HPBR).')).toBe('TRV7K2M9QXD4HPBR');
    // By a pattern alone this would take minutes.
    expect(normaliseNumber(`TRVA${'.'.repeat(100_000)}B`)).toHaveLength(100_005);
  });

  it('normalises to the same whether once or twice, and never fails', () => {
    const anything = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.oneof(anything, fc.string(), anyNumber), (typed) => {
        const once = normaliseNumber(typed);
        expect(normaliseNumber(once)).toBe(once);
        readNumber(typed);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a number as it is shown', () => {
  it('stands in groups of four after its prefix', () => {
    expect(formatNumber(EXAMPLE)).toBe('TRV 7K2M 9QXD 4HPB R');
    expect(formatNumber('TRV')).toBe('TRV');
  });

  it('reads back from its groups', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        expect(readNumber(formatNumber(number))).toMatchObject({ ok: true, number });
      }),
    );
  });
});

test.each([
  ['TRV7K2M9QXD4HPBQ', true],
  ['TRV K72M 9QXD 4HPB R', true],
  ['RTV7K2M9QXD4HPBR', true],
  ['TRW7K2M9QXD4HPBR', true],
  ['TRV7K2M9QXD4HPBRR', true],
  ['TRV7K2M9QXD4HPBR', false],
  // Parts, names and other numbers.
  ['TRV7K2M9QXD4HPB', false],
  ['TRV', false],
  ['Trinidad González', false],
  ['mustafa rodriguez', false],
  ['4111111111111111', false],
  ['8XK12345AB678901C', false],
  ['', false],
])('whether %j is a whole number with a mistake: %s', (typed, expected) =>
  expect(isMistypedNumber(typed)).toBe(expected),
);
