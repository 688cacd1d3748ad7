import { requireRealOperator } from './features/settings/real-operator.server.ts';
import { jobHandlers, schedule } from './app/jobs.server.ts';
import { makePayments } from './app/composition/payments.server.ts';
import { startJobs } from './platform/jobs/jobs.server.ts';
import { openPlatform } from './platform/platform.server.ts';
import { runProcess } from './platform/processes/process.server.ts';

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
  console.log('Lale works on jobs.');
  return {
    async stop() {
      platform.announceStop();
      await jobs.stop();
      await platform.close();
    },
  };
});
