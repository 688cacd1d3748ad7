import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { makeMetricsReader } from '../processes/collect-metrics.server.ts';
import { problem } from './problem.server.ts';

/** A figure that is counted whenever `/metrics` is read; one value for each label, or a single one. */
export type Metric = {
  name: string;
  help: string;
  /** It only grows while the process lives. */
  isTotal?: boolean;
  /** It is this process's own: several processes add up. Otherwise every process counts the same. */
  isOfProcess?: boolean;
  count: () => Promise<number | Readonly<Record<string, number>>>;
};

type Metrics = {
  /** Times every request, by method, kind of address and status class. */
  time: MiddlewareHandler;
  /** The same for a request that is answered without any middleware. */
  observe: (request: { method?: string; path: string }, status: number, seconds: number) => void;
  /** Answers Prometheus, which sends the token as a bearer token. */
  answer: (c: Context) => Promise<Response>;
};

const kindOf = (path: string): string =>
  path.startsWith('/api/') || path.startsWith('/paypal/')
    ? 'call'
    : path.startsWith('/assets/')
      ? 'file'
      : 'page';

/** What Prometheus reads at `/metrics`: the process, the requests, and the metrics of whoever composes the service. */
export function makeMetrics(token: string, metrics: readonly Metric[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'lale_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'kind', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'lale_processes',
    help: 'Processes whose metrics these are',
    registers: [registry],
  }).set(1);
  for (const { name, help, isTotal, isOfProcess, count } of metrics) {
    const metric: Gauge<'of'> | Counter<'of'> = new (isTotal ? Counter : Gauge)<'of'>({
      name,
      help,
      labelNames: ['of'],
      registers: [registry],
      aggregator: isOfProcess ? 'sum' : 'first',
      async collect() {
        const counted = await count();
        metric.reset();
        if (typeof counted === 'number') metric.inc(counted);
        else for (const [of, value] of Object.entries(counted)) metric.inc({ of }, value);
      },
    });
  }
  const all = makeMetricsReader(registry);

  const labels = (method: string, path: string, status: number) => ({
    method,
    kind: kindOf(path),
    status: `${Math.floor(status / 100)}xx`,
  });

  return {
    async time(c, next) {
      const stop = seconds.startTimer();
      await next();
      const { status } = c.res;
      // Where the client went away meanwhile, that the rest failed is no failure of ours.
      const isGone = status >= 500 && c.req.raw.signal.aborted;
      stop(labels(c.req.method, c.req.path, isGone ? 499 : status));
    },
    observe: ({ method = 'GET', path }, status, taken) =>
      seconds.observe(labels(method, path, status), taken),
    async answer(c) {
      if (!isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)) {
        return problem({ code: 'token_required' });
      }
      return new Response(await all(), {
        headers: { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' },
      });
    },
  };
}

/** Takes as long for any wrong token. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
