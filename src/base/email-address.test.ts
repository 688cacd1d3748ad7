import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmailAddress, tidyEmail } from './email-address.ts';

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
