import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { report, step, type Outcome, type Tally } from './test-step.ts';

const vitestResults = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

const playwrightResults = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.unknown()),
});

/**
 * Unit and integration tests, on the built-in PostgreSQL or on the server at an address, those of a file in the order
 * given by the seed.
 */
export async function unitTests(
  folder: string,
  {
    postgres,
    seed,
    filters,
  }: {
    postgres: string | undefined;
    seed: string;
    filters: readonly string[];
  },
): Promise<Tally> {
  const results = join(folder, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const order = `--sequence.seed=${seed}`;
  const args = ['run', ...reporters, order, ...filters];
  const outcome = await step('vitest/vitest.mjs', args, {
    env: postgres ? { TEST_DATABASE_URL: postgres } : {},
  });
  const tally = settle(outcome, read(results, vitestResults, countVitest));
  report(`unit and integration tests in the order of seed ${seed}`, tally.failed === 0, outcome);
  return tally;
}

/** Journeys in a real browser against the production build. */
export async function journeys(folder: string, filters: readonly string[] = []): Promise<Tally> {
  const results = join(folder, 'playwright.json');
  const outcome = await step(
    '@playwright/test/cli.js',
    ['test', '--reporter=line,json', ...filters],
    {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: results },
    },
  );
  const tally = settle(outcome, read(results, playwrightResults, countPlaywright));
  report('journeys', tally.failed === 0, outcome);
  return tally;
}

/** A file that failed to load counts as failed, although none of its tests did. */
function countVitest({
  numPassedTests,
  numFailedTests,
  testResults,
}: z.infer<typeof vitestResults>): Tally {
  const broken = testResults.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

/** A journey that passed only on a second try counts as failed. */
function countPlaywright({ stats, errors }: z.infer<typeof playwrightResults>): Tally {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}

function read<T>(path: string, schema: z.ZodType<T>, count: (results: T) => Tally): Tally {
  if (!existsSync(path)) return { passed: 0, failed: 0 };
  const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return parsed.success ? count(parsed.data) : { passed: 0, failed: 0 };
}

/** A suite with a failing exit code counts as a failure even where its results name none. */
function settle({ code }: Outcome, tally: Tally): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}
