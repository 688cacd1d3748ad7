import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { browserPackages } from './browser-packages.ts';

const source = join(import.meta.dirname, '..', 'src');
/** Files that run on the server, in tests, or while routes are read. */
const ELSEWHERE = /\.server\.tsx?$|\.test\.tsx?$|\/testing\/|^routes\.ts$/;
/** Imports of a file's address, or of what the build generates. */
const NO_MODULE = /\?url$|^virtual:/;
/** Packages used for rendering on the server only. */
const SERVER_ONLY = ['react-dom/server'];

it('are all that pages import', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !ELSEWHERE.test(file));
  const imported = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const found = text.matchAll(
      /(?:^|\n)(?:import|export) (?!type )[^;]*?from '([^'.~][^']*)'|import\('([^'.~][^']*)'\)/g,
    );
    return [...found].flatMap(([, named, lazy]) => named ?? lazy ?? []);
  });
  const packages = new Set(
    imported.filter(
      (name) => !name.startsWith('node:') && !NO_MODULE.test(name) && !SERVER_ONLY.includes(name),
    ),
  );
  const made = ['react/jsx-dev-runtime', 'react/jsx-runtime'];
  expect([...packages, ...made].toSorted()).toEqual(browserPackages.toSorted());
});
