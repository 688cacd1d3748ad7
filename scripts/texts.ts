import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { languages } from '../src/base/languages.ts';
import { partOf, textParts } from '../src/text-parts.ts';

const folder = join(import.meta.dirname, '..', 'locales');
const ALL = 'virtual:texts';
const ONE = /^\0virtual:texts\/([a-z]{2})\/(\w+)$/;

/**
 * `virtual:texts`: how the browser gets texts, by language and part (see `text-parts.ts`). Each part is one module, so that
 * a page asks for one file where there are twenty.
 */
export function texts(): Plugin {
  return {
    name: 'lale:texts',
    resolveId: (id) => (id.startsWith(ALL) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${ALL}`) return loaders();
      const [, language, part] = ONE.exec(id) ?? [];
      if (!language || !part) return null;
      const files = readdirSync(join(folder, language)).map((file) => file.replace('.json', ''));
      const mine = files.filter((namespace) => partOf(namespace) === part);
      const entries = mine.map((namespace) => {
        const path = join(folder, language, `${namespace}.json`);
        this.addWatchFile(path);
        return [namespace, JSON.parse(readFileSync(path, 'utf8'))];
      });
      return `export default ${JSON.stringify(Object.fromEntries(entries))}`;
    },
  };
}

function loaders(): string {
  const ofOne = (language: string) =>
    textParts.map((part) => `${part}: () => import('${ALL}/${language}/${part}')`).join(', ');
  return `export default { ${languages.map(({ code }) => `${code}: { ${ofOne(code)} }`).join(', ')} }`;
}
