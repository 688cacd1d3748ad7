import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireRealOperator } from './features/settings/operator.server.ts';
import { jobHandlers, schedule } from './app/jobs.server.ts';
import { makePayments } from './app/composition/payments.server.ts';
import { startJobs } from './platform/jobs/jobs.server.ts';
import { openPlatform } from './platform/platform.server.ts';
import { runProcess } from './platform/processes/process.server.ts';

const BEAT_MS = 15_000;

/**
 * Touches a file as long as the database answers: the health check of a process that listens nowhere (`compose.yaml`).
 * Where it cannot be written, nobody looks at it either.
 */
function startHeartbeat(ask: () => Promise<unknown>) {
  const path = join(tmpdir(), 'lale-worker');
  const beat = () =>
    void ask()
      .then(() => writeFile(path, ''))
      .catch(() => undefined);
  beat();
  const timer = setInterval(beat, BEAT_MS);
  return { stop: () => clearInterval(timer) };
}

/** Jobs only, beside any number of web processes with the same DATABASE_URL. */
await runProcess(async (config) => {
  const platform = await openPlatform(config);
  await requireRealOperator(platform);
  const { forJobs } = platform;
  const jobs = startJobs({
    pool: forJobs.pool,
    log: forJobs.log,
    handlers: jobHandlers(forJobs, makePayments(forJobs)),
    schedule,
  });
  await jobs.ready;
  const beat = startHeartbeat(() => forJobs.pool.query('select 1'));
  console.log('Lale works on jobs.');
  return {
    async stop() {
      beat.stop();
      platform.announceStop();
      await jobs.stop();
      await platform.close();
    },
  };
});
