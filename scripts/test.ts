// `npm test`: types, style, import rules, unit and integration tests, journeys. `--only checks|unit|e2e` runs one part;
// `--postgres <url>` uses that server instead of the built-in one; `--seed <n>` shuffles the unit tests of each file
// into another order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checks } from './test-checks.ts';
import { journeys, unitTests } from './test-suites.ts';
import { add, none, type Tally } from './test-step.ts';

const parts = ['checks', 'unit', 'e2e'];
const { values, positionals } = parseArgs({
  options: { only: { type: 'string' }, postgres: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});

if (values.only && !parts.includes(values.only)) {
  console.error(`--only takes one of ${parts.join(', ')}`);
  process.exit(2);
}

const wants = (part: string) => !values.only || values.only === part;
const folder = mkdtempSync(join(tmpdir(), 'test-results-'));
const began = performance.now();
let tally: Tally = none;
try {
  // Before the rest, because Vitest rewrites the route types while it starts, during the type check.
  if (wants('checks')) tally = await checks();
  // At the same time, as each waits a lot.
  const suites = await Promise.all([
    wants('e2e') ? journeys(folder, positionals) : none,
    wants('unit')
      ? unitTests(folder, {
          postgres: values.postgres,
          seed: values.seed ?? '1',
          filters: positionals,
        })
      : none,
  ]);
  tally = suites.reduce(add, tally);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\nTook ${Math.round((performance.now() - began) / 1000)} s.`);
// Last, where whoever sees only the end of a long run finds them.
for (const name of tally.failed) console.log(`Failed: ${name}`);
console.log(`${tally.passed} passed, ${tally.failed.length} failed`);
process.exitCode = tally.failed.length > 0 ? 1 : 0;
