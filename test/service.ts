import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createServer } from 'node:net';
import { serve } from '@hono/node-server';
import { afterAll } from 'vitest';
import { api } from '../src/app/api.server.ts';
import type { Payments } from '../src/features/payment/settlement/context.server.ts';
import { jobHandlers } from '../src/app/jobs.server.ts';
import { makePayments } from '../src/app/composition/payments.server.ts';
import { makeTestPlatform, type TestPlatform, type TestPlatformOptions } from './platform.ts';

export type TestService = {
  platform: TestPlatform;
  payments: Payments;
  /** Where the calls and the simulated gateway answer over HTTP. */
  url: string;
  /** Runs every due job, and those that they enqueue; notifications and refunds use HTTP. */
  runJobs(): Promise<void>;
  /** Stops listening, and listens again. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
};

/** All calls on a real listener, so that the service and the simulated gateway communicate over HTTP. */
export async function startTestService({
  payments: makeTheirs = makePayments,
  ...options
}: TestPlatformOptions & { payments?: typeof makePayments } = {}): Promise<TestService> {
  const port = await freePort();
  const platform = await makeTestPlatform({
    ...options,
    variables: { PORT: String(port), ...options.variables },
  });
  const payments = makeTheirs(platform);
  const { fetch } = api(platform, payments);
  let server: ReturnType<typeof serve> | null = null;

  const comeBack = () =>
    new Promise<void>((resolve, reject) => {
      server = serve({ fetch, port, hostname: '127.0.0.1' }, () => resolve());
      server.once('error', reject);
    });
  const goAway = async () => {
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    server = null;
    await closed;
    // Clients with kept connections notice their end in the next turns of the event loop, and would use them until
    // then.
    await setImmediate();
    await setImmediate();
  };
  await comeBack();
  afterAll(goAway);
  const handlers = jobHandlers(platform, payments);
  return {
    platform,
    payments,
    url: `http://127.0.0.1:${port}`,
    runJobs: () => platform.runJobs(handlers),
    goAway,
    comeBack,
  };
}

/** Below the range that systems assign to outgoing connections, so that none takes it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
