// Runs one of the programs that `npm run bench` and `npm run drill` offer: `npm run bench -- service --only wizard`.
import '../test/crash/alias.ts';

const programs: Record<string, Record<string, { file: string; does: string }>> = {
  bench: {
    service: {
      file: '../bench/service.ts',
      does: "what the service's work costs in processor time and statements, against what is promised",
    },
    pages: { file: '../bench/pages.ts', does: 'weighs the pages and runs Lighthouse' },
  },
  drill: {
    crash: {
      file: '../test/crash/run.ts',
      does: 'kills service and database while people pay, then compares the books',
    },
    failover: {
      file: '../test/failover/run.ts',
      does: "kills the primary of two PostgreSQL servers while people pay; takes Debian's postgresql",
    },
    cluster: {
      file: '../test/cluster/run.ts',
      does: 'kills, restarts and upgrades processes behind a proxy while people buy',
    },
    reviewers: {
      file: '../test/reviewers/run.ts',
      does: 'two reviewers work side by side, then compares what they were told with what is stored',
    },
    restore: {
      file: '../test/restore/run.ts',
      does: 'backs up and restores 100,000 applications with 10,000 documents',
    },
  },
};

const [, , kind = '', name = ''] = process.argv;
const offered = programs[kind] ?? {};
const program = offered[name];
if (program) {
  process.argv.splice(2, 2);
  await import(program.file);
} else {
  for (const [own, { does }] of Object.entries(offered))
    console.log(`npm run ${kind} -- ${own.padEnd(10)} ${does}`);
  if (name !== '--help') process.exitCode = 2;
}
