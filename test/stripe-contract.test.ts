import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, describe, expect, it } from 'vitest';
import { usd } from '../src/base/money.ts';
import { webhooksAbout, playScenario, transmission } from '../src/lab/partner.server.ts';
import type { PaymentOutcome } from '../src/lab/scenarios.ts';
import {
  decidePayment,
  decideRefund,
  openDispute,
  pay,
  simulatedStripe,
} from '../src/lab/stripe/simulated-stripe.server.ts';
import { stripe as stripeProvider } from '../src/features/payment/providers/stripe.server.ts';
import { STRIPE_VERSION } from '../src/features/payment/providers/stripe-client.server.ts';
import { describedCalls, type Description, type PassedCall } from './described-calls.ts';
import { freePort, startTestService } from './service.ts';
import { needed } from './needed.ts';

/** Stripe's published API description; see `contracts/stripe/README.md`. */
const description: Description & { info: { version: string } } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'contracts', 'stripe', 'spec3.json'), 'utf8'),
);
const described = describedCalls(description);

const service = await startTestService();
const simulated = needed(simulatedStripe(service.platform));

/** The calls that passed, and the violations. */
const passed: PassedCall[] = [];
const violations: string[] = [];
const front = await freePort();

/** Between our client and the simulation: looks at each call and passes it on. */
const router = new Hono();
router.all('*', async (c) => {
  const { pathname, search, searchParams } = new URL(c.req.url);
  const method = c.req.method === 'POST' ? 'POST' : 'GET';
  const body = method === 'POST' ? await c.req.text() : null;
  const response = await fetch(`${simulated.apiUrl}${pathname}${search}`, {
    method,
    headers: c.req.raw.headers,
    ...(body !== null && { body }),
  });
  const text = await response.text();
  const call: PassedCall = {
    method,
    path: pathname,
    form: body === null ? searchParams : new URLSearchParams(body),
    status: response.status,
    answer: JSON.parse(text),
  };
  passed.push(call);
  violations.push(...described.violations(call));
  return new Response(text, {
    status: response.status,
    headers: { 'content-type': 'application/json' },
  });
});
const server = serve({ fetch: router.fetch, port: front, hostname: '127.0.0.1' });
afterAll(() => void server.close());

const provider = stripeProvider({
  endpoint: `http://127.0.0.1:${front}`,
  secretKey: simulated.secretKey,
  webhookSecrets: [simulated.webhookSecret],
  // The first call of a kind waits until its description is compiled.
  timeoutMs: 60_000,
  now: service.platform.now,
});

async function begin(language = 'tr') {
  const id = crypto.randomUUID();
  const begun = await provider.begin({
    id,
    reference: 'TRV7K2M9QXD4HPBR',
    amount: usd(114_00),
    description: 'Lale TRV7K2M9QXD4HPBR',
    language,
    returnUrl: `${service.url}/api/payment/return/stripe?state=a`,
    cancelUrl: `${service.url}/api/payment/return/stripe?state=b`,
    customer: { name: 'Sofía Hernández', email: 'sofia@correo.example', address: '192.0.2.1' },
  });
  if (!begun.ok) throw new Error(`${begun.error.message} ${violations.join()}`);
  return { id, providerReference: needed(begun.value.providerReference) };
}

const ask = (attempt: { id: string; providerReference: string }) =>
  provider.ask(attempt, { mayCapture: true });

async function paid(outcome: PaymentOutcome = 'paid') {
  const attempt = await begin();
  await pay(simulated, attempt.providerReference, { outcome, deliveries: 'never' });
  const answer = await ask(attempt);
  const captureId = typeof answer === 'object' ? answer.captureId : null;
  return { ...attempt, captureId: captureId ?? '', answer };
}

/** Has our side read every webhook about a session, as it arrives. */
async function hear(sessionId: string) {
  const kinds: string[] = [];
  for (const event of await webhooksAbout(simulated, sessionId)) {
    const { headers, body } = transmission(simulated, event);
    const raw = {
      headers: new Headers(headers),
      body: Buffer.from(body),
      mayFetch: async () => true,
    };
    kinds.push((await provider.readNotification(raw)).kind);
  }
  return kinds;
}

// The last test looks at all that the others sent.
describe('by Stripe’s published description', { shuffle: false }, () => {
  it('a session is created in every language, looked at, paid and looked at again', async () => {
    for (const language of ['en', 'tr', 'de', 'fr', 'es', 'ar']) await begin(language);
    const attempt = await begin();
    expect(await ask(attempt)).toBe('nothing');
    await pay(simulated, attempt.providerReference, { deliveries: 'never' });
    expect(await ask(attempt)).toMatchObject({ event: 'capture', amount: usd(114_00) });
    expect(await provider.books(attempt)).toMatchObject({ captured: usd(114_00) });
    expect(violations).toEqual([]);
  });

  it('a payment waits, is declined, expires or is unknown', async () => {
    const waiting = await paid('processing');
    expect(waiting.answer).toMatchObject({ event: 'hold' });
    await decidePayment(simulated, waiting.providerReference, 'failed');
    expect(await ask(waiting)).toMatchObject({ event: 'decline', reason: 'insufficient_funds' });
    const left = await begin();
    service.platform.clock.advance(24 * 3600_000);
    expect(await ask(left)).toMatchObject({ event: 'expire' });
    const unknown = { id: crypto.randomUUID(), providerReference: 'cs_test_unknown' };
    expect(await ask(unknown)).toBe('unknown');
    expect(violations).toEqual([]);
  });

  it('a session is closed, and closing one that is paid or unknown changes nothing', async () => {
    const open = await begin();
    const close = needed(provider.closePage);
    expect(await close(open)).toBe('closed');
    expect(await ask(open)).toMatchObject({ event: 'expire' });
    const done = await paid();
    expect(await close(done)).toBe('closed');
    expect(await ask(done)).toMatchObject({ event: 'capture' });
    expect(await close({ ...open, providerReference: 'cs_test_unknown' })).toBe('closed');
    expect(violations).toEqual([]);
  });

  it('money goes back in parts, whole, waits, fails, is refused and is never too much', async () => {
    const attempt = await paid();
    const back = (refundId: string, minor: number) =>
      provider.refund({ refundId: attempt.id + refundId, attempt, amount: usd(minor) });
    const part = await back('-1', 14_00);
    expect(part).toMatchObject({ value: { state: 'completed' } });
    expect(await back('-1', 14_00)).toEqual(part);
    await playScenario(simulated, 'refund', 'refused');
    expect(await back('-2', 1_00)).toMatchObject({ error: { code: 'refused' } });
    expect(await back('-3', 114_00)).toMatchObject({ error: { code: 'refused' } });
    await playScenario(simulated, 'refund', 'pending');
    const waiting = await back('-4', 100_00);
    expect(waiting).toMatchObject({ value: { state: 'pending' } });
    expect(await provider.books(attempt)).toMatchObject({ refunded: usd(14_00) });
    const providerRefundId = waiting.ok ? waiting.value.providerRefundId : null;
    const asked = { refundId: `${attempt.id}-4`, attempt, amount: usd(100_00), providerRefundId };
    await decideRefund(simulated, needed(providerRefundId), 'failed');
    expect(await provider.askRefund(asked)).toMatchObject({ state: 'failed' });
    expect(await provider.askRefund({ ...asked, providerRefundId: 're_unknown' })).toBe('unknown');
    expect(violations).toEqual([]);
  });

  it('webhooks of a payment, its refund and its dispute lead to what is asked for', async () => {
    const attempt = await paid();
    const refundId = crypto.randomUUID();
    await provider.refund({ refundId, attempt, amount: usd(1_00) });
    await openDispute(simulated, attempt.captureId);
    expect(await hear(attempt.providerReference)).toEqual([
      'payment',
      'refunds',
      'refunds',
      'dispute',
    ]);
    expect(violations).toEqual([]);
  });

  it('the balance lists what moved, and what Stripe kept', async () => {
    const now = service.platform.now().getTime();
    const span = { from: new Date(now - 3600_000), to: new Date(now + 1000) };
    const moved = await needed(provider.movements)(span);
    expect(moved).toContainEqual(expect.objectContaining({ kind: 'capture', fee: usd(3_61) }));
    expect(moved).toContainEqual(expect.objectContaining({ kind: 'refund', fee: usd(0) }));
    expect(violations).toEqual([]);
  });

  it('every webhook is an event of the described kind, with the object described', async () => {
    const attempt = await paid();
    await provider.refund({ refundId: crypto.randomUUID(), attempt, amount: usd(1_00) });
    await openDispute(simulated, attempt.captureId);
    const events = await webhooksAbout(simulated, attempt.providerReference);
    const paths: Record<string, string> = {
      'checkout.session': '/v1/checkout/sessions/x',
      charge: '/v1/charges/x',
      refund: '/v1/refunds/x',
      dispute: '/v1/disputes/x',
    };
    const form = new URLSearchParams();
    for (const { body } of events) {
      const { object } = JSON.parse(body).data;
      const path = needed(paths[object.object]);
      const found = described.violations({
        method: 'GET',
        path,
        form,
        status: 200,
        answer: object,
      });
      expect(found).toEqual([]);
    }
  });

  it('every call of ours was looked at, and wrong ones would have been objected to', () => {
    const calls = passed.map(({ method, path }) => `${method} ${described.templateOf(path)}`);
    expect(new Set(calls)).toEqual(
      new Set([
        'POST /v1/checkout/sessions',
        'GET /v1/checkout/sessions/{session}',
        'POST /v1/checkout/sessions/{session}/expire',
        'POST /v1/refunds',
        'GET /v1/refunds',
        'GET /v1/refunds/{refund}',
        'GET /v1/charges/{charge}',
        'GET /v1/disputes/{dispute}',
        'GET /v1/balance_transactions',
      ]),
    );
    expect(new Set(passed.map(({ status }) => status))).toEqual(new Set([200, 400, 404]));
    const good = needed(passed.find(({ path }) => path === '/v1/checkout/sessions'));
    const objections = (change: Partial<PassedCall>) =>
      described.violations({ ...good, ...change }).length;
    const asking = (name: string, value: string) => {
      const form = new URLSearchParams(good.form);
      form.set(name, value);
      return { form };
    };
    expect(objections({})).toBe(0);
    expect(objections(asking('mode', 'give'))).toBeGreaterThan(0);
    expect(objections(asking('customer_name', 'Sofía'))).toBeGreaterThan(0);
    expect(objections(asking('line_items[0][quantity]', 'one'))).toBeGreaterThan(0);
    expect(objections({ answer: { ...Object(good.answer), status: 'paid' } })).toBeGreaterThan(0);
    expect(objections({ answer: { ...Object(good.answer), surprise: 1 } })).toBeGreaterThan(0);
    expect(objections({ answer: { error: { type: 'api_error' } } })).toBeGreaterThan(0);
    expect(objections({ path: '/v1/tokens' })).toBe(1);
  });

  it('is of the version that our calls name', () => {
    expect(description.info.version).toBe(STRIPE_VERSION);
  });
});
