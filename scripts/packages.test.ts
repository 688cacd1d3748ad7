import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const versions = z.record(z.string(), z.string());
const { dependencies, devDependencies } = z
  .object({ dependencies: versions, devDependencies: versions })
  .parse(JSON.parse(read('package.json')));

/** Read as files while the service runs. */
const READ_AS_FILES = /^@fontsource\//;

test('the image holds the packages that the built server imports, and no others', () => {
  const built = join(root, 'build/server');
  expect(existsSync(built), 'npm test builds the service before').toBe(true);
  const imported = new Set(
    readdirSync(built, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [
        ...readFileSync(join(built, name), 'utf8').matchAll(
          /(?:\bfrom|\bimport|\brequire\(|\bimport\(|\b(?:resolve|load)\()\s*["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]+)?["']/g,
        ),
      ])
      .map(([, name = '']) => name)
      // Texts can look like imports: only what is installed by its own name counts.
      .filter((name) => name in dependencies || name in devDependencies),
  );
  expect(imported.size).toBeGreaterThan(20);
  const named = Object.keys(dependencies).filter((name) => !READ_AS_FILES.test(name));
  expect(named.toSorted()).toEqual([...imported].toSorted());
});

const DAY = 86_400_000;
const MIN_AGE_DAYS = 7;

const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});

/** `name@version` of every package in a lockfile. */
const packagesIn = (text: string): Set<string> =>
  new Set(
    Object.entries(lockfile.parse(JSON.parse(text)).packages)
      .filter(([at]) => at !== '')
      .map(
        ([at, { version }]) =>
          `${at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
      ),
  );

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim();

const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();

/** When each version of a package was published. A program of npm's for each takes seconds: only where it must sign in. */
async function timesOf(name: string): Promise<Record<string, string>> {
  const address = new URL(name.replace('/', '%2f'), registry.replace(/\/?$/, '/'));
  const answer = await fetch(address).catch(() => null);
  if (answer?.ok) return z.object({ time: versions }).parse(await answer.json()).time;
  const view = execFileSync('npm', ['view', name, 'time', '--json'], { encoding: 'utf8' });
  return versions.parse(JSON.parse(view));
}

test('npm resolves no version that is younger than seven days', () => {
  expect(read('.npmrc')).toMatch(new RegExp(`^min-release-age=${MIN_AGE_DAYS}$`, 'm'));
});

test('no package of the lockfile was younger than seven days when it was added', async () => {
  // What was added within the last week, committed or not: what came earlier is older than a week by now. The project's
  // first commit has nothing before it to compare with.
  const since = new Date(Date.now() - MIN_AGE_DAYS * DAY).toISOString();
  const commits = git('log', '--format=%H %cI', `--since=${since}`, '--', 'package-lock.json');
  const oldest = commits.split('\n').at(-1)?.split(' ')[0];
  const parent = oldest && git('rev-list', '--parents', '-n', '1', oldest).split(' ')[1];
  const before = packagesIn(git('show', `${parent ?? 'HEAD'}:package-lock.json`));
  const added = [...packagesIn(read('package-lock.json'))].filter((one) => !before.has(one));
  const young = [];
  for (let from = 0; from < added.length; from += 16) {
    const ages = added.slice(from, from + 16).map(async (one) => {
      const at = one.lastIndexOf('@');
      const published = Date.parse((await timesOf(one.slice(0, at)))[one.slice(at + 1)] ?? '');
      return Date.now() - published >= MIN_AGE_DAYS * DAY ? [] : [one];
    });
    young.push(...(await Promise.all(ages)).flat());
  }
  expect(young).toEqual([]);
});
