import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '../src/base/languages.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';

const folder = join(projectRoot, 'locales');
const features = readdirSync(join(folder, 'en')).map((file) => file.replace('.json', ''));

/** `a.b.c` → text. Texts contain no arrays. */
function flatten(texts: object, prefix = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') all.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) all.set(inner, text);
  }
  return all;
}

const read = (language: string, feature: string) =>
  flatten(JSON.parse(readFileSync(join(folder, language, `${feature}.json`), 'utf8')));

const PLURAL = /_(zero|one|two|few|many|other)$/;
/** The key without its plural form, as languages have different ones. */
const stem = (key: string) => key.replace(PLURAL, '');
const stems = (texts: Map<string, string>) => [...new Set([...texts.keys()].map(stem))].sort();
const placeholders = (text: string) =>
  [...new Set(text.match(/\{\{[^}]+\}\}|<\/?\w+\/?>/g) ?? [])].sort();

/** A form for exactly one or two may write the number, `count` or `figure`, in words. */
const placesBesideNumber = (text: string) =>
  placeholders(text).filter((name) => name !== '{{count}}' && name !== '{{figure}}');

describe.each(features)('texts of %s', (feature) => {
  const english = read('en', feature);

  test.each(languageCodes)('are complete in %s', (code) => {
    const texts = read(code, feature);
    expect(stems(texts)).toEqual(stems(english));
    const empty = [...texts].filter(([, text]) => text.trim() === '').map(([key]) => key);
    expect(empty).toEqual([]);
  });

  test('have no key that only looks like a plural form', () => {
    const keys = [...english.keys()];
    const alike = keys.filter((key) => PLURAL.test(key) && !english.has(`${stem(key)}_other`));
    expect(alike).toEqual([]);
  });

  test.each(languageCodes)('have every plural form of %s', (code) => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
    const texts = read(code, feature);
    const counted = [...english.keys()].filter((key) => key.endsWith('_other')).map(stem);
    const missing = counted.flatMap((key) =>
      forms.map((form) => `${key}_${form}`).filter((form) => !texts.has(form)),
    );
    expect(missing).toEqual([]);
  });

  test.each(languageCodes)('keep their placeholders in %s', (code) => {
    const texts = read(code, feature);
    for (const [key, text] of texts) {
      const original = english.get(key) ?? english.get(`${stem(key)}_other`) ?? '';
      const placesOf = PLURAL.test(key) ? placesBesideNumber : placeholders;
      expect(placesOf(text), key).toEqual(placesOf(original));
    }
  });
});

test('every description for translators is of a text or of a group of texts', () => {
  const keys = features.flatMap((feature) =>
    [...read('en', feature).keys()].map((key) => `${feature}:${stem(key)}`),
  );
  const described = Object.keys(
    JSON.parse(readFileSync(join(folder, 'descriptions.json'), 'utf8')),
  );
  expect(described.length).toBeGreaterThan(200);
  const isThere = (one: string) =>
    keys.some((key) => key === one || key.startsWith(`${one}.`) || key.startsWith(`${one}:`));
  expect(described.filter((one) => !isThere(one))).toEqual([]);
});
