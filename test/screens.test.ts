import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '~/platform/config/root.server.ts';

const folder = join(projectRoot, 'docs/screens');

// A newcomer clones them, too.
test('the pictures in docs/screens are no more than 8 MB', () => {
  const bytes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(bytes.length).toBeGreaterThan(100);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(8_000_000);
});

test('every picture that the README shows is there', () => {
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const named = [...readme.matchAll(/docs\/screens\/([\w-]+\.\w+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(named));
});
