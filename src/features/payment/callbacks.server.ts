import { Hono } from 'hono';
import { z } from 'zod';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/problem.server.ts';
import type { Payments } from './context.server.ts';
import { providerNamed } from './providers.ts';
import { settle, type Settled } from './settle.server.ts';
import type { Attempt } from './store.server.ts';

const notification = z.object({ payload: z.string().max(20_000) });

/**
 * Where providers answer. A browser's return and a server's notification carry the same signed statement and lead to
 * the same `settle`; what is not verifiably the provider's changes nothing.
 */
export function paymentCallbacks(platform: Platform, { providers, onPaid }: Payments) {
  const app = new Hono();

  app.on(['GET', 'POST'], '/api/payment/return/:provider', async (c) => {
    const payload =
      c.req.method === 'POST' ? (await c.req.parseBody()).payload : c.req.query('payload');
    const provider = providerNamed(providers, c.req.param('provider') ?? '');
    const evidence = typeof payload === 'string' ? provider?.read(payload) : null;
    // 303: a cross-site POST carries no cookies; the GET that follows does.
    if (!provider || !evidence) return c.redirect('/payment-cancel?status=error', 303);
    const settled = await settle(platform, provider.name, evidence, onPaid);
    if (settled.kind === 'unknown_reference')
      return c.redirect('/payment-cancel?status=error', 303);
    return c.redirect(resultAddress(settled.attempt), 303);
  });

  app.post('/api/payment/notification/:provider', async (c) => {
    const provider = providerNamed(providers, c.req.param('provider'));
    const body = notification.safeParse(await c.req.json().catch(() => null));
    const evidence = body.success ? provider?.read(body.data.payload) : null;
    if (!provider || !evidence) return problem({ status: 400, code: 'not_verified' });
    const settled = await settle(platform, provider.name, evidence, onPaid);
    return answer(settled);
  });
  return app;
}

/** Anything but 2xx makes a provider deliver again: right for what we could not place, wrong for what we know. */
function answer(settled: Settled): Response {
  if (settled.kind === 'unknown_reference')
    return problem({ status: 404, code: 'unknown_reference' });
  if (settled.kind === 'wrong_amount' || settled.kind === 'capture_reused') {
    return problem({ status: 422, code: settled.kind });
  }
  return Response.json({ received: true });
}

/** The page that shows what became of an attempt. What it shows comes from the database, not from this query. */
export function resultAddress(attempt: Attempt): string {
  const query = new URLSearchParams({ payment: attempt.id, order: attempt.reference });
  const stopped = ['failed', 'cancelled', 'expired'].includes(attempt.state);
  if (stopped) return `/payment-cancel?${query}`;
  if (attempt.providerReference) query.set('transaction', attempt.providerReference);
  return `/payment-success?${query}`;
}
