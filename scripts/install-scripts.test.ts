import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const { packages } = z
  .object({
    packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
  })
  .parse(JSON.parse(read('package-lock.json')));
const { allowScripts } = z
  .object({ allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(read('package.json')));

const withInstallScript = new Set(
  Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([at]) => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length)),
);

test('every package with an install script is listed, and none may run it', () => {
  // A new one fails here: find out what its script does, and do what is needed in our own code.
  expect(allowScripts).toEqual(
    Object.fromEntries([...withInstallScript].toSorted().map((name) => [name, false])),
  );
});

test('who installs by our scripts or image runs none, whichever npm they have', () => {
  for (const file of ['scripts/prepare-packages.mjs', 'Dockerfile']) {
    const installs = read(file).match(/npm ci .*|'ci',[^\]]*/g) ?? [];
    expect(installs.length, file).toBeGreaterThan(0);
    for (const install of installs) expect(install, file).toContain('--ignore-scripts');
  }
});
