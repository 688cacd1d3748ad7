import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { languages, type Language } from '~/base/languages.ts';
import { BUSY_RETRY_SECONDS, busyPage } from '~/features/site/plain-page.server.ts';
import { requestLanguage } from '~/i18n/page-language.server.ts';
import { type BusyAnswer, makeListener } from '~/platform/admission/listener.server.ts';
import type { Platform, OpenPlatform } from '~/platform/platform.server.ts';
import { setSecurityHeaders } from '~/platform/http/security.server.ts';
import { busyProblem } from './pages/refusals.server.ts';
import type { ServerBuild } from 'react-router';
import { assembleApp, type AppOptions } from './app.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { endSampleTerms } from '~/features/insurance/store/seed.server.ts';
import { jobHandlers, schedule } from './jobs.server.ts';
import { makePayments } from './composition/payments.server.ts';
import {
  acceptFirst,
  makeAdmission,
  workBounds,
  watchLoopDelay,
} from '~/platform/admission/admission.server.ts';
import { startJobs, type Jobs } from '~/platform/jobs/jobs.server.ts';
import { seeders } from './composition/seeders.server.ts';

/** The answer while the service is overloaded: a page in the language of a visitor, a problem for a program. */
export async function makeBusyAnswers({
  config,
}: Pick<Platform, 'config'>): Promise<(incoming: IncomingMessage) => BusyAnswer> {
  const isSecure = config.publicUrl.startsWith('https:');
  const make = async (response: Response): Promise<BusyAnswer> => {
    setSecurityHeaders(response.headers, isSecure);
    const body = Buffer.from(await response.arrayBuffer());
    response.headers.set('Content-Length', String(body.length));
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };
  const forPrograms = await make(busyProblem());
  const pages = new Map<Language, BusyAnswer>();
  for (const { code } of languages) pages.set(code, await make(busyPage(code)));

  return (incoming) => {
    if (!incoming.headers.accept?.includes('text/html')) return forPrograms;
    const page = pages.get(languageFor(incoming));
    if (!page) return forPrograms;
    // A page that was only asked for comes by itself, not all at once; a form is never sent again unasked.
    const seconds = BUSY_RETRY_SECONDS + randomInt(BUSY_RETRY_SECONDS);
    return incoming.method === 'GET'
      ? { ...page, headers: { ...page.headers, Refresh: String(seconds) } }
      : page;
  };
}

function languageFor({ url = '/', headers }: IncomingMessage): Language {
  const get = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  // An address that is no URL by itself, such as `//`, still has a path here.
  return requestLanguage({ url: `http://localhost/.${url}`, headers: { get } });
}

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
