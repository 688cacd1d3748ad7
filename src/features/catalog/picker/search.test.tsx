import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Language } from '~/base/languages.ts';
import { loadedTexts } from '~/i18n/translations.server.ts';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { referenceCountries } from '../reference-data.ts';
import { countryOptions } from '../names.server.ts';
import { flagEmoji } from '../country-answer.ts';
import {
  countryRegion,
  matchCountries,
  unlistedGroup,
  type CountryOption,
  searchText,
} from './search.ts';
import { synonyms } from './synonyms.ts';
import { movedHighlight, openingText } from './picker-keys.ts';
import { CountryField } from './country-field.tsx';

function optionsIn(language: string): CountryOption[] {
  const file = new URL(`../../../../locales/${language}/countries.json`, import.meta.url);
  const names: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  return referenceCountries.map(({ code, name }) => ({
    id: code,
    name: names[code] ?? name,
    english: name,
  }));
}
const english = optionsIn('en');
const first = (query: string, options = english) => matchCountries(query, options)[0]?.id;

describe('the search for a country', () => {
  it.each([
    ['UK', 'GBR'],
    ['u.k.', 'GBR'],
    ['Britain', 'GBR'],
    ['england', 'GBR'],
    ['United Kingdom', 'GBR'],
    ['Holland', 'NLD'],
    ['the netherlands', 'NLD'],
    ['the bahamas', 'BHS'],
    ['The Bahamas', 'BHS'],
    ['Bahamas, The', 'BHS'],
    ['the gambia', 'GMB'],
    ['the maldives', 'MDV'],
    ['the philippines', 'PHL'],
    ['the united states', 'USA'],
    ['the united arab emirates', 'ARE'],
    ['the united kingdom', 'GBR'],
    ['the uk', 'GBR'],
    ['the czech republic', 'CZE'],
    ['the marshall islands', 'MHL'],
    ['the comoros', 'COM'],
    ['the maldive', 'MDV'],
    ['les bahamas', 'BHS'],
    ['la chine', 'CHN'],
    ["l'inde", 'IND'],
    ['die schweiz', 'CHE'],
    ['los estados unidos', 'USA'],
    ['el salvador', 'SLV'],
    ['el', 'SLV'],
    ['USA', 'USA'],
    ['America', 'USA'],
    ['us', 'USA'],
    ['UAE', 'ARE'],
    ['Emirates', 'ARE'],
    ['Ivory Coast', 'CIV'],
    ['cote divoire', 'CIV'],
    ["COTE D'IVOIRE", 'CIV'],
    ['Burma', 'MMR'],
    ['Czech Republic', 'CZE'],
    ['Swaziland', 'SWZ'],
    ['Macedonia', 'MKD'],
    ['Persia', 'IRN'],
    ['DRC', 'COD'],
    ['Korea', 'KOR'],
    ['south korea', 'KOR'],
    ['North Korea', 'PRK'],
    ['Guinea', 'GIN'],
    ['Niger', 'NER'],
    ['nige', 'NER'],
    ['Dominica', 'DMA'],
    ['dominican', 'DOM'],
    ['St Lucia', 'LCA'],
    ['Trinidad & Tobago', 'TTO'],
    ['Sao Tome', 'STP'],
    ['oman', 'OMN'],
    ['south a', 'ZAF'],
    ['africa south', 'ZAF'],
    ['Hong Kong BNO', 'GBN'],
    ['Deutschland', 'DEU'],
    ['españa', 'ESP'],
    ['Ireland', 'IRL'],
    ['Northern Ireland', 'GBR'],
    ['zaf', 'ZAF'],
    ['DEU', 'DEU'],
  ])('finds %s', (query, code) => expect(first(query)).toBe(code));

  it('finds the destination where it is on the list', () => {
    const places = [{ id: 'TUR', name: 'Türkiye' }];
    for (const query of ['Turkey', 'turkiye', 'TÜRKİYE', 'Türkiye']) {
      expect(first(query, places)).toBe('TUR');
    }
  });

  it.each([
    ['Phillipines', 'PHL'],
    ['Kazakstan', 'KAZ'],
    ['Azerbajan', 'AZE'],
    ['Germnay', 'DEU'],
    ['Columbia', 'COL'],
    ['mexcio', 'MEX'],
    ['Saudia Arabia', 'SAU'],
  ])('forgives the slip in %s', (query, code) => expect(first(query)).toBe(code));

  it.each([
    ['tr', 'İngiltere', 'GBR'],
    ['tr', 'guney afrika', 'ZAF'],
    ['tr', 'South Africa', 'ZAF'],
    ['tr', 'MISIR', 'EGY'],
    ['tr', 'mısır', 'EGY'],
    ['de', 'Weißrussland', 'BLR'],
    ['de', 'sudafrika', 'ZAF'],
    ['fr', 'etats unis', 'USA'],
    ['fr', 'Angleterre', 'GBR'],
    ['es', 'EEUU', 'USA'],
    ['es', 'japon', 'JPN'],
    ['ar', 'ألمانيا', 'DEU'],
    ['ar', 'المانيا', 'DEU'],
    ['ar', 'هند', 'IND'],
    ['ar', 'الهند', 'IND'],
    ['ar', 'India', 'IND'],
    ['ar', 'بريطانيا', 'GBR'],
    ['ar', 'السعوديه', 'SAU'],
  ])('in %s finds %s', (language, query, code) =>
    expect(first(query, optionsIn(language))).toBe(code),
  );

  const interfaces = ['en', 'tr', 'fr', 'de', 'es', 'ar'];
  const inInterfaces = interfaces.map(optionsIn);

  it.each(interfaces)('in %s understands names in any language and script', (language) => {
    const options = optionsIn(language);
    for (const [query, code] of [
      ['Deutschland', 'DEU'],
      ['Allemagne', 'DEU'],
      ['Almanya', 'DEU'],
      ['Alemania', 'DEU'],
      ['ألمانيا', 'DEU'],
      ['المانيا', 'DEU'],
      ['Германия', 'DEU'],
      ['ГЕРМАНИЯ', 'DEU'],
      ['Німеччина', 'DEU'],
      ['Γερμανία', 'DEU'],
      ['德国', 'DEU'],
      ['德', 'DEU'],
      ['ドイツ', 'DEU'],
      ['독일', 'DEU'],
      ['독', 'DEU'],
      ['גרמניה', 'DEU'],
      ['जर्मनी', 'DEU'],
      ['آلمان', 'DEU'],
      ['Niemcy', 'DEU'],
      ['南非', 'ZAF'],
      ['Южная Африка', 'ZAF'],
      ['South Africa', 'ZAF'],
      ['जापान', 'JPN'],
      ['ไทย', 'THA'],
      ['Мексика', 'MEX'],
      ['中国', 'CHN'],
      ['مصر', 'EGY'],
      ['Fas', 'MAR'],
      ['Inde', 'IND'],
    ] as const) {
      expect(first(query, options), query).toBe(code);
    }
  });

  // Names with brackets (which passport of a country) differ between languages; countries take turns in the interfaces.
  it('finds every country by its name in each of our languages', () => {
    const missed = interfaces.flatMap((other) =>
      optionsIn(other).flatMap(({ id, name }, index) => {
        if (name.includes('(')) return [];
        const found = first(name, inInterfaces[index % interfaces.length]);
        return found === id ? [] : [`${name} (${other}): ${found}`];
      }),
    );
    expect(missed).toEqual([]);
  });

  it('knows the region of every nationality', () => {
    for (const { code, iso2 } of referenceCountries) {
      expect(countryRegion(code), code).toBe(code === 'GBN' ? null : iso2);
    }
  });

  it('gives both Koreas and both Congos for their common word', () => {
    const ids = (query: string) => matchCountries(query, english).map(({ id }) => id);
    expect(ids('korea')).toEqual(['KOR', 'PRK']);
    expect(ids('congo')).toEqual(['COD', 'COG']);
  });

  it('gives nothing for what is no country', () => {
    expect(matchCountries('qqqq', english)).toEqual([]);
    expect(matchCountries('zz', english)).toEqual([]);
  });

  it('gives every option in its order for an empty query', () => {
    expect(matchCountries('  ', english)).toEqual(english);
  });

  it.each(['en', 'tr', 'fr', 'de', 'es', 'ar'])(
    'finds every country by its full name in %s',
    (language) => {
      const options = optionsIn(language);
      for (const { id, name } of options) expect(first(name, options)).toBe(id);
    },
  );

  it('keeps a country among the results while its name is being typed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...english),
        fc.integer({ min: 1, max: 40 }),
        (option, length) => {
          const typed = option.name.slice(0, length);
          expect(matchCountries(typed, english).map(({ id }) => id)).toContain(option.id);
        },
      ),
    );
  });

  it('takes "St" at the end of other words for the beginning of one', () => {
    const ids = (query: string) => matchCountries(query, english).map(({ id }) => id);
    expect(ids('United St')).toContain('USA');
    expect(ids('St')).toEqual(expect.arrayContaining(['KNA', 'LCA', 'VCT']));
  });

  it('answers any text without throwing, with options of the list only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (query) => {
        for (const option of matchCountries(query, english)) expect(english).toContain(option);
      }),
    );
  });

  it('has synonyms for nationalities of the list and the destination only', () => {
    const codes = new Set([...english.map(({ id }) => id), 'TUR']);
    expect(Object.keys(synonyms).filter((code) => !codes.has(code))).toEqual([]);
  });
});

describe('who is not in the list', () => {
  it.each([
    ['turkey', 'turkish'],
    ['Türkiye', 'turkish'],
    ['turkiye', 'turkish'],
    ['Türkei', 'turkish'],
    ['Turquie', 'turkish'],
    ['Turquía', 'turkish'],
    ['تركيا', 'turkish'],
    ['stateless', 'withoutNationality'],
    ['Refugee', 'withoutNationality'],
    ['mülteci', 'withoutNationality'],
    ['Flüchtling', 'withoutNationality'],
    ['staatenlos', 'withoutNationality'],
    ['apatride', 'withoutNationality'],
    ['apátrida', 'withoutNationality'],
    ['لاجئ', 'withoutNationality'],
    ['atlantis', null],
    ['zz', null],
  ])('%s is told as %s', (query, whom) => {
    expect(unlistedGroup(query, matchCountries(query, english))).toBe(whom);
  });

  it('is told where a country matches as well, but by a whole name alone', () => {
    const arabic = optionsIn('ar');
    const told = (query: string) => unlistedGroup(query, matchCountries(query, arabic));
    expect(matchCountries('تركيا', arabic).map(({ id }) => id)).toEqual(['TKM']);
    expect(told('تركيا')).toBe('turkish');
    expect(told('تركمانستان')).toBeNull();
    expect(unlistedGroup('turkm', matchCountries('turkm', english))).toBeNull();
  });
});

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

describe('the highlight in the country list', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 0, 1],
    ['ArrowDown', 9, 0],
    ['ArrowUp', -1, 9],
    ['ArrowUp', 0, 9],
    ['ArrowUp', 5, 4],
    ['PageDown', 0, 6],
    ['PageDown', 7, 9],
    ['PageUp', 9, 3],
    ['PageUp', 2, 0],
    ['Home', 3, undefined],
    ['End', 3, undefined],
    ['a', 3, undefined],
  ])('%s moves it from %i of 10 to %s', (key, from, to) => {
    expect(movedHighlight(key, from, 10)).toBe(to);
  });

  it('goes nowhere in an empty list', () => {
    expect(movedHighlight('ArrowDown', -1, 0)).toBeUndefined();
  });

  it('always stays inside the list', () => {
    const keys = fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp');
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 300 }), fc.nat(300), (key, count, from) => {
        const to = movedHighlight(key, Math.min(from, count) - 1, count);
        expect(to).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThan(count);
      }),
    );
  });
});

describe('a key on the closed select', () => {
  const press = (key: string, held = {}) =>
    openingText({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

  it.each([' ', 'Enter', 'F4', 'ArrowDown', 'ArrowUp'])('opens the list with %j', (key) => {
    expect(press(key)).toBe('');
  });

  it.each(['h', 'H', 'İ', 'م'])('starts the search with the letter %s', (key) => {
    expect(press(key)).toBe(key);
  });

  it('is a space of the name once one has begun', () => {
    expect(openingText({ key: ' ', ctrlKey: false, metaKey: false, altKey: false }, 'south')).toBe(
      ' ',
    );
  });

  it.each(['Tab', 'Escape', 'Shift', 'Dead', 'Process', 'Home'])('leaves %s alone', (key) => {
    expect(press(key)).toBeUndefined();
  });

  it('leaves shortcuts alone, but opens with Alt and an arrow', () => {
    expect(press('r', { ctrlKey: true })).toBeUndefined();
    expect(press('ArrowDown', { metaKey: true })).toBeUndefined();
    expect(press('f', { altKey: true })).toBeUndefined();
    expect(press('ArrowDown', { altKey: true })).toBe('');
  });
});

function html(language: Language, options: readonly CountryOption[], value?: string) {
  return renderToStaticMarkup(
    <TextsProvider texts={loadedTexts(language)}>
      <CountryField label="Nationality" name="countryId" options={options} value={value} />
    </TextsProvider>,
  );
}

describe('the country field as the server sends it', () => {
  it('is a select with a bound label, an empty choice and every country', () => {
    const page = html('en', countryOptions(referenceCountries, 'en'));
    expect(page).toMatch(/<label[^>]* for="countryId"[^>]*>Nationality<\/label>/);
    expect(page).toMatch(/<select[^>]* id="countryId"/);
    expect(page).toMatch(/<select[^>]* name="countryId"/);
    expect(page).toContain('<option value="" selected="">Select a country</option>');
    expect(page.match(/<option /g)).toHaveLength(202);
    expect(page).not.toContain('listbox');
  });

  it('keeps the present choice', () => {
    const page = html('en', countryOptions(referenceCountries, 'en'), 'ZAF');
    expect(page).toContain('<option value="ZAF" selected="">South Africa</option>');
  });

  it("names and sorts the countries in the page's language", () => {
    const page = html('ar', countryOptions(referenceCountries, 'ar'));
    expect(page).toContain('<option value="ZAF">جنوب أفريقيا</option>');
    expect(page.indexOf('"ESP"')).toBeLessThan(page.indexOf('"YEM"'));
  });

  it('says when there is no country to choose', () => {
    expect(html('en', [])).toContain('No countries available');
  });
});

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
