import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { languages } from '../src/base/languages.ts';
import { textPartByKey, textParts } from '../src/i18n/text-parts.ts';
import type { Texts } from '../src/base/read-text.ts';

const folder = join(import.meta.dirname, '..', 'locales');
const ALL = 'virtual:texts';
const ONE = /^\0virtual:texts\/([a-z]{2})\/(\w+)$/;

/**
 * `virtual:texts`: how browsers load texts, by language and part (see `text-parts.ts`). Each part is one module, so
 * that a page loads one file instead of twenty.
 */
export function texts(): Plugin {
  return {
    name: 'lale:texts',
    resolveId: (id) => (id.startsWith(ALL) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${ALL}`) return loaders();
      const [, language, part] = ONE.exec(id) ?? [];
      if (!language || !part) return null;
      const all = readdirSync(join(folder, language)).flatMap((file) => {
        const path = join(folder, language, file);
        this.addWatchFile(path);
        const namespace = file.replace('.json', '');
        const its = ofPart(part, namespace, JSON.parse(readFileSync(path, 'utf8')));
        return Object.keys(its).length > 0 ? [[namespace, its]] : [];
      });
      return `export default ${JSON.stringify(Object.fromEntries(all))}`;
    },
  };
}

/** The texts of a namespace that belong to a part. */
function ofPart(part: string, namespace: string, texts: Texts): Texts {
  const kept = Object.entries(texts).flatMap(([name, value]) => {
    if (typeof value === 'string')
      return textPartByKey(namespace, name, '') === part ? [[name, value]] : [];
    const its = Object.entries(value).filter(
      ([inner]) => textPartByKey(namespace, name, inner) === part,
    );
    return its.length > 0 ? [[name, Object.fromEntries(its)]] : [];
  });
  return Object.fromEntries(kept);
}

function loaders(): string {
  const ofOne = (language: string) =>
    textParts.map((part) => `${part}: () => import('${ALL}/${language}/${part}')`).join(', ');
  return `export default { ${languages.map(({ code }) => `${code}: { ${ofOne(code)} }`).join(', ')} }`;
}
