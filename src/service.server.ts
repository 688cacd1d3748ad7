import type { ServerBuild } from 'react-router';
import { createApp, type AppOptions } from './app.server.ts';
import { seedAll } from './features/catalog/seed.server.ts';
import { jobHandlers, schedule } from './jobs.server.ts';
import { makePayments } from './payments.server.ts';
import { startJobs, type Jobs } from './platform/jobs.server.ts';
import type { OpenPlatform } from './platform/platform.server.ts';
import { seeders } from './seeders.server.ts';

/** Everything that runs over one platform: reference data is there, the app answers, jobs can be started. */
export async function makeService(
  platform: OpenPlatform,
  options: { build: ServerBuild } & Pick<AppOptions, 'assets' | 'mode'>,
) {
  await seedAll(platform.db, seeders, platform.now());
  const { forJobs } = platform;
  return {
    app: createApp({ platform, payments: makePayments(platform), ...options }),
    startJobs: (): Jobs =>
      startJobs({
        pool: forJobs.pool,
        log: forJobs.log,
        handlers: jobHandlers(forJobs, makePayments(forJobs)),
        schedule,
      }),
  };
}
