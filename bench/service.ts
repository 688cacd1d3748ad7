/**
 * What the service's work costs, beside a bare server and a bare React in the same run, against what is promised:
 * `npm run bench -- service`. Fails where "at least" is missed. Takes about a quarter of an hour.
 *
 *   --only wizard,pay         some rows, by their ids (`bench/service/limits.ts`)
 *   --journeys 500            fewer than 5,000 for the memory; --admin-rows 100000 applications at the desk
 *   --blocks 3                fewer than 7, quicker; --statements prints each row's statements
 *   --without-lighthouse      leaves the paint out
 *
 * Milliseconds and µs are processor time, user and system, of all the service's processes and of all of PostgreSQL's, as
 * Linux counts it: the median of several blocks after a warm-up of ten seconds, four requests at a time over kept
 * connections, with the headers that a browser sends. The service has one process on one processor; PostgreSQL and the
 * client run on the other, together with an idle-priority loop so that it does not enter a sleep state: on a virtual
 * machine a wake-up costs the sender up to a fifth of a page. Statements are those of requests, BEGIN and COMMIT
 * included, as PostgreSQL's own log shows them; what a request leaves to a job is held back and has a row of its own. A
 * double in another process stands in for the card gateway. Others at work on the machine make the milliseconds up to a
 * third more; statements and bytes stay the same. "% of raw" is what a bare server needs for the same bytes (of `POST`:
 * the same body and one prepared `insert`, PostgreSQL included) over what the service needs. "Bare React" is
 * `renderToString` of the served page's own elements, without any of our code.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { audit } from './lighthouse.ts';
import { startBuild } from './server.ts';
import { connections, expectStatus } from './service/browser.ts';
import { relationSize, startDatabase } from './service/database.ts';
import { startGatewayDouble } from './service/gateway-double.ts';
import { ADMIN, openDesk } from './service/journeys.ts';
import { missedLimits, roundFigures, rows, type Figures, type RowId } from './service/limits.ts';
import { measureAfterwards } from './service/afterwards.ts';
import {
  repeatRequest,
  AT_ONCE,
  measureCost,
  median,
  type Cost,
  type MeasuredWork,
} from './service/measure.ts';
import { measureMemory } from './service/memory.ts';
import { canPin, preventIdle, onProcessor, placing } from './service/processor.ts';
import { machine, resultsTable, type MeasuredWorkRow } from './service/table.ts';
import { measureReferences, type References } from './service/references.ts';
import { CONTENT_PAGE, makeWorks } from './service/works.ts';
import { weigh } from './weights.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    journeys: { type: 'string', default: '5000' },
    'admin-rows': { type: 'string', default: '100000' },
    blocks: { type: 'string', default: '7' },
    port: { type: 'string', default: '18393' },
    statements: { type: 'boolean', default: false },
    'without-lighthouse': { type: 'boolean', default: false },
  },
});
const port = Number(values.port);
const blocks = Number(values.blocks);
const journeys = Number(values.journeys);
const adminRows = Number(values['admin-rows']);

const wanted = new Set<RowId>(
  rows
    .map(({ id }) => id)
    .filter((id) => values.only === undefined || values.only.split(',').includes(id))
    .filter((id) => !(id === 'paint' && values['without-lighthouse']))
    .filter((id) => !((id === 'memory' || id === 'storage') && journeys === 0)),
);
const unknown = values.only?.split(',').filter((id) => !rows.some((row) => row.id === id)) ?? [];
if (unknown.length > 0 || wanted.size === 0) {
  throw new Error(`There are the rows ${rows.map(({ id }) => id).join(', ')}`);
}

const figures = new Map<RowId, Figures>();
const notes: Record<string, string> = {};
/** What to clean up in any case. */
await using begun = new AsyncDisposableStack();

console.log(
  `${machine()}; ${canPin() ? 'web on the first, all else on the second' : 'taskset is missing: nothing is pinned'}`,
);
begun.defer(preventIdle());
const database = await startDatabase();
begun.defer(() => database.stop());
const gateway = await startGatewayDouble(port + 1);
begun.defer(() => gateway.close());

async function withService<T>(
  databaseUrl: string,
  use: (service: { url: string; pid: number }) => Promise<T>,
): Promise<T> {
  const variables = { ...gateway.variables, ...ADMIN, TRUST_PROXY: 'yes' };
  const service = await startBuild(
    port,
    { ...variables, DATABASE_URL: databaseUrl },
    onProcessor(placing.web),
  );
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

/** Costs and statements of one row. */
async function measureRow(id: RowId, work: MeasuredWork, pid: number): Promise<Cost> {
  const cost = await measureCost(work, { web: pid, postgres: database.pid }, blocks);
  const runs = await Promise.all(Array.from({ length: 6 }, () => work(1)));
  // The first run refreshes what is cached for a second.
  const [, ...all] = await database.statementsOf(runs);
  const statements = median(all.map(({ length }) => length));
  const isTiny = id === 'content' || id === 'asset';
  figures.set(
    id,
    isTiny
      ? { microseconds: cost.web * 1000 }
      : { web: cost.web, postgres: cost.postgres, statements },
  );
  console.log(
    `  ${id}: ${cost.web.toFixed(3)} ms web (blocks ${cost.spread.toFixed(2)}×), ${cost.postgres.toFixed(3)} ms PostgreSQL, ${statements} statements, ${cost.perSecond.toFixed(0)}/s, ${cost.count} times, load ${loadavg()[0]?.toFixed(1)}`,
  );
  if (values.statements) {
    const shown = all.find(({ length }) => length === statements) ?? [];
    for (const text of shown) console.log(`      ${text.slice(0, 240)}`);
  }
  return cost;
}

function compare(references: References, costs: ReadonlyMap<RowId, Cost>): void {
  const add = (id: RowId, more: Figures) => {
    const known = figures.get(id);
    if (known) figures.set(id, { ...known, ...more });
  };
  const total = ({ web, postgres }: Cost) => web + postgres;
  const share = (id: RowId, raw: Cost, of: (cost: Cost) => number) => {
    const cost = costs.get(id);
    if (cost) add(id, { ofRaw: (of(raw) / of(cost)) * 100 });
  };
  share('content', references.page, ({ web }) => web);
  share('asset', references.asset, ({ web }) => web);
  share('apply', references.post, total);
  for (const [id, { ms }] of [
    ['first-page', references.react.first],
    ['arrival-page', references.react.arrival],
  ] as const) {
    add(id, { timesReact: (costs.get(id)?.web ?? Number.NaN) / ms });
  }
  const micro = (ms: number) => `${(ms * 1000).toFixed(0)} µs`;
  const { page, asset, post, react } = references;
  notes.raw = `Bare \`node:http\`: the content page's bytes ${micro(page.web)}, the asset's ${micro(asset.web)}; \`POST\` and one insert ${post.web.toFixed(2)} ms + ${post.postgres.toFixed(2)} ms PostgreSQL (${post.perSecond.toFixed(0)}/s)`;
  notes.react = `Bare React: \`GET /application\` ${react.first.ms.toFixed(2)} ms (${react.first.elements} elements, ${react.first.bytes} bytes of ${react.first.served}), \`GET /application/arrival\` ${react.arrival.ms.toFixed(2)} ms (${react.arrival.elements} elements, ${react.arrival.bytes} bytes of ${react.arrival.served})`;
}

const overHttp = [
  'wizard',
  'first-page',
  'arrival-page',
  'apply',
  'pay',
  'content',
  'asset',
  'status',
] as const;
const besides = ['script', 'paint', 'jobs'] as const;
const agent = connections(AT_ONCE);
begun.defer(() => agent.destroy());

if ([...overHttp, ...besides].some((id) => wanted.has(id))) {
  const url = await database.empty('service_rows', { lockJobs: true });
  const costs = new Map<RowId, Cost>();
  const samples = await withService(url, async (service) => {
    const { works, samples } = await makeWorks(port, agent);
    for (const id of overHttp) {
      if (wanted.has(id)) costs.set(id, await measureRow(id, works[id], service.pid));
    }
    if (wanted.has('script')) {
      const { script } = await weigh(`${service.url}/en/application`);
      figures.set('script', { script: script / 1024 });
    }
    if (wanted.has('paint')) {
      const { largestPaintMs } = await audit(service.url + CONTENT_PAGE, 3);
      figures.set('paint', { paint: largestPaintMs / 1000 });
    }
    if (wanted.has('jobs')) {
      const pids = { web: service.pid, postgres: database.pid };
      figures.set('jobs', await measureAfterwards(works.wizard, database, 'service_rows', pids));
    }
    return samples;
  });
  if (overHttp.some((id) => wanted.has(id))) {
    compare(await measureReferences(port + 2, samples, database, blocks), costs);
  }
}
if (wanted.has('admin')) {
  const url = await database.seeded('service_desk', adminRows);
  await withService(url, async ({ pid }) => {
    const staff = await openDesk(port, agent);
    const look = repeatRequest(async () => expectStatus(await staff.get('/admin'), 200, '/admin'));
    await measureRow('admin', look, pid);
  });
}
if (wanted.has('memory') || wanted.has('storage')) {
  const name = 'service_memory';
  const url = await database.empty(name, { lockJobs: false });
  await withService(url, async ({ pid }) => {
    const before = await relationSize(database, name);
    const { points, memory, growth } = await measureMemory(port, pid, journeys);
    const after = await relationSize(database, name);
    figures.set('memory', { memory, growth });
    figures.set('storage', {
      stored: (after.stored - before.stored) / journeys / 1024,
      wal: (after.wal - before.wal) / journeys / 1024,
    });
    notes.memory = `Memory in MB over ${journeys} journeys, jobs included: ${points.map((mb) => mb.toFixed(0)).join(' ')}`;
  });
}

const filled: Record<string, string> = {
  rows: adminRows.toLocaleString('en'),
  journeys: journeys.toLocaleString('en'),
};
const measured: Record<string, MeasuredWorkRow> = Object.fromEntries(
  rows.flatMap((row) => {
    const found = figures.get(row.id);
    const work = row.work.replaceAll(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? '');
    return found ? [[row.id, { work, figures: roundFigures(found) }]] : [];
  }),
);
console.log(`\n${resultsTable(measured)}\n`);
for (const line of Object.values(notes)) console.log(line);
const missed = rows.filter(
  ({ id, atLeast }) => measured[id] && missedLimits(measured[id].figures, atLeast).length > 0,
);
console.log(
  missed.length === 0
    ? 'Everything measured keeps "at least".'
    : `${missed.length} of ${figures.size} rows miss "at least": ${missed.map(({ id }) => id).join(', ')}`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
