import { describe, expect, it } from 'vitest';
import { flagEmoji } from './flag-emoji.ts';
import { referenceCountries } from './reference-data.ts';

describe('flag emoji', () => {
  it.each([
    ['ZAF', 'ZA', '🇿🇦'],
    ['XKX', 'XK', '🇽🇰'],
    ['GBN', null, '🇭🇰'],
    ['XXX', null, ''],
  ])('%s (%s) is %s', (code, iso2, flag) => {
    expect(flagEmoji({ code, iso2 })).toBe(flag);
  });

  it('exists for every nationality', () => {
    expect(referenceCountries.filter((country) => flagEmoji(country) === '')).toEqual([]);
  });
});
