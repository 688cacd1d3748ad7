import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { makePayments, SIMULATOR_PATH } from '~/app/composition/payments.server.ts';
import { paymentCallbacks } from '~/features/payment/settlement/callbacks.server.ts';
import { quietProvider } from '~/features/payment/testing/refunds.ts';
import { SIMULATOR_MERCHANT } from '~/lab/gateway/simulated-gateway.server.ts';
import { CERTIFICATES_PATH } from '~/platform/config/config-providers.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { startTestService } from '../../../../test/service.ts';
import { cardCheck, notificationsCheck, paypalCheck, stripeCheck } from './run-checks.server.ts';
import type { CheckReport } from './setup-check.ts';

const outcomeOf = ({ state, found }: CheckReport) => [state, ...found.map(({ code }) => code)];

/** Why a partner could not be asked. */
const reasonIn = (check: CheckReport) => {
  expect(outcomeOf(check)).toEqual(['missing', 'partnerAway']);
  return check.found[0]?.values?.reason;
};

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

describe('the card partner', async () => {
  const service = await startTestService();
  const { simulator } = service.platform.config;
  if (!simulator) throw new Error('No simulated gateway');
  const gateway = {
    endpoint: `${service.url}${SIMULATOR_PATH}`,
    publicEndpoint: '',
    merchantId: SIMULATOR_MERCHANT,
    privateKey: simulator.merchant.privateKey,
    providerPublicKeys: [simulator.provider.publicKey],
    digest: 'sha256' as const,
    mode: 'api' as const,
    timeoutMs: 2000,
  };
  const stranger = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const answering = (status: number) =>
    listen((_, answer) => void answer.writeHead(status).end('{}'));

  test('that knows our key and refuses a broken signature is in order', async () => {
    expect(outcomeOf(await cardCheck(gateway))).toEqual(['ok', 'cardGood']);
  });

  test('another key, another account', async () => {
    const key = { ...gateway, privateKey: stranger.privateKey };
    expect(outcomeOf(await cardCheck(key))).toEqual(['missing', 'partnerRefuses']);
    const account = { ...gateway, merchantId: 'SOMEBODY' };
    expect(outcomeOf(await cardCheck(account))).toEqual(['missing', 'partnerRefuses']);
  });

  test('an address that answers everything with 404 proves nothing', async () => {
    const endpoint = await answering(404);
    expect(outcomeOf(await cardCheck({ ...gateway, endpoint }))).toEqual(['unknown', 'cardSame']);
  });

  test('a server that is broken, and none', async () => {
    const endpoint = await answering(500);
    expect(reasonIn(await cardCheck({ ...gateway, endpoint }))).toBe('500');
    const nowhere = { ...gateway, endpoint: 'http://127.0.0.1:1' };
    expect(reasonIn(await cardCheck(nowhere))).toBe('ECONNREFUSED');
    const silent = await listen(() => undefined);
    const impatient = { ...gateway, endpoint: silent, timeoutMs: 100 };
    expect(reasonIn(await cardCheck(impatient))).toBe('ETIMEDOUT');
  });
});

describe('PayPal', async () => {
  const publicUrl = 'https://tulip.travel';
  const all = [
    'CHECKOUT.ORDER.APPROVED',
    'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.CAPTURE.PENDING',
    'PAYMENT.CAPTURE.DENIED',
    'PAYMENT.CAPTURE.REFUNDED',
    'PAYMENT.CAPTURE.REVERSED',
  ];
  const here = { url: `${publicUrl}/api/payment/notification/paypal`, events: all };
  let webhook = here;
  beforeEach(() => void (webhook = here));
  /** Speaks as much of PayPal as the check asks for. */
  const endpoint = await listen((request, answer) => {
    const say = (status: number, body: object) =>
      void answer
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    const { authorization = '' } = request.headers;
    if (request.url === '/v1/oauth2/token') {
      const given = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
      return given === 'app:right-secret'
        ? say(200, { access_token: 'token', expires_in: 3600 })
        : say(401, { error: 'invalid_client' });
    }
    if (authorization !== 'Bearer token') return say(401, {});
    if (request.url !== '/v1/notifications/webhooks/0HOOK') return say(404, {});
    return say(200, {
      id: '0HOOK',
      url: webhook.url,
      event_types: webhook.events.map((name) => ({ name })),
    });
  });
  const account = {
    endpoint,
    clientId: 'app',
    clientSecret: 'right-secret',
    webhookId: '0HOOK',
    certificates: endpoint + CERTIFICATES_PATH,
    timeoutMs: 2000,
  };
  const check = (changes: Partial<typeof account> = {}) =>
    paypalCheck({ ...account, ...changes }, publicUrl);

  test('that accepts our app and has its webhook lead here is in order', async () => {
    expect(outcomeOf(await check())).toEqual(['ok', 'webhookGood']);
    webhook = { ...webhook, events: ['*'] };
    expect(outcomeOf(await check())).toEqual(['ok', 'webhookGood']);
  });

  test('an event that is not told of is named', async () => {
    webhook = { ...webhook, events: all.filter((name) => !name.endsWith('REFUNDED')) };
    const found = await check();
    expect(outcomeOf(found)).toEqual(['missing', 'webhookEvents']);
    expect(found.found[0]?.values).toEqual({ events: 'PAYMENT.CAPTURE.REFUNDED' });
  });

  test('a webhook of another address, and none', async () => {
    webhook = { url: 'https://old.tulip.travel/hook', events: all };
    expect(outcomeOf(await check())).toEqual(['missing', 'webhookElsewhere']);
    expect(outcomeOf(await check({ webhookId: '0OTHER' }))).toEqual(['missing', 'webhookUnknown']);
  });

  test('a wrong secret, which is not repeated, and no answer', async () => {
    const refused = await check({ clientSecret: 'wrong-secret' });
    expect(outcomeOf(refused)).toEqual(['missing', 'partnerRefuses']);
    expect(JSON.stringify(refused)).not.toContain('wrong-secret');
    const away = await check({ endpoint: 'http://127.0.0.1:2' });
    expect(reasonIn(away)).toBe('ECONNREFUSED');
  });
});

describe('Stripe', async () => {
  const publicUrl = 'https://tulip.travel';
  const url = `${publicUrl}/api/payment/notification/stripe`;
  const all = [
    'checkout.session.completed',
    'checkout.session.expired',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'charge.refunded',
    'refund.updated',
    'charge.dispute.created',
    'charge.dispute.closed',
  ];
  let webhooks: { url: string; status: string; enabled_events: string[] }[] = [];
  beforeEach(() => void (webhooks = [{ url, status: 'enabled', enabled_events: all }]));
  /** What the restricted key may not read. */
  let lacking: string[] = [];
  /** Speaks as much of Stripe as the check asks for. */
  const endpoint = await listen((request, answer) => {
    const key = request.headers.authorization;
    const path = new URL(request.url ?? '', 'http://stripe').pathname.replace('/v1/', '');
    const isRight = key === 'Bearer sk_live_right' || !lacking.includes(path);
    const isOurs = key === 'Bearer sk_live_right' || key === 'Bearer rk_live_right';
    const status = !isOurs ? 401 : isRight ? 200 : 403;
    const data = path === 'webhook_endpoints' ? webhooks : [{ id: 'x_1' }];
    answer
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(status === 200 ? { object: 'list', data } : { error: {} }));
  });
  const account = {
    endpoint,
    secretKey: 'sk_live_right',
    webhookSecrets: ['whsec_a'],
    timeoutMs: 2000,
  };
  const check = (changes: Partial<typeof account> = {}) =>
    stripeCheck({ ...account, ...changes }, publicUrl);

  test('that accepts our key and has a webhook that leads here is in order', async () => {
    expect(outcomeOf(await check())).toEqual(['ok', 'webhookGood']);
    webhooks = [{ url, status: 'enabled', enabled_events: ['*'] }];
    expect(outcomeOf(await check())).toEqual(['ok', 'webhookGood']);
  });

  test('an event that is not told of is named', async () => {
    webhooks = [{ url, status: 'enabled', enabled_events: all.slice(0, -1) }];
    const found = await check();
    expect(outcomeOf(found)).toEqual(['missing', 'webhookEvents']);
    expect(found.found[0]?.values).toEqual({ events: 'charge.dispute.closed' });
  });

  test.each([
    ['elsewhere', { url: 'https://old.example/hook', status: 'enabled' }],
    ['disabled', { url, status: 'disabled' }],
  ])('a webhook that is %s is none', async (_, changed) => {
    webhooks = [{ ...changed, enabled_events: all }];
    expect(outcomeOf(await check())).toEqual(['missing', 'webhookNone']);
  });

  test('a restricted key needs the right to read all that we read, which a payment alone would not show', async () => {
    const secretKey = 'rk_live_right';
    lacking = [];
    expect(outcomeOf(await check({ secretKey }))).toEqual(['ok', 'webhookGood']);
    lacking = ['disputes', 'webhook_endpoints'];
    const found = await check({ secretKey });
    expect(outcomeOf(found)).toEqual(['missing', 'keyRights']);
    expect(found.found[0]?.values).toMatchObject({ rights: 'disputes, webhook_endpoints' });
  });

  test('a key that it does not accept, or no answer, stands in the way', async () => {
    expect(outcomeOf(await check({ secretKey: 'sk_live_wrong' }))).toEqual([
      'missing',
      'partnerRefuses',
    ]);
    expect(outcomeOf(await check({ endpoint: 'http://127.0.0.1:1' }))).toEqual([
      'missing',
      'partnerAway',
    ]);
  });
});

test('a partner is heard once a verified notification of its address arrived', async () => {
  const platform = await makeTestPlatform();
  const account = {
    clientId: 'app',
    clientSecret: 'secret',
    webhookId: '0HOOK',
    certificates: 'https://api.paypal.com/v1/notifications/certs/',
    timeoutMs: 2000,
  };
  const providers = {
    card: undefined,
    paypal: { ...account, endpoint: 'https://api-m.paypal.com' },
    stripe: undefined,
  };
  const real = { ...platform, config: { ...platform.config, providers } };
  let kind: 'unverified' | 'unavailable' | 'irrelevant' = 'unverified';
  const payments = {
    ...makePayments(platform),
    providers: [quietProvider({ name: 'paypal', readNotification: async () => ({ kind }) })],
  };
  const notify = (receiver: Platform) =>
    paymentCallbacks(receiver, payments).request('/api/payment/notification/paypal', {
      method: 'POST',
      body: '{}',
    });
  const check = (of = providers) => notificationsCheck({ providers: of }, platform.db);
  await notify(real);
  kind = 'unavailable';
  await notify(real);
  expect(outcomeOf(await check())).toEqual(['unknown', 'heardNever']);
  kind = 'irrelevant';
  // One without credentials is simulated, and proves nothing.
  await notify(platform);
  expect(outcomeOf(await check())).toEqual(['unknown', 'heardNever']);
  await notify(real);
  expect(await check()).toMatchObject({
    state: 'ok',
    found: [{ values: { name: 'api-m.paypal.com', moment: '2026-11-23 10:00 UTC' } }],
  });
  platform.clock.advance(3600_000);
  await notify(real);
  expect((await check()).found[0]?.values?.moment).toBe('2026-11-23 11:00 UTC');
  const sandbox = { ...account, endpoint: 'https://api-m.sandbox.paypal.com' };
  const moved = { ...providers, paypal: sandbox };
  expect(outcomeOf(await check(moved))).toEqual(['unknown', 'heardNever']);
});
