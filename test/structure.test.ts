import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '~/platform/config/root.server.ts';
import { featureLayers, layers } from '../scripts/layers.ts';

const source = join(projectRoot, 'src');
const isTest = (file: string) => /\.test\.tsx?$|\/testing\//.test(file);

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(source, join(entry.parentPath, entry.name)));

test('src itself holds entry points and what the bundler needs there, nothing else', () => {
  const own = files.filter((file) => dirname(file) === '.').toSorted();
  expect(own).toEqual([
    'backup-keys.ts',
    'backup.ts',
    'doctor.ts',
    'entry.client.tsx',
    'entry.server.tsx',
    'erasures.ts',
    'keys.ts',
    'migrate.ts',
    'move-files.ts',
    'reencrypt.ts',
    'rehash.ts',
    'restore.ts',
    'retention.ts',
    'root.tsx',
    'routes.ts',
    'server.ts',
    'staff-reset.ts',
    'styles.css',
    'verify-audit.ts',
    'virtual-modules.d.ts',
    'worker.ts',
  ]);
});

/** For each folder those it imports, with one import as an example. */
type FolderImports = Map<string, Map<string, string>>;

/** The imports that lead from a folder back to it, be it through others. */
function circlesOf(imports: FolderImports): string[] {
  // Folders that import none of the others are in no circle; then those that import only such, and so on.
  let left = [...imports.keys()];
  const importedOf = (folder: string) =>
    [...(imports.get(folder) ?? [])].filter(([to]) => left.includes(to));
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    left = left.filter((folder) => importedOf(folder).length > 0);
  }
  // The same from the other side: what nobody left imports leads into a circle and is in none.
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    left = left.filter((folder) => left.some((other) => imports.get(other)?.has(folder)));
  }
  return left.flatMap((folder) => importedOf(folder).map(([, example]) => example));
}

/** The folders that hold a file, outermost first; one of a feature that stands in a row of its own is beside that feature. */
function partsOf(folder: string): string[] {
  const lower = featureLayers
    .flat()
    .find((name) => name.includes('/') && `${folder}/`.startsWith(`features/${name}/`));
  if (lower === undefined) return folder.split('/');
  const inside = folder.slice(`features/${lower}/`.length);
  return ['features', lower, ...inside.split('/').filter(Boolean)];
}

/** The two folders side by side, below the one that holds both, from and to which a file imports; null where there are none. */
function sideBySide(from: string, to: string): readonly [string, string] | null {
  const [one, other] = [partsOf(from), partsOf(to)];
  const shared = one.findIndex((name, at) => name !== other[at]);
  if (shared === -1 || other.length <= shared) return null;
  return [one.slice(0, shared + 1).join('/'), other.slice(0, shared + 1).join('/')];
}

test('no folders import each other, be it through others, and neither do the folders above them', () => {
  const [exact, above]: [FolderImports, FolderImports] = [new Map(), new Map()];
  const note = (imports: FolderImports, from: string, to: string, example: string) => {
    const ofFolder = imports.get(from) ?? new Map<string, string>();
    imports.set(from, ofFolder.set(to, example));
  };
  for (const file of files.filter((name) => /\.tsx?$/.test(name) && !isTest(name))) {
    const text = readFileSync(join(source, file), 'utf8');
    for (const [, named = ''] of text.matchAll(/(?:from|import\(?)\s*'([~.][^']*)'/g)) {
      const target = named.startsWith('~/')
        ? named.slice(2)
        : relative(source, resolve(source, dirname(file), named));
      const [from, to] = [dirname(file), dirname(target)];
      const example = `${file} imports ${target}`;
      if (from !== to) note(exact, from, to, example);
      const pair = sideBySide(from, to);
      if (pair) note(above, ...pair, example);
    }
  }
  expect(exact.size).toBeGreaterThan(100);
  expect(above.size).toBeGreaterThan(60);
  expect(circlesOf(exact)).toEqual([]);
  expect(circlesOf(above)).toEqual([]);
});

test('the drawing in the README shows the layers that the import rules check', () => {
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const drawing = /## The structure at a glance\n```\n(.*?)\n```/s.exec(readme)?.[1] ?? '';
  const rows = drawing
    .split('\n')
    .map((line) => line.split('│')[0] ?? '')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ isFeature: line.startsWith('    '), rooms: line.trim().split(/\s+/) }));
  const roomsOf = (isFeature: boolean) =>
    rows.filter((row) => row.isFeature === isFeature).map(({ rooms }) => rooms);
  const [entryPoints, ...below] = roomsOf(false);
  expect(entryPoints).toEqual(['*.ts']);
  expect(below).toEqual(layers.map((row) => row.map((room) => `${room}/`)));
  expect(roomsOf(true)).toEqual(featureLayers);
});

test('every room and every feature stands in a layer', () => {
  const folders = (under: string) =>
    readdirSync(join(source, under), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted();
  expect(folders('.')).toEqual(layers.flat().toSorted());
  const features = featureLayers.flat().filter((name) => !name.includes('/'));
  expect(folders('features')).toEqual(features.toSorted());
});

test.each(['README.md', 'CONTRIBUTING.md', 'docs/operations.md', 'docs/asvs.md', 'docs/words.md'])(
  'every place in src that %s names is there',
  (document) => {
    const text = readFileSync(join(projectRoot, document), 'utf8');
    const named = [...text.matchAll(/(?<![\w/.])src\/[\w/.-]*\w/g)].map(([place]) => place);
    expect(named.filter((place) => !existsSync(join(projectRoot, place)))).toEqual([]);
  },
);

test('every decision that a document or the code names is there', () => {
  const places = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs', 'src', 'test', 'bench'];
  const texts = places.flatMap((place) => {
    const path = join(projectRoot, place);
    if (place.includes('.')) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(md|tsx?)$/.test(name))
      .map((name) => join(path, name));
  });
  const named = texts.flatMap((path) => [
    ...readFileSync(path, 'utf8').matchAll(/\b(20\d\d-\d\d-\d\d-[a-z][a-z-]*)\.md\b/g),
  ]);
  expect(named.length).toBeGreaterThan(4);
  expect(
    named
      .map(([, name]) => name)
      .filter((name) => !existsSync(join(projectRoot, 'docs/decisions', `${name}.md`))),
  ).toEqual([]);
});

test('every address leads to a file', async () => {
  const { default: routes } = await import('../src/routes.ts');
  const filesOf = (entries: typeof routes): string[] =>
    entries.flatMap(({ file, children = [] }) => [file, ...filesOf(children)]);
  const led = filesOf(routes);
  expect(led.length).toBeGreaterThan(80);
  expect(led.filter((file) => !existsSync(join(source, file)))).toEqual([]);
});
