// `npm run check`: checks that take less than a minute: types, style, import rules, and the tests beside files changed
// since `main`. `npm test` runs the rest.
import { checks } from './test-checks.ts';
import { testsBesideChanges } from './changed-tests.ts';
import { add, ended, none, report, root, step } from './test-step.ts';

const began = performance.now();
const { base, tests } = testsBesideChanges(root);
let tally = await checks();
if (tests.length === 0) console.log('unit tests: none stands beside what changed');
else {
  const outcome = await step('vitest/vitest.mjs', ['run', '--changed', base, ...tests]);
  const name = `unit tests beside what changed (${tests.length} files)`;
  const result = ended(name, outcome, none);
  report(name, result.failed.length === 0, outcome);
  tally = add(tally, result);
}
console.log(`\nTook ${Math.round((performance.now() - began) / 1000)} s.`);
process.exitCode = tally.failed.length > 0 ? 1 : 0;
