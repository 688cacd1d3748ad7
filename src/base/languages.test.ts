import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { chooseLanguage, textDirection, intlLocale, isLanguage, languages } from './languages.ts';

describe('the six languages', () => {
  it('stand in the order of the switcher, with own names and flags', () => {
    expect(languages.map(({ code, name, flag }) => [code, name, flag])).toEqual([
      ['en', 'English', 'GB'],
      ['tr', 'Türkçe', 'TR'],
      ['fr', 'Français', 'FR'],
      ['de', 'Deutsch', 'DE'],
      ['es', 'Español', 'ES'],
      ['ar', 'العربية', 'SA'],
    ]);
  });

  it('run left to right, but for Arabic', () => {
    expect(languages.map(({ code }) => textDirection(code))).toEqual([
      ...Array<string>(5).fill('ltr'),
      'rtl',
    ]);
  });

  it('all write Latin digits', () => {
    for (const { code } of languages) {
      const { numberingSystem } = new Intl.NumberFormat(intlLocale(code)).resolvedOptions();
      expect(numberingSystem).toBe('latn');
    }
  });

  test.each(['en-GB', 'EN', 'it', '', 'constructor', undefined, null, 7])('%j is none', (other) => {
    expect(isLanguage(other)).toBe(false);
  });
});

describe('the choice of language', () => {
  test.each([
    ['the saved choice stands above the browser', { saved: 'fr', acceptLanguage: 'de' }, 'fr'],
    ['an unknown saved choice is passed over', { saved: 'it', acceptLanguage: 'de' }, 'de'],
    ['a saved choice in capitals is none', { saved: 'FR', acceptLanguage: 'de' }, 'de'],
    ['a region does not matter', { acceptLanguage: 'es-419' }, 'es'],
    ['case does not matter', { acceptLanguage: 'AR-eg' }, 'ar'],
    ['the first supported language wins', { acceptLanguage: 'it, pl;q=0.9, tr;q=0.5' }, 'tr'],
    ['the most wanted wins, wherever it stands', { acceptLanguage: 'tr;q=0.3, de;q=0.8' }, 'de'],
    ['equally wanted ones keep their order', { acceptLanguage: 'fr;q=0.8,de;q=0.8' }, 'fr'],
    ['what is refused is not chosen', { acceptLanguage: 'tr;q=0, *;q=0.5' }, 'en'],
    ['any language is English', { acceptLanguage: '*' }, 'en'],
    ['unsupported languages end in English', { acceptLanguage: 'it, pl' }, 'en'],
    ['nothing known is English', {}, 'en'],
    ['empty hints are English', { saved: '', acceptLanguage: '' }, 'en'],
    ['malformed parts are left out', { acceptLanguage: ';;q=,tr;q=2,de;q=abc,fr ; q=0.1' }, 'fr'],
    ['a header of nonsense is English', { acceptLanguage: '\u0000<script>%%%' }, 'en'],
    ['a huge header is not read', { acceptLanguage: 'tr,'.repeat(2000) }, 'en'],
    ['a browser list is read in order', { browserLanguages: ['it-IT', 'tr-TR', 'fr'] }, 'tr'],
    ['an empty browser list is English', { browserLanguages: [] }, 'en'],
    ['an underscore is understood', { browserLanguages: ['de_AT'] }, 'de'],
  ] as const)('%s', (_, hints, language) => {
    expect(chooseLanguage(hints)).toBe(language);
  });

  it('never fails, whatever arrives', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (saved, acceptLanguage) => {
        expect(isLanguage(chooseLanguage({ saved, acceptLanguage }))).toBe(true);
      }),
    );
  });
});
