/**
 * Writes `locales/<language>/countries.json` from the CLDR names in Node and our corrections. Names are kept in the
 * repository, so that a new Node never renames a country: run this, read the difference, commit.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseCountries } from '../src/features/catalog/reference-data.ts';
import { corrections, places } from './country-name-corrections.ts';

/** The CLDR version of the last run (`process.versions.cldr`). */
export const FROZEN_FROM_CLDR = '48.0';

export const frozenLanguages = ['en', 'tr', 'fr', 'de', 'es', 'ar'] as const;
type FrozenLanguage = (typeof frozenLanguages)[number];

const root = new URL('../', import.meta.url);

/**
 * Code → name of all nationalities and places in one language, in order of codes.
 * @throws Error for a missing name.
 */
export function frozenNames(language: FrozenLanguage): Record<string, string> {
  const csv = readFileSync(new URL('src/features/catalog/data/countries.csv', root), 'utf8');
  const cldr = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const names: Record<string, string> = {};
  for (const { code, iso2, name: english } of parseCountries(csv)) {
    const corrected =
      language === 'en' ? english.replaceAll("'", '’') : corrections[code]?.[language];
    const name = corrected ?? (iso2 === null ? undefined : cldr.of(iso2));
    if (!name) throw new Error(`No ${language} name for ${code}`);
    names[code] = name;
  }
  for (const [code, inLanguage] of Object.entries(places)) names[code] = inLanguage[language];
  return Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The committed file of one language. */
export function frozenFile(language: FrozenLanguage): URL {
  return new URL(`locales/${language}/countries.json`, root);
}

if (import.meta.main) {
  if (process.versions.cldr !== FROZEN_FROM_CLDR) {
    console.warn(`CLDR ${process.versions.cldr}: set FROZEN_FROM_CLDR and read the difference.`);
  }
  for (const language of frozenLanguages) {
    writeFileSync(frozenFile(language), `${JSON.stringify(frozenNames(language), null, 2)}\n`);
  }
}
