import { pluralRules } from './intl.ts';
import type { Namespace, TextKey } from './text-keys.ts';

/** A namespace as its file in `locales` has it: texts and groups of texts. */
export type Texts = { readonly [key: string]: string | Texts };

/** What goes into a text's `{{places}}`, and how to look it up. */
export type TextValues = Readonly<Record<string, string | number | null | undefined>>;

/** Reads one text by any key: what a typed `Translate` is made of. */
export type ReadByKey = (keys: string | readonly string[], values?: TextValues | string) => string;

/** Reads one text of a namespace. */
export type Translate<Name extends Namespace = never> = {
  /** By a key that exists; of several keys, the first that exists, and the last of them must. */
  (keys: TextKey<Name> | readonly [...string[], TextKey<Name>], values?: TextValues): string;
  /** By a key that may not exist, with the text to use then. */
  (
    keys: string | readonly string[],
    values: string | (TextValues & { defaultValue: string }),
  ): string;
};

type TextSource = {
  language: string;
  /** Undefined while the namespace is not loaded. */
  textsOf: (namespace: string) => Texts | undefined;
};

/**
 * Reads a text the way i18next does, as far as Lale's texts use it: `namespace:key.of.it`, the first of several keys that
 * there is, plural forms by `count`, `{{places}}`, `defaultValue`. What is missing is its last key.
 */
export function readText(
  source: TextSource,
  namespace: string,
  keys: string | readonly string[],
  values: TextValues = {},
): string {
  const paths = typeof keys === 'string' ? [keys] : keys;
  let found: string | undefined;
  for (const path of paths) found ??= find(source, namespace, path, values);
  const last = paths.at(-1) ?? '';
  found ??= asText(values.defaultValue) ?? last.slice(last.indexOf(':') + 1);
  if (!found.includes('{{')) return found;
  return found.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, place: string) => String(values[place] ?? ''));
}

function find(
  { language, textsOf }: TextSource,
  namespace: string,
  path: string,
  { count }: TextValues,
): string | undefined {
  const colon = path.indexOf(':');
  const texts = textsOf(colon < 0 ? namespace : path.slice(0, colon));
  const key = path.slice(colon + 1);
  if (typeof count !== 'number') return textAt(texts, key);
  return (
    (count === 0 ? textAt(texts, `${key}_zero`) : undefined) ??
    textAt(texts, `${key}_${pluralForm(language, count)}`) ??
    textAt(texts, key)
  );
}

function pluralForm(language: string, count: number): Intl.LDMLPluralRule {
  return pluralRules(language).select(count);
}

const textAt = (texts: Texts | undefined, key: string): string | undefined =>
  texts && byKey(texts).get(key);

const flat = new WeakMap<Texts, ReadonlyMap<string, string>>();

/** The texts of a namespace and of its groups by their whole keys. */
function byKey(texts: Texts): ReadonlyMap<string, string> {
  const known = flat.get(texts);
  if (known) return known;
  const all = new Map<string, string>();
  const put = (group: Texts, prefix: string) => {
    for (const [name, text] of Object.entries(group)) {
      if (typeof text === 'string') all.set(prefix + name, text);
      else put(text, `${prefix}${name}.`);
    }
  };
  put(texts, '');
  flat.set(texts, all);
  return all;
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A string in place of values is the text to use where the key does not exist. */
export const asValues = (values: TextValues | string | undefined): TextValues | undefined =>
  typeof values === 'string' ? { defaultValue: values } : values;
