import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/platform/config/root.server.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const isThere = (path: string) => existsSync(join(projectRoot, path));
const find = (...patterns: string[]) => globSync(patterns, { cwd: projectRoot });

const documents = find('*.md', 'docs/**/*.md');

test.each(documents)('every link of %s leads to a file', (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
  const paths = links.map(([, path = '']) => join(dirname(document), path));
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

// A decision is of its day; the others say how it is today.
test.each(documents.filter((document) => !document.startsWith('docs/decisions/')))(
  'every file that %s names is there',
  (document) => {
    const named = read(document).matchAll(
      /(?<=`)(?:src|test|e2e|bench|scripts|deploy|docs)\/[\w./-]+(?=`)/g,
    );
    expect([...named].map(([path]) => path).filter((path) => !isThere(path))).toEqual([]);
  },
);

test('every test that docs/asvs.md gives as proof is there', () => {
  const named = [...read('docs/asvs.md').matchAll(/`([^`]+\.test\.tsx?)` "([^"|]+)"/g)];
  expect(named.length).toBeGreaterThan(100);
  const gone = named.filter(([, file = '', title = '']) => !read(file).includes(title));
  expect(gone.map(([row]) => row)).toEqual([]);
});
