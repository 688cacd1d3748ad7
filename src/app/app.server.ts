import { type MiddlewareHandler, Hono } from 'hono';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { negotiateLanguage, requestLanguage } from '~/i18n/page-language.server.ts';
import { problemStatuses, type ProblemCode } from '~/platform/http/problem-codes.ts';
import { problemDetail, problem, isUnavailable } from '~/platform/http/problem.server.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerBuild } from 'react-router';
import { api } from './api.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { auditRefusals } from '~/features/staff/refused-access.server.ts';
import { serviceMetrics, admissionMetrics } from './service-metrics.server.ts';
import { failurePage, newReference } from '~/features/site/plain-page.server.ts';
import { limitChanges } from './api/limit-changes.server.ts';
import { makePages } from './pages/pages.server.tsx';
import { clientAddress, type Bindings } from '~/platform/http/address.server.ts';
import type { Admission } from '~/platform/admission/admission.server.ts';
import { compress } from '~/platform/http/compress.server.ts';
import { maxBodyBytes, limitBody } from '~/platform/input/limit-body.server.ts';
import { countJobs } from '~/platform/jobs/jobs.server.ts';
import { makeMetrics } from '~/platform/http/metrics.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  busyResponse,
  maintenanceResponse,
  refuseBadCharacters,
  tooLarge,
  wantsPage,
} from './pages/refusals.server.ts';
import {
  securityHeaders,
  requireSameOrigin,
  withSecurityHeaders,
} from '~/platform/http/security.server.ts';
import { makeFileCache, sendEncoded } from '~/platform/page/page-cache.server.ts';

type Body = {
  code: string;
  detail: string;
  error?: string;
  errors?: Record<string, string>;
  messages?: Record<string, string>;
};

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problemStatuses, code);

/** Says refusals in the language that the call asks for, and for each field what to do about it. */
export const translateProblems: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers, status } = c.res;
  if (headers.get('Content-Type') !== 'application/problem+json') return;
  if (headers.has('Content-Encoding')) return;
  const body: Body = await c.res.clone().json();
  if (!isCode(body.code)) return;
  const language = negotiateLanguage(c.req.raw);
  const t = makeTranslate(language);
  const english = problemDetail(body.code);
  const detail = t(`api:detail.${body.code}`);
  const { errors } = body;
  const messages =
    errors &&
    Object.fromEntries(
      Object.entries(errors).map(([field, code]) => [
        field,
        body.messages?.[field] ??
          t([`api:field.${code}`, `form:errors.any.${code}.title`], { defaultValue: detail }),
      ]),
    );
  const translated = {
    ...body,
    ...(body.detail === english && { detail }),
    ...(body.error === english && { error: detail }),
    ...(messages && { messages }),
  };
  const own = new Headers(headers);
  own.delete('Content-Length');
  own.set('Content-Language', language);
  own.append('Vary', 'Accept-Language');
  c.res = undefined;
  c.res = new Response(JSON.stringify(translated), { status, headers: own });
};

export type AppOptions = {
  platform: Platform;
  payments: Payments;
  build: ServerBuild;
  /** Folder of the built browser files; without it (tests, development) none are served. */
  assets?: string;
  mode?: 'production' | 'development' | 'test';
  /** Whose metrics `/metrics` shows, and whether anybody is served; tests call the app without it. */
  admission?: Admission;
};

/** The whole service as one `Request → Response` function: calls, pages and files. */
export const createApp = (options: AppOptions) => assembleApp(options).app;

/**
 * The same with `answerAtOnce`: from a request's head alone it answers what is in memory already (files, and pages that
 * are the same for everybody) and returns whether it did.
 */
export function assembleApp({
  platform,
  payments,
  build,
  assets,
  mode = 'production',
  admission,
}: AppOptions) {
  const app = new Hono<{ Bindings: Bindings }>();
  const { metricsToken } = platform.config;
  const counted = [...serviceMetrics(platform), ...(admission ? admissionMetrics(admission) : [])];
  const metrics = metricsToken ? makeMetrics(metricsToken, counted) : null;
  const { page, ready } = makePages(build, { platform, payments }, mode);
  const file = assets ? makeFileCache(assets, withSecurityHeaders(platform)) : () => undefined;

  if (metrics) app.use(metrics.time);
  app.use(securityHeaders(platform));
  app.use(translateProblems);
  app.use(refuseBadCharacters);
  app.use(compress());
  app.use(
    limitBody({
      maxSize: ({ url, headers }) => maxBodyBytes(new URL(url).pathname, headers.get('cookie')),
      onError: (c, limit) => tooLarge(c.req.raw, limit),
    }),
  );
  app.use(requireSameOrigin(platform));

  // Whoever passes requests on leaves this process out while it serves nobody.
  const isStuck = () => admission?.isStuck() ?? false;
  app.get('/healthz', (c) => (isStuck() ? c.text('stuck', 503) : c.text('ok')));
  app.get('/readyz', async (c) => {
    if (isStuck()) return c.text('stuck', 503);
    // The queue's tables are in the same database: reading them checks both.
    await countJobs(platform.db);
    return c.text('ready');
  });
  if (metrics) app.get('/metrics', metrics.answer);
  if (platform.config.maintenance) app.use(maintenanceResponse);
  app.use(auditRefusals(platform));
  app.use(limitChanges(platform));
  app.route('/', api(platform, payments));

  app.all('*', async (c) => {
    const url = new URL(c.req.url);
    if (url.pathname.length > 1 && url.pathname.endsWith('/')) {
      // One slash in front: two would name another host.
      const path = url.pathname.replace(/^[/\\]+/, '/').replace(/(?!^)\/+$/, '');
      return c.redirect(path + url.search, 308);
    }
    return page(c.req.raw, url, clientAddress(c, platform));
  });

  app.onError((error, c) => {
    // The client went away, and what it asked for ended with it. Nobody reads this answer.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
    const reference = newReference();
    const about = { err: error, path: new URL(c.req.url).pathname, reference };
    if (isUnavailable(error)) {
      platform.log.warn(about, 'database or file storage is unavailable to a request');
      return busyResponse(c.req.raw);
    }
    platform.log.error(about, 'request failed');
    return wantsPage(c.req.raw)
      ? failurePage(requestLanguage(c.req.raw), reference)
      : problem({ code: 'internal', extra: { reference } });
  });

  async function answerAtOnce(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<boolean> {
    const { method, url = '/' } = incoming;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const began = performance.now();
    const path = url.split('?', 1)[0] ?? url;
    const answer = file(path) ?? (await ready(incoming));
    if (!answer || outgoing.closed) return false;
    sendEncoded(answer, incoming, outgoing);
    metrics?.observe({ method, path }, outgoing.statusCode, (performance.now() - began) / 1000);
    return true;
  }

  return { app, answerAtOnce };
}
