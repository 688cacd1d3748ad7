import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isBuilt } from './built-service.ts';

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
    [['retention'], '--dry-run or --deleted'],
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
