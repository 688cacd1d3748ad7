import type { Language } from '~/base/languages.ts';
import type { Texts } from '~/base/read-text.ts';
import { loadedTexts, namespaces } from '~/i18n/translations.server.ts';
import descriptions from '../../../locales/descriptions.json';

/** Most rows on a page; a filter finds the others. */
export const MOST_ROWS = 500;

/** One text: a single form, or its plural forms by name. */
type Forms = readonly { form: string; text: string }[];

export type TextRow = {
  part: string;
  key: string;
  english: Forms;
  chosen: Forms;
  /** Where it is used and what it means; null where the key says enough. */
  description: string | null;
};

const PLURAL = /_(zero|one|two|few|many|other)$/;
const described: ReadonlyMap<string, string> = new Map(Object.entries(descriptions));

/** The description of a text, or of the smallest group around it that has one. */
export function descriptionOf(part: string, key: string): string | null {
  const names = key.split('.');
  for (let length = names.length; length > 0; length -= 1) {
    const found = described.get(`${part}:${names.slice(0, length).join('.')}`);
    if (found !== undefined) return found;
  }
  return described.get(part) ?? null;
}

/** Texts of one namespace, or of all; `find`: part of their key, text or description, in any case. */
export function findTexts(asked: { part: string; find: string; language: Language }): {
  rows: TextRow[];
  count: number;
} {
  const parts = namespaces.filter((part) => asked.part === '' || part === asked.part);
  const wanted = asked.find.toLowerCase();
  const found = parts
    .flatMap(rowsIn(asked.language))
    .filter((row) => wordsOf(row).includes(wanted));
  return { rows: found.slice(0, MOST_ROWS), count: found.length };
}

const rowsIn =
  (language: Language) =>
  (part: string): TextRow[] => {
    const english = formsByKey(loadedTexts('en').textsOf(part) ?? {});
    const chosen = formsByKey(loadedTexts(language).textsOf(part) ?? {});
    return [...english].map(([key, forms]) => ({
      part,
      key,
      english: forms,
      chosen: chosen.get(key) ?? [],
      description: descriptionOf(part, key),
    }));
  };

const wordsOf = ({ part, key, english, chosen, description }: TextRow): string =>
  [`${part}:${key}`, ...[...english, ...chosen].map(({ text }) => text), description ?? '']
    .join('\n')
    .toLowerCase();

/** The texts of a namespace by their keys without the plural form. */
function formsByKey(texts: Texts): Map<string, { form: string; text: string }[]> {
  const all = new Map<string, { form: string; text: string }[]>();
  const put = (group: Texts, prefix: string) => {
    for (const [name, text] of Object.entries(group)) {
      if (typeof text !== 'string') {
        put(text, `${prefix}${name}.`);
        continue;
      }
      const form = PLURAL.exec(name)?.[1] ?? '';
      const key = prefix + name.replace(PLURAL, '');
      all.set(key, [...(all.get(key) ?? []), { form, text }]);
    }
  };
  put(texts, '');
  return all;
}
