import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { languages } from './languages.ts';
import { add, formatMoney, parseMoney, sameMoney, share, toDecimal, usd } from './money.ts';

const amount = fc.integer({ min: 0, max: 1_000_000_000_00 });

describe('amounts on the wire', () => {
  test.each<[string | number, number]>([
    ['94.00', 9400],
    ['94', 9400],
    ['94.5', 9450],
    [94, 9400],
    [114.0, 11400],
    [0.1, 10],
    ['0', 0],
    ['0.01', 1],
    ['9999999999999.99', 999_999_999_999_999],
  ])('%j is %d cents', (wire, minor) => {
    expect(parseMoney(wire)).toEqual(usd(minor));
  });

  test.each<string | number>([
    '1.005',
    1.005,
    '94.000',
    '',
    ' 94',
    '94 ',
    '94.',
    '.94',
    '094.00',
    '-94.00',
    -94,
    '+94',
    '1e2',
    '1e21',
    1e21,
    1e-7,
    '1,009.00',
    '94,00',
    '$94.00',
    '0x5e',
    'NaN',
    Number.NaN,
    Infinity,
    '99999999999999',
    '٩٤',
    '94.00\n',
  ])('%j is refused', (wire) => {
    expect(parseMoney(wire)).toBeNull();
  });

  it('come back as they went out, always with two places', () => {
    fc.assert(
      fc.property(amount, (minor) => {
        const wire = toDecimal(usd(minor));
        expect(wire).toMatch(/^\d+\.\d\d$/);
        expect(parseMoney(wire)).toEqual(usd(minor));
      }),
    );
  });

  it('writes what is owed back with a sign', () => {
    expect(toDecimal(usd(-5))).toBe('-0.05');
    expect(toDecimal(usd(5))).toBe('0.05');
  });
});

describe('reckoning', () => {
  it('refuses fractions of a cent and amounts that a double cannot hold', () => {
    for (const minor of [0.5, Number.NaN, Infinity, 2 ** 53]) {
      expect(() => usd(minor)).toThrow(RangeError);
    }
    expect(() => add(usd(Number.MAX_SAFE_INTEGER), usd(1))).toThrow(RangeError);
  });

  it('adds any number of amounts, none included', () => {
    expect(add()).toEqual(usd(0));
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), (minors) => {
        const sum = minors.reduce((total, minor) => total + minor, 0);
        expect(sameMoney(add(...minors.map(usd)), usd(sum))).toBe(true);
      }),
    );
  });

  test.each([
    [2500, 80, 2000],
    [2500, 100, 2500],
    [2500, 0, 0],
    [1, 50, 1],
    [3, 50, 2],
    [11400, 70, 7980],
    [14_999, 90, 13_499],
    [333, 33, 110],
  ])('of %d cents %d%% is %d cents', (minor, percent, part) => {
    expect(share(usd(minor), percent)).toEqual(usd(part));
  });

  test.each([-1, 101, 12.5, Number.NaN])('there is no share of %d%%', (percent) => {
    expect(() => share(usd(100), percent)).toThrow(RangeError);
  });

  it('never gives back more than there was, nor more than half a cent off the exact share', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 100 }), (minor, percent) => {
        const part = share(usd(minor), percent).minor;
        expect(part).toBeLessThanOrEqual(minor);
        expect(Math.abs(part * 100 - minor * percent)).toBeLessThanOrEqual(50);
      }),
    );
  });
});

describe('amounts for people', () => {
  test.each([
    ['en', '$94.00', '$1,009.50'],
    ['tr', '$94,00', '$1.009,50'],
    ['fr', '94,00 $', '1 009,50 $'],
    ['de', '94,00 $', '1.009,50 $'],
    ['es', '94,00 $', '1009,50 $'],
    ['ar', '\u200e$94.00', '\u200e$1,009.50'],
  ] as const)('in %s carry the currency and two places', (language, small, large) => {
    const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
    expect(plain(formatMoney(usd(9400), language))).toBe(small);
    expect(plain(formatMoney(usd(100_950), language))).toBe(large);
  });

  it('use Latin digits in every language', () => {
    for (const { code } of languages) expect(formatMoney(usd(123), code)).toMatch(/1[.,]23/);
  });
});
