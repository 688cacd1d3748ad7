import type { ServerBuild } from 'react-router';
import { createApp, type AppOptions } from './app.server.ts';
import { seedAll } from './features/catalog/seed.server.ts';
import { jobHandlers, schedule } from './jobs.server.ts';
import { makePayments } from './payments.server.ts';
import { startJobs, type Jobs } from './platform/jobs.server.ts';
import type { Platform } from './platform/platform.server.ts';
import { seeders } from './seeders.server.ts';

/** Everything that runs over one platform: reference data is there, the app answers, jobs can be started. */
export async function makeService(
  platform: Platform,
  options: { build: ServerBuild } & Pick<AppOptions, 'assets' | 'mode'>,
) {
  await seedAll(platform.db, seeders, platform.now());
  const payments = makePayments(platform);
  return {
    app: createApp({ platform, payments, ...options }),
    startJobs: (): Jobs =>
      startJobs({
        pool: platform.pool,
        log: platform.log,
        handlers: jobHandlers(platform, payments),
        schedule,
      }),
  };
}
