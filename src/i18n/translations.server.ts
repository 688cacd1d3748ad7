import {
  asValues,
  readText,
  type Texts,
  type Translate,
  type TextValues,
} from '~/base/read-text.ts';
import type { Namespace } from '~/base/text-keys.ts';
import { textDirection, languages, type Language } from '~/base/languages.ts';

const files = import.meta.glob<Texts>('../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

const resources: Record<string, Record<string, Texts>> = {};
for (const [path, texts] of Object.entries(files)) {
  const [language, file] = path.split('/').slice(-2);
  if (language === undefined || file === undefined) continue;
  (resources[language] ??= {})[file.replace('.json', '')] = texts;
}

/** All texts of a language, read at boot; a request cannot see another's language. */
export type LoadedTexts = {
  language: Language;
  direction: 'ltr' | 'rtl';
  textsOf: (namespace: string) => Texts | undefined;
};

const loaded = new Map<Language, LoadedTexts>(
  languages.map(({ code }) => [
    code,
    {
      language: code,
      direction: textDirection(code),
      textsOf: (namespace) => resources[code]?.[namespace],
    },
  ]),
);

export function loadedTexts(language: Language): LoadedTexts {
  const texts = loaded.get(language);
  if (!texts) throw new Error(`No texts for ${language}`);
  return texts;
}

/** Reads a language's texts; keys may name another namespace with a colon. */
export const makeTranslate =
  <Name extends Namespace = never>(
    language: Language,
    namespace: Name | '' = '',
  ): Translate<Name> =>
  (keys: string | readonly string[], values?: TextValues | string) =>
    readText(loadedTexts(language), namespace, keys, asValues(values));
