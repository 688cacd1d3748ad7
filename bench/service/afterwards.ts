import { setTimeout as wait } from 'node:timers/promises';
import { RELEASE_JOBS, type BenchDatabase } from './database.ts';
import type { MeasuredWork } from './measure.ts';
import { processorMs } from './processor.ts';

const COUNT = 40;
const PATIENCE_MS = 120_000;

/** Measures the jobs queued by some of these, mostly emails, one after the other. Releases held jobs. */
export async function measureAfterwards(
  work: MeasuredWork,
  database: BenchDatabase,
  name: string,
  pids: { web: number; postgres: number },
): Promise<{ web: number; postgres: number }> {
  const go = await work(COUNT);
  await database.ask(name, 'delete from graphile_worker._private_jobs');
  await go();
  const held = async () => {
    const [row] = await database.ask<{ n: number }>(
      name,
      'select count(*)::int as n from graphile_worker._private_jobs where run_at <= now()',
    );
    return row?.n ?? 0;
  };
  const before = { web: processorMs(pids.web), postgres: processorMs(pids.postgres) };
  await database.ask(name, RELEASE_JOBS);
  const until = Date.now() + PATIENCE_MS;
  while ((await held()) > 0) {
    if (Date.now() > until) throw new Error('The jobs do not end');
    await wait(100);
  }
  return {
    web: (processorMs(pids.web) - before.web) / COUNT,
    postgres: (processorMs(pids.postgres) - before.postgres) / COUNT,
  };
}
