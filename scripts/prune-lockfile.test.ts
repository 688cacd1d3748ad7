import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lockfilePath, missingOptional, type Lockfile } from './prune-lockfile.ts';

test('the lockfile holds every package that it asks for, so that npm ci accepts it', () => {
  const lock: Lockfile = JSON.parse(readFileSync(lockfilePath, 'utf8'));
  expect(missingOptional(lock)).toEqual([]);
});

test('an optional package without an entry is found, one that is nested or hoisted is not', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { here: '1', there: '1', nowhere: '1' } },
    'node_modules/a/node_modules/here': {},
    'node_modules/there': {},
    'node_modules/a/node_modules/b': { optionalDependencies: { there: '1' } },
  };
  expect(missingOptional({ packages })).toEqual([['node_modules/a', 'nowhere']]);
});
