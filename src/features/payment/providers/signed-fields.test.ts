import crypto from 'node:crypto';
import { generateKeyPairSync, createHmac } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, vi, describe, beforeEach, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { languages } from '~/base/languages.ts';
import { nestedForm } from '~/lab/stripe/stripe-calls.server.ts';
import { selfSigned } from '~/lab/paypal/paypal-calls.server.ts';
import { isSigned, signFields } from './signed-fields.server.ts';
import { stripeForm, isFromStripe, TOLERANCE_SECONDS } from './stripe-client.server.ts';
import { sessionRequest } from './stripe.server.ts';
import { toSessionEvent, stripeSession } from './stripe-session.ts';
import { paypalCertificates } from './paypal-client.server.ts';

describe('signed fields', () => {
  const makePair = (modulusLength: number) =>
    generateKeyPairSync('rsa', {
      modulusLength,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
  const { publicKey } = makePair(2048);

  afterAll(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('reads each key once, however much is signed and checked', () => {
    // A pair that nobody has signed with yet.
    const { privateKey, publicKey } = makePair(2048);
    const readPrivate = vi.spyOn(crypto, 'createPrivateKey');
    const readPublic = vi.spyOn(crypto, 'createPublicKey');
    syncBuiltinESMExports();
    for (let count = 0; count < 20; count += 1) {
      const signed = signFields({ orderRef: `${count}`, amount: '94.00' }, privateKey, 'sha256');
      expect(isSigned(signed, [publicKey], 'sha256')).toBe(true);
      expect(isSigned({ ...signed, amount: '93.00' }, [publicKey], 'sha256')).toBe(false);
    }
    expect(readPrivate).toHaveBeenCalledTimes(1);
    expect(readPublic).toHaveBeenCalledTimes(1);
  });

  it('goes on signing and checking with more keys than are kept', () => {
    const pairs = Array.from({ length: 20 }, () => makePair(1024));
    for (const pair of [...pairs, ...pairs]) {
      const signed = signFields({ amount: '94.00' }, pair.privateKey, 'sha256');
      expect(isSigned(signed, [pair.publicKey], 'sha256')).toBe(true);
      expect(isSigned(signed, [publicKey], 'sha256')).toBe(false);
    }
  });
});

const attempt = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  reference: 'TRV7K2M9QXD4HPBR',
  amount: usd(114_00),
  description: 'Lale TRV7K2M9QXD4HPBR',
  language: 'tr',
  returnUrl: 'https://visa.example/return?state=a',
  cancelUrl: 'https://visa.example/return?state=b',
  customer: {
    name: 'Sofía Hernández',
    email: 'sofia@correo.example',
    address: '192.0.2.1',
    phone: '+34600000000',
    street: 'Calle Mayor 1',
  },
};
const now = new Date('2026-11-23T10:00:00Z');

it('is encoded as Stripe reads it, and read back as it was', () => {
  const form = stripeForm({ a: 1, list: ['x', { b: 'ü&=' }], none: undefined });
  expect([...form]).toEqual([
    ['a', '1'],
    ['list[0]', 'x'],
    ['list[1][b]', 'ü&='],
  ]);
  expect(nestedForm(new URLSearchParams(form.toString()))).toEqual({
    a: '1',
    list: ['x', { b: 'ü&=' }],
  });
});

it('asks for the amount in cents, the order and the attempt, and nothing about the person', () => {
  const form = stripeForm(sessionRequest(attempt, now));
  expect(Object.fromEntries(form)).toMatchObject({
    mode: 'payment',
    client_reference_id: attempt.id,
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '11400',
    'metadata[order]': attempt.reference,
    'payment_intent_data[metadata][order]': attempt.reference,
    success_url: attempt.returnUrl,
    cancel_url: attempt.cancelUrl,
    locale: 'tr',
    'adaptive_pricing[enabled]': 'false',
  });
  const text = decodeURIComponent(form.toString());
  for (const value of Object.values(attempt.customer)) expect(text).not.toContain(value);
});

it('leaves Stripe’s page open for less than the day that Stripe allows', () => {
  const lives = Number(sessionRequest(attempt, now).expires_at) - now.getTime() / 1000;
  expect(lives).toBeGreaterThan(1800);
  expect(lives).toBeLessThanOrEqual(24 * 3600 - 1800);
});

it('names a language for every one of ours, and the browser’s for any other', () => {
  const locale = (language: string) => sessionRequest({ ...attempt, language }, now).locale;
  for (const { code } of languages) expect(locale(code)).toMatch(/^(auto|[a-z]{2})$/);
  expect(locale('xx')).toBe('auto');
});

const paidIn = (currency: string, amount: number) =>
  toSessionEvent(
    stripeSession.parse({
      id: 'cs_1',
      status: 'complete',
      payment_status: 'paid',
      payment_intent: {
        id: 'pi_1',
        status: 'succeeded',
        latest_charge: {
          id: 'ch_1',
          amount_captured: amount,
          currency,
          captured: true,
          paid: true,
        },
      },
    }),
    attempt.id,
  );

it.each([
  ['usd', 94_00, usd(94_00), '94.00'],
  ['eur', 81_50, null, '81.50'],
  ['jpy', 14_100, null, '14100'],
])(
  'a capture in %s is told as it was, and only dollars pay',
  (currency, minor, amount, amountText) => {
    const payload = { amount: amountText, currency: currency.toUpperCase() };
    expect(paidIn(currency, minor)).toMatchObject({ event: 'capture', amount, payload });
  },
);

describe('stripe signature', () => {
  const now = new Date('2026-11-23T10:00:00Z');
  const seconds = now.getTime() / 1000;
  const body = Buffer.from('{"id":"evt_1","type":"charge.refunded"}');
  const mac = (secret: string, at = seconds, text = body) =>
    createHmac('sha256', secret).update(`${at}.${text.toString()}`).digest('hex');

  const holds = (header: string | null, { secrets = ['whsec_new'], text = body } = {}) =>
    isFromStripe(
      {
        headers: new Headers(header === null ? {} : { 'stripe-signature': header }),
        body: text,
        mayFetch: async () => true,
      },
      secrets,
      now,
    );

  describe('a signature of Stripe', () => {
    it('holds over the exact body and its time', () => {
      expect(holds(`t=${seconds},v1=${mac('whsec_new')}`)).toBe(true);
      expect(holds(`t=${seconds},v1=${mac('whsec_new')}`, { text: Buffer.from('{}') })).toBe(false);
      expect(holds(`t=${seconds + 1},v1=${mac('whsec_new')}`)).toBe(false);
    });

    it('holds while a secret is rolled, on either side', () => {
      const both = `t=${seconds},v1=${mac('whsec_old')},v1=${mac('whsec_new')}`;
      expect(holds(both)).toBe(true);
      expect(holds(both, { secrets: ['whsec_old'] })).toBe(true);
      const old = `t=${seconds},v1=${mac('whsec_old')}`;
      expect(holds(old, { secrets: ['whsec_new', 'whsec_old'] })).toBe(true);
      expect(holds(old)).toBe(false);
    });

    it.each([
      ['within the tolerance', TOLERANCE_SECONDS, true],
      ['beyond it', TOLERANCE_SECONDS + 1, false],
    ])('may be old or ahead %s', (_, off, expected) => {
      for (const at of [seconds - off, seconds + off]) {
        expect(holds(`t=${at},v1=${mac('whsec_new', at)}`)).toBe(expected);
      }
    });

    it.each([
      ['no header', null],
      ['nothing', ''],
      ['no time', `v1=${mac('whsec_new')}`],
      ['no signature', `t=${seconds}`],
      ['another scheme', `t=${seconds},v0=${mac('whsec_new')}`],
      ['half a signature', `t=${seconds},v1=${mac('whsec_new').slice(0, 32)}`],
      ['a time that is no number', `t=now,v1=${mac('whsec_new')}`],
    ])('does not hold with %s', (_, header) => {
      expect(holds(header)).toBe(false);
    });

    it('does not hold without a secret', () => {
      expect(holds(`t=${seconds},v1=${mac('')}`, { secrets: [] })).toBe(false);
    });
  });
});

describe('paypal certificates', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const pem = selfSigned('paypal', privateKey);
  let asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.statusCode = url.includes('CERT-real') ? 200 : 404;
    response.end(url.includes('CERT-real') ? pem : 'no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const certs = `${origin}/v1/notifications/certs`;
  const make = () =>
    paypalCertificates({
      folder: `${certs}/`,
      timeoutMs: 5000,
      now: () => new Date('2026-11-27T12:00:00Z'),
    });
  const always = async () => true;
  const never = async () => false;

  beforeEach(() => {
    asked = [];
  });
  afterAll(() => void server.close());

  test.each([
    `${origin}/`,
    `${origin}/v1/oauth2/token`,
    `${certs}/`,
    `${certs}/other`,
    `${certs}/CERT-real/more`,
    `${certs}/CERT-real?redirect=1`,
    `${certs}/CERT-real#x`,
    `${certs}/../../../CERT-real`,
    `${certs}/%2e%2e/CERT-real`,
    `${certs}/CERT-${'a'.repeat(200)}`,
    `http://127.0.0.1:${port + 1}/v1/notifications/certs/CERT-real`,
  ])('%s is not asked for', async (address) => {
    expect(await make()(address, always)).toBe('refused');
    expect(asked).toEqual([]);
  });

  test('a certificate is asked for once, also by many at once', async () => {
    const keyAt = make();
    const keys = await Promise.all(
      Array.from({ length: 10 }, () => keyAt(`${certs}/CERT-real-1`, always)),
    );
    for (const key of keys) expect(key).toMatchObject({ asymmetricKeyType: 'rsa' });
    expect(await keyAt(`${certs}/CERT-real-1`, never)).toMatchObject({ asymmetricKeyType: 'rsa' });
    expect(asked).toHaveLength(1);
  });

  test('one that is not there is not asked for again', async () => {
    const keyAt = make();
    for (let tries = 0; tries < 5; tries += 1)
      expect(await keyAt(`${certs}/CERT-none`, always)).toBe('refused');
    expect(asked).toHaveLength(1);
  });

  test('a sender over its limit has nothing fetched, and is told to come again', async () => {
    const keyAt = make();
    expect(await keyAt(`${certs}/CERT-real-2`, never)).toBe('unavailable');
    expect(asked).toEqual([]);
    expect(await keyAt(`${certs}/CERT-real-2`, always)).toMatchObject({ asymmetricKeyType: 'rsa' });
  });
});
