import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { languages } from '~/base/languages.ts';

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
