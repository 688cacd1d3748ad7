// `npm run seed`: a lively desk to look at. Ninety days of applications, orders, refunds, e-mails and decisions by the
// service's own rules, on the database of this configuration. The service must be stopped meanwhile. `--applications 300`,
// `--seed 1`: other numbers make another desk, the same ones the same. `--add`: also where there is something already.
import { parseArgs } from 'node:util';
import { openSourceModules } from './source-modules.ts';

const { values } = parseArgs({
  options: {
    add: { type: 'boolean', default: false },
    applications: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});
const vite = await openSourceModules();
try {
  const { seedHere } = await vite.ssrLoadModule('/test/seed/seed-here.ts');
  await seedHere({
    add: values.add,
    applications: Number(values.applications),
    seed: Number(values.seed),
  });
} finally {
  await vite.close();
}
