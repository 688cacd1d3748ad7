/**
 * How fast the desk's store answers with many applications, on an embedded PostgreSQL of its own:
 * `npm run bench -- desk --applications 1000000`. `--runs 5` measures less often, `--only search` a part,
 * `--data <folder>` keeps the filled database there for the next run. Prints median, 95th percentile and the database's
 * processor time of each answer, and the machine's load; fails where a median misses its promise. What misses it while the
 * database had little to do is asked again, and the line says so. `--decisions 30` times a reviewer instead: see `desk-decisions.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { openSourceModules } from '../scripts/source-modules.ts';
import { printDecisions } from './desk-decisions.ts';
import { timesOf } from './answer-times.ts';
import { seedDesk } from './seed-desk.ts';

const LIMIT_MS = 100;
const { values } = parseArgs({
  options: {
    applications: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    decisions: { type: 'string' },
    latency: { type: 'string', default: '0' },
    port: { type: 'string', default: '18391' },
  },
});
if (values.decisions !== undefined) {
  const options = { port: Number(values.port), latencyMs: Number(values.latency) };
  process.exit((await printDecisions(Number(values.decisions), options)) ? 0 : 1);
}
const applications = Number(values.applications);
const now = new Date('2026-11-23T10:00:00Z');

// The service's own modules.
const vite = await openSourceModules();
const { measures } = await vite.ssrLoadModule('/bench/desk-measures.ts');
const { statisticsMeasures } = await vite.ssrLoadModule('/bench/statistics-measures.ts');
const { startPostgres } = await vite.ssrLoadModule(
  '/src/platform/postgres/embedded/embedded-postgres.server.ts',
);
const { makeLog } = await vite.ssrLoadModule('/src/platform/log/log.server.ts');
const { migrate } = await vite.ssrLoadModule('/src/platform/postgres/schema/migrate.server.ts');

const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'lale-bench-desk-'));
const postgres = await startPostgres({
  dataDir: join(dataDir, 'postgres'),
  log: makeLog({ level: 'error' }),
  // Only reading is measured; a quarter of a small server's memory, as PostgreSQL's manual recommends.
  settings: {
    fsync: 'off',
    max_wal_size: '4GB',
    maintenance_work_mem: '512MB',
    shared_buffers: '2GB',
    effective_cache_size: '6GB',
    random_page_cost: '1.1',
    // One processor per answer, as reviewers share them.
    max_parallel_workers_per_gather: '0',
  },
});

const load = () => (loadavg()[0] ?? 0).toFixed(1);
const columns = (figures: readonly (string | number)[]) =>
  figures.map((figure) => String(figure).padStart(7)).join('  ');
const runs = Number(values.runs);
let missed = 0;
let promised = 0;
let askedAgain = 0;
try {
  await migrate(postgres.url, 'test');
  // Connections stay open, because their processor time is lost when they end.
  const pool = new pg.Pool({ connectionString: postgres.url, max: 4, idleTimeoutMillis: 0 });
  // The database may stop before the last connection has closed.
  pool.on('error', () => undefined);
  const db = drizzle({ client: pool });
  try {
    const { rows } = await pool.query('select count(*)::int as stored from application');
    const stored = Number(rows[0]?.stored);
    if (stored === 0) {
      const start = performance.now();
      await seedDesk(pool, applications, now);
      const took = ((performance.now() - start) / 1000).toFixed(0);
      console.log(`${applications} applications stored in ${took} s`);
    } else if (stored !== applications) {
      throw new Error(`${dataDir} holds ${stored} applications`);
    }
    console.log(columns(['p50 ms', 'p95 ms', 'cpu ms', 'found', 'load']));
    const all = [...(await measures(db, now)), ...statisticsMeasures(db, now)];
    for (const { name, isPromised, run } of all) {
      if (!name.includes(values.only)) continue;
      const found = await run();
      const { median, most, processor, repeated } = await timesOf(run, pool, {
        runs,
        limitMs: isPromised ? LIMIT_MS : Infinity,
      });
      const isMissed = isPromised && median >= LIMIT_MS;
      if (isPromised) promised += 1;
      if (isMissed) missed += 1;
      if (repeated > 0) askedAgain += 1;
      const figures = [median.toFixed(1), most.toFixed(1), processor?.toFixed(1) ?? '-', found];
      const notes = `${repeated > 0 ? `  repeated ${repeated}×` : ''}${isMissed ? '  MISSED' : ''}`;
      console.log(`${columns([...figures, load()])}   ${name}${notes}`);
    }
    console.log(
      `${missed === 0 ? 'PASSED' : 'FAILED'}: ${promised - missed} of ${promised} answers in under ${LIMIT_MS} ms ` +
        `(median of ${runs}; ${applications} applications, ${availableParallelism()} processors, load ${load()}; ` +
        `${askedAgain} asked again)`,
    );
  } finally {
    await pool.end();
  }
} finally {
  await postgres.stop();
  await vite.close();
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
