import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allocatorVariables, heapFlags } from '../scripts/heap-flags.mjs';

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');

test('whatever starts the service bounds the garbage that V8 keeps', () => {
  const flags = heapFlags.join(' ');
  expect(read('package.json')).toContain(
    `"start": "node ${flags} scripts/prepare.mjs --build scripts/start.mjs"`,
  );
  const quoted = heapFlags.map((flag) => `"${flag}"`).join(', ');
  expect(read('Dockerfile')).toContain(`CMD ["node", ${quoted}, "scripts/start.mjs"]`);
  expect(read('deploy/lale.service')).toContain(`node ${flags} scripts/start.mjs\n`);
  expect(read('compose.yaml')).toContain(
    `command: [node, ${heapFlags.join(', ')}, scripts/start.mjs, worker]`,
  );
});

test('the image and the unit bound the arenas of the C library', () => {
  const variables = Object.entries(allocatorVariables).map((pair) => pair.join('='));
  expect(read('deploy/lale.service')).toContain(`Environment=${variables.join(' ')}\n`);
  expect(read('Dockerfile')).toContain(`ENV ${variables.join(' ')}\n`);
});

test('Node understands them: young garbage stays small however much is made', () => {
  const young = execFileSync(
    process.execPath,
    [
      ...heapFlags,
      '--eval',
      `const kept = []; let most = 0;
      for (let made = 0; made < 2e6; made += 1) {
        kept[made % 20000] = { made, text: 'x' + made };
        if (made % 50000 === 0) {
          const space = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
          most = Math.max(most, space.space_size);
        }
      }
      console.log(most / 2 ** 20)`,
    ],
    { encoding: 'utf8' },
  );
  expect(Number(young)).toBeLessThanOrEqual(48);
});
