// `npm run seed`: fills a desk with samples. Ninety days of applications, orders, refunds, emails and decisions, made
// by the service's own rules in the configured database. The service must be stopped meanwhile. `--applications 300`,
// `--seed 1`: equal numbers make equal desks. `--add`: also where there are applications already.
import { parseArgs } from 'node:util';
import { openSourceModules } from './source-modules.ts';

const { values } = parseArgs({
  options: {
    add: { type: 'boolean', default: false },
    applications: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});
const modules = await openSourceModules();
try {
  const { seedConfigured } =
    await modules.load<typeof import('../test/seed/seed-here.ts')>('/test/seed/seed-here.ts');
  await seedConfigured({
    add: values.add,
    applications: Number(values.applications),
    seed: Number(values.seed),
  });
} finally {
  await modules.close();
}
