import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { ended, none, report, root, step, type Tally } from './test-step.ts';

const vitestResults = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

const playwrightSuite = z.object({
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      tests: z.array(z.object({ status: z.string() })),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});

const playwrightResults = z.object({
  stats: z.object({ expected: z.number() }),
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().default('an error outside all tests') })),
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
  const name = `unit and integration tests in the order of seed ${seed}`;
  const tally = ended(name, outcome, read(results, vitestResults, countVitest));
  report(name, tally.failed.length === 0, outcome);
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
  const tally = ended('journeys', outcome, read(results, playwrightResults, countPlaywright));
  report('journeys', tally.failed.length === 0, outcome);
  return tally;
}

/** A file that failed to load counts as failed, although none of its tests did. */
function countVitest({ numPassedTests, testResults }: z.infer<typeof vitestResults>): Tally {
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((one) => one.status === 'failed');
    if (tests.length === 0) return status === 'failed' ? [file] : [];
    return tests.map(({ fullName }) => `${file} ${fullName}`);
  });
  return { passed: numPassedTests, failed };
}

/** A journey that passed only on a second try counts as failed. */
function countPlaywright({ stats, suites, errors }: z.infer<typeof playwrightResults>): Tally {
  const failed = suites.flatMap(failedJourneys);
  return { passed: stats.expected, failed: [...failed, ...errors.map(({ message }) => message)] };
}

const failedJourneys = ({ specs, suites }: z.infer<typeof playwrightSuite>): string[] => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => ['unexpected', 'flaky'].includes(status)))
    .map(({ file, title }) => `e2e/${file} ${title}`),
  ...suites.flatMap(failedJourneys),
];

function read<T>(path: string, schema: z.ZodType<T>, count: (results: T) => Tally): Tally {
  if (!existsSync(path)) return none;
  const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return parsed.success ? count(parsed.data) : none;
}
