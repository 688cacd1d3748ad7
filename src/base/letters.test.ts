import fc from 'fast-check';
import { describe, expect, test, it } from 'vitest';
import {
  foldedLetters,
  foldLetters,
  foldName,
  letterSpellings,
  plainForms,
  searchSpellings,
  typingMistakes,
} from './letters.ts';
import { latinDigits } from './digits.ts';
import { isEmailAddress, tidyEmail } from './email-address.ts';

describe('folding', () => {
  test.each([
    ['Ærø', 'aro'],
    ['Sørensen', 'sorensen'],
    ['ŁUKASZ Đorđević', 'lukasz dordevic'],
    ['İbrahim Işık', 'ibrahim isik'],
    ['Strauß', 'straus'],
    ['Əliyev', 'eliyev'],
    ['Þóra', 'thora'],
    ['محمد', 'محمد'],
  ])('%s is %s', (text, expected) => expect(foldLetters(text)).toBe(expected));

  test('changes nothing that is folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldLetters(text);
        expect(foldLetters(folded)).toBe(folded);
      }),
    );
    expect(foldedLetters.from).toHaveLength(foldedLetters.to.length);
  });
});

test.each([
  ['Ø', ['oe', 'o']],
  ['æ', ['ae', 'a']],
  ['Å', ['aa', 'a']],
  ['ü', ['ue', 'u']],
  ['ß', ['ss', 's']],
  ['ẞ', ['ss', 's']],
  ['N', ['n']],
  ['é', ['e']],
])('%s is printed as %s', (letter, expected) => expect(letterSpellings(letter)).toEqual(expected));

test.each([
  ['O’Brien', 'obrien'],
  ["O'Brien", 'obrien'],
  ['OBRIEN', 'obrien'],
  ['Al-Hasan', 'al hasan'],
  ['a/l Kumar', 'a l kumar'],
  ['Col·lell', 'collell'],
  ['ＷＡＮＧ', 'wang'],
])('the name %s is compared as %s', (name, expected) => expect(foldName(name)).toBe(expected));

test.each([
  ['Ｆｌａｔ　１２－３', 'Flat 12-3'],
  ['12½ Calle Mayor 1º, nº 5, №7', '12½ Calle Mayor 1º, nº 5, №7'],
  ['O´Brien', "O'Brien"],
  ['ﬁ', 'fi'],
  ['\u202eMary\u200b Ann\u00ad\u2069', 'Mary Ann'],
])('the plain form of %s is %s', (typed, expected) => expect(plainForms(typed)).toBe(expected));

test.each([
  ['aero', ['aero', 'aro']],
  ['AEROE', ['aeroe', 'aero', 'aroe', 'aro']],
  ['Ærø', ['aro', 'aroe', 'aero', 'aeroe']],
  ['Müller', ['muller', 'mueller']],
  ['Mueller', ['mueller', 'muller']],
  [
    'Mueller-Strauß',
    [
      'mueller-straus',
      'mueller straus',
      'mueller strauss',
      'muller straus',
      'muller strauss',
      'muellerstraus',
      'muellerstrauss',
      'mullerstraus',
      'mullerstrauss',
    ],
  ],
  ["O'Brien", ["o'brien", 'obrien']],
  ['al-hasan', ['al-hasan', 'al hasan', 'alhasan']],
  ['a/l', ['a/l', 'a l', 'al']],
  ['strauss', ['strauss', 'straus']],
  ['tanaka', ['tanaka']],
  ['a.oe@example.org', ['a.oe@example.org']],
])('%s is looked for as %s', (word, expected) => expect(searchSpellings(word)).toEqual(expected));

test.each([
  ['tanaka', 'tanaka', 0],
  ['tanka', 'tanaka', 1],
  ['mohamed', 'mohammed', 1],
  ['simth', 'smith', 1],
  ['smith', 'smyth', 1],
  ['smithh', 'smith', 1],
  ['', 'ab', 2],
  ['kitten', 'sitting', 3],
])('between %s and %s lie mistakes: %i', (one, other, mistakes) => {
  expect(typingMistakes(one, other)).toBe(mistakes);
  expect(typingMistakes(other, one)).toBe(mistakes);
});

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

describe('isEmailAddress', () => {
  it.each([
    'anna@gmail.com',
    'a@b.co',
    "o'brien+visa@mail.example",
    'first.last_name-1@sub.domain.example.travel',
    'x@a-b.photography',
    'x@example.versicherung',
    'x@xn--mnchen-3ya.de',
    'anna@münchen.de',
    'anna@موقع.وزارة-الاتصالات.مصر',
    'ünal@posta.com.tr',
    '!#$%&*/=?^`{|}~@example.com',
    '123@163.com',
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.com`,
  ])('takes %s', (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  it.each([
    '',
    'anna',
    '@example.com',
    'anna@',
    'anna@example',
    'a@example..com',
    'x@example.com.',
    'x@.example.com',
    '.x@example.com',
    'x.@example.com',
    'x..y@example.com',
    'a,b@c.de',
    'a;b@c.de',
    'a@b,c.de',
    'a b@c.de',
    'a@b c.de',
    '"a b"@c.de',
    'a@b@c.de',
    'anna <anna@c.de>',
    'mailto:anna@c.de',
    'a@-b.de',
    'a@b-.de',
    'a@b_c.de',
    'a@c.de/x',
    'a@c.de:25',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@b.1',
    'a@b.c',
    'a@b%2ede.de',
    'a\u0000b@c.de',
    `${'a'.repeat(65)}@example.com`,
    `${'ü'.repeat(33)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'ü'.repeat(60)}.com`,
    `a@${'b.'.repeat(126)}com`,
  ])('refuses %s', (address) => {
    expect(isEmailAddress(address)).toBe(false);
  });

  it('takes every address that is made by the rules, and none with a sign of the refused ones in it', () => {
    const atom = fc.stringMatching(/^[A-Za-z0-9+'_-]{1,12}$/);
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
    const local = fc.array(atom, { minLength: 1, maxLength: 4 }).map((atoms) => atoms.join('.'));
    const labels = fc.array(
      label.filter((one) => !one.startsWith('xn--')),
      { minLength: 1, maxLength: 4 },
    );
    const top = fc.stringMatching(/^[a-z]{2,24}$/).filter((one) => !one.startsWith('0x'));
    fc.assert(
      fc.property(local, labels, top, (name, others, last) => {
        expect(isEmailAddress(`${name}@${others.join('.')}.${last}`)).toBe(true);
      }),
    );
    const sign = fc.constantFrom(...',;:"()<>[]\\@ \t\n'.split(''));
    fc.assert(
      fc.property(local, sign, labels, fc.nat(), (name, refused, others, place) => {
        const address = `${name}@${others.join('.')}.com`;
        const at = place % (address.length + 1);
        expect(isEmailAddress(address.slice(0, at) + refused + address.slice(at))).toBe(false);
      }),
    );
  });

  it('answers any text at all, and what it takes is tidy', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isEmailAddress(text)) expect(text).not.toMatch(/[\s,;<>"]/);
      }),
    );
  });
});

describe('tidyEmail', () => {
  it.each([
    ['  anna@gmail.com\n', 'anna@gmail.com'],
    ['\u200fanna@gmail.com\u200e', 'anna@gmail.com'],
    ['ａｎｎａ＠ｇｍａｉｌ．ｃｏｍ', 'anna@gmail.com'],
    ['anna@qq。com', 'anna@qq.com'],
    ['o\u2019brien@gmail.com', "o'brien@gmail.com"],
  ])('writes %j as %s', (typed, tidy) => {
    expect(tidyEmail(typed)).toBe(tidy);
    expect(tidyEmail(tidy)).toBe(tidy);
  });
});
