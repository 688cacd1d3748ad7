import { add, none, report, step, type Outcome, type Tally } from './test-step.ts';

type Check = {
  name: string;
  program: string;
  args: readonly string[];
  /** Something that an exit code does not tell. */
  alsoHolds?: (outcome: Outcome) => boolean;
};

const TYPEGEN: Check = {
  name: 'route types',
  program: '@react-router/dev/bin.cjs',
  args: ['typegen'],
};

const CHECKS: readonly Check[] = [
  // The rules that need types ask the very TypeScript that `tsc` is: the program is built once for both.
  { name: 'types and lint', program: 'oxlint/bin/oxlint', args: ['--type-aware', '--type-check'] },
  { name: 'format', program: 'oxfmt/bin/oxfmt', args: ['--check'] },
  {
    name: 'imports',
    program: 'dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', '.dependency-cruiser.mjs', 'src'],
    // With a parser it cannot use, it reads no module at all and finds no fault.
    alsoHolds: ({ output }) => !/\b0 modules/.test(output) && /\d+ modules/.test(output),
  },
];

/** Only failures are counted: a check is not a test. All at once, on the types of the routes as they are now. */
export async function checks(): Promise<Tally> {
  const first = await check(TYPEGEN);
  return (await Promise.all(CHECKS.map(check))).reduce(add, first);
}

async function check({ name, program, args, alsoHolds }: Check): Promise<Tally> {
  const outcome = await step(program, args);
  const isGood = outcome.code === 0 && (!alsoHolds || alsoHolds(outcome));
  report(name, isGood, outcome);
  return isGood ? none : { passed: 0, failed: 1 };
}
