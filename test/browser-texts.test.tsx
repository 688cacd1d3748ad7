import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '../src/base/languages.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';
import { textsIn } from '../src/i18n/translations.server.ts';
import { asValues, readText, type Texts } from '../src/base/read-text.ts';
import { TextsProvider, Trans as BrowserTrans } from '../src/ui/texts/texts.tsx';

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
    const t = textsIn(code, 'visa');
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
