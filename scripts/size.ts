// `npm run size`: how large the code is, counted from what git tracks.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const linesOf = (file: string) => read(file).split('\n').length - 1;

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const code = tracked.filter((file) => /\.(tsx?|css|mjs)$/.test(file));
const isTest = (file: string) => /\.(test|spec)\.|(^|\/)testing\/|^(test|e2e)\//.test(file);
const source = code.filter((file) => file.startsWith('src/') && !isTest(file));
const tests = code.filter(isTest);

const folders = new Set<string>();
for (const file of tracked.filter((name) => name.startsWith('src/'))) {
  for (let at = dirname(file); at !== 'src'; at = dirname(at)) folders.add(at);
}

const count = (files: readonly string[], pattern: RegExp) =>
  files.reduce((sum, file) => sum + [...read(file).matchAll(pattern)].length, 0);
const withContexts = source.filter((file) =>
  /import \{[^}]*\bcreateContext\b[^}]*\} from 'react-router'/.test(read(file)),
);

/** For each value that a store exports the files that import it. */
const users = new Map<string, Set<string>>();
const isStore = (file: string) => file.endsWith('-store.server.ts');
for (const file of source.filter(isStore)) {
  const exported = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
  for (const [, name] of read(file).matchAll(exported)) users.set(`${file} ${name}`, new Set());
}
for (const file of source) {
  const imports = /import (?!type )\{([^}]*)\} from '([~.][^']*)'/g;
  for (const [, names = '', from = ''] of read(file).matchAll(imports)) {
    const target = from.startsWith('~/') ? `src/${from.slice(2)}` : join(dirname(file), from);
    if (!isStore(target)) continue;
    for (const name of names.split(',')) {
      users.get(`${target} ${name.trim().split(' as ')[0]}`)?.add(file);
    }
  }
}
const usedOnce = [...users.values()].filter((files) => files.size === 1).length;

const sum = (files: readonly string[]) => files.reduce((all, file) => all + linesOf(file), 0);
const number = (value: number) => value.toLocaleString('en-GB');
const inFolder = (folder: string) =>
  new Set([...folders].filter((name) => dirname(name) === folder)).size;
const scripts: unknown = JSON.parse(read('package.json')).scripts;

const rows: readonly (readonly [string, ...string[]])[] = [
  ['src without tests: files, lines', number(source.length), number(sum(source))],
  ['src: folders below it', number(folders.size)],
  ['src: files directly in it', number(source.filter((file) => dirname(file) === 'src').length)],
  ['src/features/desk: folders directly in it', number(inFolder('src/features/desk'))],
  ['tests, journeys and their helpers: files, lines', number(tests.length), number(sum(tests))],
  ['all tracked files', number(tracked.length)],
  [
    'README.md: lines, bytes',
    number(linesOf('README.md')),
    number(Buffer.byteLength(read('README.md'))),
  ],
  ['package.json: scripts', number(Object.keys(Object(scripts)).length)],
  ['tables', number(count(source, /= (?:pgTable|personalTable)\([\s'`]/g))],
  ['contexts of the router', number(count(withContexts, /\bcreateContext[<(]/g))],
  [
    'exports of stores, of which one file alone imports',
    number(users.size),
    `${number(usedOnce)} (${Math.round((100 * usedOnce) / Math.max(users.size, 1))} %)`,
  ],
];
for (const [what, ...values] of rows) {
  console.log(what.padEnd(52) + values.map((value) => value.padStart(10)).join('  '));
}
