import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Tests wait for an event, a condition or the stopped clock: elapsed time proves nothing on a busy machine. */
const root = join(import.meta.dirname, '..');

const forbidden: Record<string, RegExp> = {
  'waits for time': /waitForTimeout\(|await (sleep|setTimeout)\(|resolve\) => setTimeout\(resolve/,
  'measures time': /performance\.now\(\) - |Date\.now\(\) - \w+\)/,
  'looks into the framework': /__react(Container|Fiber|Props)|_reactInternals|memoizedState/,
};

/** Tests whose subject is time itself, each with the reason. */
const allowed: Record<string, string> = {
  'src/platform/jobs/jobs.server.test.ts': 'a job is told, and not found by the next look',
  'src/platform/postgres/follow.server.test.ts': 'how long a move of the database may take',
  'src/platform/postgres/replica.server.test.ts': 'a replica that hangs is not waited for',
  'src/platform/http/post-json.server.test.ts': 'a partner that hangs is not waited for',
  'src/platform/processes/drain.server.test.ts': 'the grace of a server that leaves',
  'src/platform/files/s3-faults.test.ts': 'a store that hangs is not waited for',
  'src/features/desk/statistics/applications-file.server.test.ts':
    'a taker that stops for a moment',
  'src/features/desk/visa-document/read-pdf.server.test.ts': 'a PDF that would take too long',
  'test/overload.test.ts': 'how long a place is waited for, and when the adapter cuts',
  'test/two-processes.test.ts': 'nothing is asked, however long nothing changes',
  'e2e/live-regions.ts': 'what is announced is not announced again',
  'e2e/passport-lines.spec.ts': 'how long the reading of a photo takes',
};

const files = ['src', 'test', 'scripts', 'e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test\.tsx?|spec\.ts)$/.test(name) || folder === 'e2e')
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`),
);

const found = files
  .filter((path) => path !== 'test/no-sleeps.test.ts')
  .flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return Object.entries(forbidden)
      .filter(([, pattern]) => pattern.test(text))
      .map(([what]) => ({ path, what }));
  });

test('no test waits for time, measures it or looks into the framework, but where time is its subject', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(found.filter(({ path }) => !(path in allowed))).toEqual([]);
});

test('every exception is still one', () => {
  const paths = new Set(found.map(({ path }) => path));
  expect(Object.keys(allowed).filter((path) => !paths.has(path))).toEqual([]);
});
