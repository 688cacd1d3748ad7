import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchText } from './search-text.ts';

describe('search text', () => {
  it.each([
    ['CÔTE D’IVOIRE', 'cote d ivoire'],
    ["Côte d'Ivoire", 'cote d ivoire'],
    ['İran', 'iran'],
    ['Mısır', 'misir'],
    ['ISPANYA', 'ispanya'],
    ['São Tomé & Príncipe', 'sao tome principe'],
    ['  St. Kitts ', 'saint kitts'],
    ['East', 'east'],
    ['Weißrussland', 'weissrussland'],
    ['أُستراليا', 'استراليا'],
    ['عُمان', 'عمان'],
    ['Ｊａｐａｎ', 'japan'],
    ['—', ''],
  ])('%s is compared as %s', (text, expected) => expect(searchText(text)).toBe(expected));

  it('does not change what it has already made', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = searchText(text);
        expect(searchText(once)).toBe(once);
      }),
    );
  });
});
