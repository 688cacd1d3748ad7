import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { usd } from '../src/base/money.ts';
import { webhooksAbout, playScenario } from '../src/lab/partner.server.ts';
import {
  approve,
  decidePending,
  simulatedPaypal,
} from '../src/lab/paypal/simulated-paypal.server.ts';
import type { CaptureOutcome } from '../src/lab/scenarios.ts';
import { paypal as paypalProvider } from '../src/features/payment/providers/paypal.server.ts';
import { CERTIFICATES_PATH } from '../src/platform/config/config-providers.server.ts';
import { freePort, startTestService } from './service.ts';
import { needed } from './needed.ts';

/** PayPal's published API descriptions, each behind a validating proxy; see `contracts/paypal/README.md`. */
const contracts = join(import.meta.dirname, 'contracts', 'paypal');
const descriptions = [
  ['/v2/checkout/', 'checkout_orders_v2.json'],
  ['/v2/payments/', 'payments_payment_v2.json'],
] as const;

const service = await startTestService();
const simulated = needed(simulatedPaypal(service.platform));

/** The calls that passed the proxies, and the violations. */
type Passed = { call: string; status: number };
const passed: Passed[] = [];
const violations: string[] = [];
const proxies: ChildProcess[] = [];
const targets = new Map<string, string>();
const front = await freePort();

/** What the descriptions lack (tokens) goes directly to the simulation, the rest through Prism. */
const router = new Hono();
router.all('*', async (c) => {
  const { pathname, search } = new URL(c.req.url);
  const target = [...targets].find(([path]) => pathname.startsWith(path))?.[1];
  const { method } = c.req;
  const response = await fetch(`${target ?? simulated.apiUrl}${pathname}${search}`, {
    method,
    headers: c.req.raw.headers,
    ...(method === 'POST' && { body: await c.req.arrayBuffer() }),
  });
  const text = await response.text();
  if (target)
    passed.push({
      call: `${method} ${pathname.replace(/[A-Z0-9]{17}/, '*')}`,
      status: response.status,
    });
  const objection = response.headers.get('sl-violations');
  const isPrism = response.headers.get('content-type')?.includes('problem+json');
  if (objection || isPrism) violations.push(`${method} ${pathname}: ${objection ?? text}`);
  return new Response(text, {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  });
});
const server = serve({ fetch: router.fetch, port: front, hostname: '127.0.0.1' });

beforeAll(async () => {
  await Promise.all(
    descriptions.map(async ([path, file]) => targets.set(path, await startPrism(file))),
  );
}, 90_000);

afterAll(() => {
  for (const proxy of proxies) proxy.kill();
  server.close();
});

async function startPrism(file: string): Promise<string> {
  const port = await freePort();
  const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
  const proxy = spawn(
    process.execPath,
    [
      prism,
      'proxy',
      join(contracts, file),
      simulated.apiUrl,
      '--errors',
      // Otherwise NODE_ENV decides.
      '--multiprocess=false',
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  proxies.push(proxy);
  await new Promise<void>((resolve, reject) => {
    proxy.stdout.on('data', (text: Buffer) => {
      if (text.includes('is listening')) resolve();
    });
    proxy.once('exit', (code) => reject(new Error(`Prism ended with ${code}`)));
  });
  return `http://127.0.0.1:${port}`;
}

const provider = paypalProvider({
  endpoint: `http://127.0.0.1:${front}`,
  certificates: simulated.apiUrl + CERTIFICATES_PATH,
  clientId: simulated.clientId,
  clientSecret: simulated.clientSecret,
  webhookId: simulated.webhookId,
  // Prism reads a whole description before its first answer.
  timeoutMs: 60_000,
  now: service.platform.now,
});

async function begin(minor = 114_00) {
  const id = crypto.randomUUID();
  const begun = await provider.begin({
    id,
    reference: 'TRV7K2M9QXD4HPBR',
    amount: usd(minor),
    description: 'Lale TRV7K2M9QXD4HPBR',
    language: 'tr',
    returnUrl: `${service.url}/api/payment/return/paypal?state=a`,
    cancelUrl: `${service.url}/api/payment/return/paypal?state=b`,
    customer: { name: 'Sofía Hernández', email: 'sofia@correo.example', address: '192.0.2.1' },
  });
  if (!begun.ok) throw new Error(`${begun.error.message} ${violations.join()}`);
  return { id, providerReference: needed(begun.value.providerReference) };
}

async function captured(outcome: CaptureOutcome) {
  const attempt = await begin();
  await approve(simulated, attempt.providerReference, { outcome, deliveries: 'never' });
  const answer = await provider.ask(attempt, { mayCapture: true });
  return { attempt, answer };
}

const paid = async () => {
  const { attempt, answer } = await captured('completed');
  const captureId = typeof answer === 'object' ? answer.captureId : null;
  return { ...attempt, captureId: needed(captureId) };
};

// In this order: the last test checks what the others sent.
describe('by PayPal’s published descriptions', { shuffle: false }, () => {
  it('an order is created, looked at, captured and looked at again', async () => {
    const attempt = await begin();
    expect(await provider.ask(attempt, { mayCapture: true })).toBe('nothing');
    await approve(simulated, attempt.providerReference, { deliveries: 'never' });
    expect(await provider.ask(attempt, { mayCapture: false })).toBe('nothing');
    expect(await provider.ask(attempt, { mayCapture: true })).toMatchObject({ event: 'capture' });
    expect(await provider.books(attempt)).toMatchObject({ captured: usd(114_00) });
    expect(violations).toEqual([]);
  }, 90_000);

  it('a capture waits, is declined or is refused', async () => {
    const waiting = await captured('pending');
    expect(waiting.answer).toMatchObject({ event: 'hold' });
    await decidePending(simulated, waiting.attempt.providerReference, 'DECLINED');
    const late = await provider.ask(waiting.attempt, { mayCapture: true });
    expect(late).toMatchObject({ event: 'decline' });
    expect((await captured('declined')).answer).toMatchObject({ event: 'decline' });
    expect((await captured('refused')).answer).toMatchObject({ reason: 'instrument_declined' });
    expect(violations).toEqual([]);
  }, 90_000);

  it('money goes back in parts, whole, waits, is refused and is never too much', async () => {
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
    expect(await back('-4', 100_00)).toMatchObject({ value: { state: 'pending' } });
    expect(await provider.books(attempt)).toMatchObject({ refunded: usd(14_00) });
    const first = part.ok ? part.value.providerRefundId : null;
    const asked = { refundId: `${attempt.id}-1`, attempt, amount: usd(14_00) };
    for (const providerRefundId of [first, null]) {
      expect(await provider.askRefund({ ...asked, providerRefundId })).toEqual(
        part.ok && part.value,
      );
    }
    expect(await provider.askRefund({ ...asked, providerRefundId: '0UNKNOWN000000000' })).toBe(
      'unknown',
    );
    expect(violations).toEqual([]);
  }, 90_000);

  it('an order that nobody knows is said to be unknown', async () => {
    const asked = { id: crypto.randomUUID(), providerReference: '0UNKNOWN000000000' };
    expect(await provider.ask(asked, { mayCapture: true })).toBe('unknown');
    expect(violations).toEqual([]);
  });

  it('every call of ours went through the proxies, and they would have objected', async () => {
    expect(new Set(passed.map(({ call }) => call))).toEqual(
      new Set([
        'POST /v2/checkout/orders',
        'GET /v2/checkout/orders/*',
        'POST /v2/checkout/orders/*/capture',
        'POST /v2/payments/captures/*/refund',
        'GET /v2/payments/refunds/*',
      ]),
    );
    expect(new Set(passed.map(({ status }) => status))).toEqual(new Set([200, 201, 404, 422]));
    const target = needed(targets.get('/v2/checkout/'));
    const wrong = await fetch(`${target}/v2/checkout/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
      body: JSON.stringify({ intent: 'GIVE', purchase_units: [] }),
    });
    expect(wrong.status).toBe(422);
    expect(wrong.headers.get('content-type')).toContain('problem+json');
  });

  it('webhooks carry what the description of an event asks for', async () => {
    const attempt = await paid();
    const described = z
      .object({
        components: z.object({
          schemas: z.object({ event: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
        }),
      })
      .parse(JSON.parse(readFileSync(join(contracts, 'notifications_webhooks_v1.json'), 'utf8')));
    const known = Object.keys(described.components.schemas.event.properties);
    const events = await webhooksAbout(simulated, attempt.providerReference);
    expect(events.map(({ type }) => type)).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.COMPLETED',
    ]);
    for (const { body } of events) {
      for (const name of Object.keys(JSON.parse(body))) expect(known).toContain(name);
    }
  });
});
