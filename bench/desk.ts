/**
 * How fast the desk's store answers with many applications, on an embedded PostgreSQL of its own:
 * `npm run bench:desk`. `--applications 100000` for fewer, `--runs 5` for fewer measurements.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { seedDesk } from './seed-desk.ts';

const LIMIT_MS = 100;
const { values } = parseArgs({
  options: {
    applications: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '20' },
  },
});
const applications = Number(values.applications);
const now = new Date('2026-11-23T10:00:00Z');

// The service's own functions, in its own module graph.
const vite = await createServer({
  configFile: false,
  root: join(import.meta.dirname, '..'),
  resolve: { tsconfigPaths: true },
  server: { middlewareMode: true, ws: false, watch: null },
  appType: 'custom',
  logLevel: 'error',
});
const { measures } = await vite.ssrLoadModule('/bench/desk-measures.ts');
const { startPostgres } = await vite.ssrLoadModule('/src/platform/embedded-postgres.server.ts');
const { makeLog } = await vite.ssrLoadModule('/src/platform/log.server.ts');
const { migrate } = await vite.ssrLoadModule('/src/platform/migrate.server.ts');
const { openDatabase } = await vite.ssrLoadModule('/src/platform/database.server.ts');

const dataDir = mkdtempSync(join(tmpdir(), 'lale-bench-desk-'));
const postgres = await startPostgres({
  dataDir: join(dataDir, 'postgres'),
  log: makeLog({ level: 'error' }),
  // Only reading is measured.
  settings: { fsync: 'off', max_wal_size: '4GB', maintenance_work_mem: '256MB' },
});
let missed = 0;
try {
  await migrate(postgres.url);
  const database = openDatabase(postgres.url);
  try {
    const seeding = performance.now();
    await seedDesk(database.pool, applications, now);
    const took = ((performance.now() - seeding) / 1000).toFixed(0);
    console.log(`${applications} applications stored in ${took} s`);
    for (const { name, isPromised, run } of await measures(database.db, now)) {
      const times: number[] = [];
      const rows = await run();
      for (let turn = 0; turn < Number(values.runs); turn += 1) {
        const start = performance.now();
        await run();
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
      const isMissed = isPromised && at(0.5) >= LIMIT_MS;
      if (isMissed) missed += 1;
      const figures = `median ${at(0.5).toFixed(1)} ms, 95% ${at(0.95).toFixed(1)} ms`;
      console.log(`${name} (${rows}): ${figures}${isMissed ? '  MISSED' : ''}`);
    }
    console.log(
      `Load of the machine: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    );
  } finally {
    await database.close();
  }
} finally {
  await postgres.stop();
  await vite.close();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
