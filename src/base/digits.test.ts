import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latinDigits } from './digits.ts';

test.each([
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['０８２　１２３', '082　123'],
  ['TRV ٧K2M', 'TRV 7K2M'],
  ['1988', '1988'],
  ['½ Ⅷ 十', '½ Ⅷ 十'],
  ['', ''],
])('%j reads %j', (typed, latin) => {
  expect(latinDigits(typed)).toBe(latin);
});

/** The ten digits of each script, as the browser's and Node's own tables write them. */
const scripts = Intl.supportedValuesOf('numberingSystem')
  .map((system) => {
    const style = { useGrouping: false, minimumIntegerDigits: 10 };
    return Array.from(new Intl.NumberFormat(`en-u-nu-${system}`, style).format(123456789));
  })
  .filter((digits) => digits.length === 10 && digits.every((digit) => /\p{Nd}/u.test(digit)));

test('digits of every script, also mixed', () => {
  expect(scripts.length).toBeGreaterThan(50);
  const digit = fc.tuple(fc.constantFrom(...scripts), fc.integer({ min: 0, max: 9 }));
  fc.assert(
    fc.property(fc.array(digit), (typed) => {
      const text = typed.map(([script, value]) => script[value]).join('');
      expect(latinDigits(text)).toBe(typed.map(([, value]) => value).join(''));
    }),
  );
});
