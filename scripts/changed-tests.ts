import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TEST = /\.test\.tsx?$/;
/** Tests that need a build, which `npm test` makes. */
const NEEDS_BUILD = './built-service.ts';

/**
 * The commit at which a working copy left `main`, and the tests beside files changed since, committed or not. Paths are
 * relative to the project's root.
 */
export function testsBesideChanges(root: string): { base: string; tests: string[] } {
  const git = (...args: string[]): string[] => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
  };
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main');
  const changed = [
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].filter((path) => /\.(tsx?|mjs|css|json)$/.test(path));
  const folders = new Set(changed.map(dirname));
  const tests = [...folders]
    .filter((folder) => folder !== '.' && existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => TEST.test(path) && !path.startsWith('e2e'))
    .filter((path) => !readFileSync(join(root, path), 'utf8').includes(NEEDS_BUILD));
  return { base, tests: tests.toSorted() };
}
