import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { languageCodes, languages } from '~/base/languages.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { asValues, readText, type Texts } from '~/base/read-text.ts';
import { TextsProvider, Trans as BrowserTrans } from '~/ui/texts/texts.tsx';

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

const t = makeTranslate('en', 'settings');

/** A key that is not in the English file does not compile: `npm run check` fails where an expected error is missing. */
test('keys are those of the English files', () => {
  expect(t('done.saved')).toBe(t('settings:done.saved'));
  // @ts-expect-error no text has this key
  expect(t('done.forgotten')).toBe('done.forgotten');
  // @ts-expect-error another namespace is named before its key
  expect(t('errorSummary.titlePrefix')).toBe('errorSummary.titlePrefix');
  // @ts-expect-error a group is no text
  expect(t('done')).toBe('done');
  const fromOutside: string = 'outside';
  // @ts-expect-error a code from outside needs a default
  expect(t(`done.${fromOutside}`)).toBe('done.outside');
  expect(t(`done.${fromOutside}`, 'as it came')).toBe('as it came');
  // @ts-expect-error the last of several keys is one that there is
  expect(t(['done.saved', `done.${fromOutside}`])).toBe(t('done.saved'));
  expect(t([`done.${fromOutside}`, 'done.saved'])).toBe(t('done.saved'));
});

test('a counted text is asked for without its plural form', () => {
  expect(t('retention.years', { count: 2 })).toContain('2');
  // @ts-expect-error the form follows from `count`
  expect(t('retention.years_other', { count: 2 })).toContain('2');
});

test('codes with words are a type', () => {
  const saved: CodeIn<'settings', 'done'> = 'saved';
  // @ts-expect-error no words are written for it
  const forgotten: CodeIn<'settings', 'done'> = 'forgotten';
  expect([saved, forgotten]).toEqual(['saved', 'forgotten']);
});

test('every English file is typed', () => {
  const source = readFileSync(join(projectRoot, 'src/base/text-keys.ts'), 'utf8');
  const typed = [...source.matchAll(/from '\.\.\/\.\.\/locales\/en\/(.+)\.json'/g)].map(
    ([, name]) => name,
  );
  const files = readdirSync(join(projectRoot, 'locales/en'));
  expect(typed.sort()).toEqual(files.map((file) => file.replace('.json', '')).sort());
});

/** How each language names those who decide. */
const authorities: Record<string, RegExp> = {
  en: /authorities/,
  tr: /makamlar/i,
  fr: /autorités/,
  de: /Behörden/,
  es: /autoridades/,
  ar: /السلطات/,
};

/** Every text of a language, by namespace and key. */
function textsOf(language: string): [key: string, text: string][] {
  const leaves = (prefix: string, node: unknown): [string, string][] =>
    typeof node === 'string'
      ? [[prefix, node]]
      : Object.entries(node ?? {}).flatMap(([key, value]) => leaves(`${prefix}.${key}`, value));
  return readdirSync(`locales/${language}`).flatMap((file) =>
    leaves(
      file.replace('.json', ''),
      JSON.parse(readFileSync(`locales/${language}/${file}`, 'utf8')),
    ),
  );
}

const isPromise = (text: string) => /<promise\/>|\{\{promise\}\}/.test(text);

/** A moment that goes into `promise` is the one by which an e-visa is delivered; `moment` is any other. */
test.each(languages)('a text that promises an e-visa says who decides, in $code', ({ code }) => {
  const promises = textsOf(code).filter(([, text]) => isPromise(text));
  expect(promises.length).toBeGreaterThan(8);
  const silent = promises.filter(([, text]) => !authorities[code]?.test(text));
  expect(silent).toEqual([]);
});

test.each(languages)('the texts that promise are the same in $code as in English', ({ code }) => {
  const keys = (language: string) =>
    textsOf(language)
      .filter(([, text]) => isPromise(text))
      .map(([key]) => key)
      .toSorted();
  expect(keys(code)).toEqual(keys('en'));
});

/** A promised moment stands after a colon in Turkish, where it would need a case ending in the sentence. */
test('a Turkish promise stands after a colon', () => {
  const texts = textsOf('tr').filter(([, text]) =>
    /<(promise|moment)\/>|\{\{promise\}\}/.test(text),
  );
  expect(
    texts.filter(([, text]) => !/: (<(promise|moment)\/>|\{\{promise\}\})/.test(text)),
  ).toEqual([]);
});

describe('browser texts', () => {
  /*
   * Texts have the format of i18next, which translators' tools support, but browsers use a smaller reader: this compares
   * both for every text of every language.
   */
  const folder = join(projectRoot, 'locales');
  const COUNTS = [0, 1, 2, 3, 5, 11, 21, 100, 102, 1000];
  const PLURAL = /_(zero|one|two|few|many|other)$/;

  function flatten(texts: Texts, prefix = ''): [key: string, text: string][] {
    return Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
    );
  }

  const placesIn = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, place = '']) => [place, `[${place}]`]),
    );

  describe.each(languages)('texts in $name', ({ code, direction }) => {
    const all = new Map<string, Texts>(
      readdirSync(join(folder, code)).map((file) => [
        file.replace('.json', ''),
        JSON.parse(readFileSync(join(folder, code, file), 'utf8')),
      ]),
    );
    const source = { language: code, direction, textsOf: (name: string) => all.get(name) };
    const reference = createInstance();
    void reference.init({
      lng: code,
      resources: { [code]: Object.fromEntries(all) },
      initAsync: false,
      interpolation: { escapeValue: false },
      returnNull: false,
    });
    const { t } = reference;
    const texts = [...all].flatMap(([namespace, its]) =>
      flatten(its).map(([key, text]) => ({ key: `${namespace}:${key}`, text })),
    );

    test('are read as i18next reads them, with every count', () => {
      for (const { key, text } of texts) {
        const values = placesIn(text);
        expect(readText(source, '', key, values), key).toBe(t(key, values));
        const stem = key.replace(PLURAL, '');
        if (stem === key) continue;
        const forms = texts.filter((one) => one.key.replace(PLURAL, '') === stem);
        const places = placesIn(forms.map(({ text: form }) => form).join(' '));
        for (const count of COUNTS) {
          const counted = { ...places, count };
          expect(readText(source, '', stem, counted), stem).toBe(t(stem, counted));
        }
      }
    });

    test('have their components where their tags are', () => {
      for (const { key, text } of texts.filter((one) => one.text.includes('<'))) {
        const names = [...text.matchAll(/<(\w+)/g)].map(([, name = '']) => name);
        const components = Object.fromEntries(
          names.map((name) => [name, <i data-is={name} key={name} />]),
        );
        const values = placesIn(text);
        const drawn = renderToStaticMarkup(
          <TextsProvider texts={source}>
            <BrowserTrans
              components={components}
              i18nKey="ui:date.day"
              t={(_, its) => readText(source, '', key, asValues(its))}
              values={values}
            />
          </TextsProvider>,
        );
        const filled = readText(source, '', key, values);
        const expected = filled
          .replaceAll(
            /<(\w+)>(.*?)<\/\1>|<(\w+)\s*\/>/gs,
            (_, name = '', inner = '', alone = '') => `⟦i data-is="${name || alone}"⟧${inner}⟦/i⟧`,
          )
          .replaceAll('&', '&amp;')
          .replaceAll('"', '&quot;')
          .replaceAll("'", '&#x27;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll(/⟦(.*?)⟧/gs, (_, tag: string) => `<${tag.replaceAll('&quot;', '"')}>`);
        expect(drawn, key).toBe(expected);
      }
    });

    test('are the first of several keys that there is', () => {
      const form = reference.getFixedT(null, 'form');
      for (const keys of [
        ['errors.email.required.title', 'errors.any.required.title'],
        ['errors.none.required.title', 'errors.any.required.title'],
        ['errors.none.none.title', 'errors.any.none.title'],
      ]) {
        for (const values of [{}, { defaultValue: '' }]) {
          expect(readText(source, 'form', keys, values), keys[0]).toBe(form(keys, values));
        }
      }
    });

    test('that are missing are the string in place of values', () => {
      const t = makeTranslate(code, 'visa');
      expect(t('no.such', 'as it came')).toBe('as it came');
      expect(t('no.such', 'as it came')).toBe(
        reference.getFixedT(null, 'visa')('no.such', 'as it came'),
      );
    });

    test('that are missing are their default, or their key', () => {
      for (const values of [{}, { defaultValue: 'as {{it}} is', it: 'it' }]) {
        expect(readText(source, 'visa', 'no.such', values)).toBe(
          reference.getFixedT(null, 'visa')('no.such', values),
        );
      }
    });
  });
});
