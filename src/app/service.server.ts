import type { ServerBuild } from 'react-router';
import { assembleApp, type AppOptions } from './app.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { endSampleTerms } from '~/features/insurance/store/seed.server.ts';
import { jobHandlers, schedule } from './jobs.server.ts';
import { makeBusyAnswers } from './busy-answers.server.ts';
import { makePayments } from './composition/payments.server.ts';
import {
  acceptFirst,
  makeAdmission,
  workBounds,
  watchLoopDelay,
} from '~/platform/admission/admission.server.ts';
import { makeListener } from '~/platform/admission/listener.server.ts';
import { startJobs, type Jobs } from '~/platform/jobs/jobs.server.ts';
import type { OpenPlatform } from '~/platform/platform.server.ts';
import { seeders } from './composition/seeders.server.ts';

/** The service on one platform: its reference data is stored, requests are answered, jobs can be started. */
export async function makeService(
  platform: OpenPlatform,
  options: { build: ServerBuild } & Pick<AppOptions, 'assets' | 'mode'>,
) {
  await seedAll(platform.db, seeders, platform.now());
  await endSampleTerms(platform.db, platform.config.mode, platform.now());
  const { forJobs } = platform;
  const { work } = platform.config;
  const { onConnection, whenAccepted } = acceptFirst();
  const admission = makeAdmission({
    bounds: workBounds(work),
    waitMs: work.waitMs,
    latestMs: work.latestMs,
    loopDelayMs: watchLoopDelay(),
    whenAccepted,
  });
  const payments = makePayments(platform);
  const { app, answerAtOnce } = assembleApp({ platform, payments, admission, ...options });
  return {
    /** To be called for every connection that the server accepts. */
    onConnection,
    /** Answers HTTP requests, as many at a time as the configuration says. */
    listener: makeListener({
      fetch: app.fetch,
      answerAtOnce,
      admission,
      busyAnswer: await makeBusyAnswers(platform),
      isSimulated: platform.config.mode === 'test',
      trustProxy: platform.config.trustProxy,
    }),
    startJobs: (): Jobs =>
      startJobs({
        pool: forJobs.pool,
        log: forJobs.log,
        handlers: jobHandlers(forJobs, makePayments(forJobs)),
        schedule,
      }),
  };
}
