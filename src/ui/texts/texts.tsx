import { cloneElement, createContext, use, type ReactElement, type ReactNode } from 'react';
import {
  asValues,
  readText,
  type ReadByKey,
  type Texts,
  type Translate,
  type TextValues,
} from '~/base/read-text.ts';
import { defaultLanguage, isLanguage, type Language } from '~/base/languages.ts';
import type { Namespace, TextKey } from '~/base/text-keys.ts';

/*
 * How pages read texts, on the server and in the browser: what react-i18next would do for us, in a tenth of its bytes.
 * `test/locales.test.tsx` holds every text of every language against i18next.
 */

/** Texts of one language, by namespace. */
export type LoadedTexts = {
  language: string;
  direction: 'ltr' | 'rtl';
  textsOf: (namespace: string) => Texts | undefined;
};

type PageLanguage = { language: Language; direction: 'ltr' | 'rtl' };
type Translation = { t: ReadByKey } & PageLanguage;

const TranslationContext = createContext<(namespace: string) => Translation>(() => {
  throw new Error('No texts around this');
});

export function TextsProvider({ texts, children }: { texts: LoadedTexts; children: ReactNode }) {
  return <TranslationContext value={translationsOf(texts)}>{children}</TranslationContext>;
}

const made = new WeakMap<LoadedTexts, (namespace: string) => Translation>();

/** A namespace's `t` stays the same function, so that effects may depend on it. */
function translationsOf(texts: LoadedTexts) {
  const known = made.get(texts);
  if (known) return known;
  const { direction } = texts;
  const language = isLanguage(texts.language) ? texts.language : defaultLanguage;
  const byNamespace = new Map<string, Translation>();
  const translation = (namespace: string) => {
    let found = byNamespace.get(namespace);
    if (!found) {
      byNamespace.set(namespace, (found = { t: reader(texts, namespace), language, direction }));
    }
    return found;
  };
  made.set(texts, translation);
  return translation;
}

/** A text into which nothing goes is looked up once: a list says the same few of them in every row. */
function reader(texts: LoadedTexts, namespace: string): ReadByKey {
  const plain = new Map<string, string>();
  return (keys, values) => {
    if (typeof keys !== 'string' || values !== undefined) {
      return readText(texts, namespace, keys, asValues(values));
    }
    const known = plain.get(keys);
    if (known !== undefined) return known;
    const text = readText(texts, namespace, keys);
    // What is missing reads as the end of its key, and may come with the rest of the texts.
    if (!keys.endsWith(text)) plain.set(keys, text);
    return text;
  };
}

/**
 * Texts, and the language of the page. Of several namespaces the first is looked in; the others are named with a colon.
 */
export function useTranslation<Name extends Namespace = never>(
  namespaces: Name | readonly [Name, ...Namespace[]] | '' = '',
): { t: Translate<Name> } & PageLanguage {
  const translation = use(TranslationContext);
  return translation(typeof namespaces === 'string' ? namespaces : namespaces[0]);
}

type TransProps<Name extends Namespace> = {
  i18nKey: TextKey<Name>;
  t: Translate<Name>;
  values?: TextValues;
  components: Readonly<Record<string, ReactElement<{ children?: ReactNode }>>>;
};

const TAG = /<(\w+)>(.*?)<\/\1>|<(\w+)\s*\/>/gs;

/** A text with components where it has tags of their names; tags do not stand in one another. */
export function Trans<Name extends Namespace = never>({
  i18nKey,
  t,
  values,
  components,
}: TransProps<Name>): ReactNode {
  const text = t(i18nKey, values);
  const parts: ReactNode[] = [];
  let end = 0;
  for (const tag of text.matchAll(TAG)) {
    const component = components[tag[1] ?? tag[3] ?? ''];
    if (!component) continue;
    if (tag.index > end) parts.push(text.slice(end, tag.index));
    const key = tag.index;
    parts.push(
      tag[1] === undefined
        ? cloneElement(component, { key })
        : cloneElement(component, { key }, tag[2]),
    );
    end = tag.index + tag[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
