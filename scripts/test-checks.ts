import { add, none, report, step, type StepOutcome, type Tally } from './test-step.ts';

type Check = {
  name: string;
  program: string;
  args: readonly string[];
  /** A condition that the exit code does not cover. */
  alsoHolds?: (outcome: StepOutcome) => boolean;
};

const TYPEGEN: Check = {
  name: 'route types',
  program: '@react-router/dev/bin.cjs',
  args: ['typegen'],
};

const CHECKS: readonly Check[] = [
  // Rules that need types use the same TypeScript as `tsc`, so that the program is built once.
  { name: 'types and lint', program: 'oxlint/bin/oxlint', args: ['--type-aware', '--type-check'] },
  { name: 'format', program: 'oxfmt/bin/oxfmt', args: ['--check'] },
  {
    name: 'imports',
    program: 'dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', '.dependency-cruiser.mjs', 'src'],
    // With an unusable parser it reads no modules and reports no problems.
    alsoHolds: ({ output }) => !/\b0 modules/.test(output) && /\d+ modules/.test(output),
  },
];

/** Runs all checks at once, after generating the routes' types. Only failures are counted. */
export async function checks(): Promise<Tally> {
  const first = await check(TYPEGEN);
  return (await Promise.all(CHECKS.map(check))).reduce(add, first);
}

async function check({ name, program, args, alsoHolds }: Check): Promise<Tally> {
  const outcome = await step(program, args);
  const isGood = outcome.code === 0 && (!alsoHolds || alsoHolds(outcome));
  report(name, isGood, outcome);
  return isGood ? none : { passed: 0, failed: [name] };
}
