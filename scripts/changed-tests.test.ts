import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testsBesideChanges } from './changed-tests.ts';

const root = mkdtempSync(join(tmpdir(), 'changed-tests-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
function write(path: string, text = '') {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
function commit(subject: string) {
  git('add', '-A');
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', subject);
}

test('tests beside what a branch changed, committed or not, and no others', () => {
  git('init', '-q', '-b', 'main');
  for (const place of ['src/a', 'src/b', 'src/c', 'src/a/inner', 'test']) {
    write(`${place}/x.ts`);
    write(`${place}/x.test.ts`);
  }
  write('test/built.test.ts', "import { x } from './built-service.ts';");
  commit('First');
  const main = git('rev-parse', 'HEAD').trim();
  expect(testsBesideChanges(root)).toEqual({ base: main, tests: [] });
  git('checkout', '-qb', 'work');
  write('src/a/x.ts', 'changed');
  commit('Change a');
  write('test/x.ts', 'changed');
  write('src/b/new.ts', 'new');
  write('README.md', 'changed');
  expect(testsBesideChanges(root)).toEqual({
    base: main,
    tests: ['src/a/x.test.ts', 'src/b/x.test.ts', 'test/x.test.ts'],
  });
});
