import { jobHandlers, schedule } from './jobs.server.ts';
import { makePayments } from './payments.server.ts';
import { ConfigError, readConfig } from './platform/config.server.ts';
import { startJobs } from './platform/jobs.server.ts';
import { openPlatform } from './platform/platform.server.ts';

/** Jobs only, beside any number of web processes over the same DATABASE_URL. */
async function start() {
  const platform = await openPlatform(readConfig(process.env));
  const jobs = startJobs({
    pool: platform.pool,
    log: platform.log,
    handlers: jobHandlers(platform, makePayments(platform)),
    schedule,
  });
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    platform.announceStop();
    await jobs.stop();
    await platform.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  await jobs.ready;
  console.log('Lale works on jobs');
}

try {
  await start();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(78);
}
