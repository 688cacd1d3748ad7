import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkout } from '~/features/order/checkout.server.ts';
import { cardGatewayDigests } from '~/platform/config/config-providers.server.ts';
import { makePayments, SIMULATOR_PATH } from '~/app/composition/payments.server.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { unsealCheckoutRedirect } from '../settlement/begin.server.ts';
import { notifyMerchant, signStatement, decideRefund } from '~/lab/gateway/gateway.server.ts';
import { SIMULATOR_MERCHANT, transactionByOrder } from '~/lab/gateway/simulated-gateway.server.ts';
import { attemptById, attemptsByReference } from '../settlement/store.server.ts';
import {
  cardGateway,
  type CardGatewaySettings,
  MAX_PAYLOAD_LENGTH,
  interpretPayment,
  interpretRefund,
  paymentStatement,
  readStatement,
  refundStatement,
} from './card-gateway.server.ts';
import { somePayer } from '../../../../test/browser.ts';
import { needed } from '../../../../test/needed.ts';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { usd } from '~/base/money.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import { EXPIRY_MS } from '../settlement/sweep.server.ts';
import { canonical, isSigned } from './signed-fields.server.ts';

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [ours, theirs] = [pair(), pair()];

/** The account at the gateway, which tests change as an operator would. */
const settings: CardGatewaySettings = {
  endpoint: '',
  publicEndpoint: '',
  merchantId: SIMULATOR_MERCHANT,
  privateKey: ours.privateKey,
  providerPublicKeys: [theirs.publicKey],
  digest: 'sha256',
  mode: 'api',
  timeoutMs: 5000,
  errorUrl: 'https://lale.example/payment-cancel?status=error',
  notificationUrl: '',
};
const provider = cardGateway(settings);
const service = await startTestService({
  payments: (platform) => ({ ...makePayments(platform), providers: [provider] }),
});
settings.endpoint = `${service.url}${SIMULATOR_PATH}`;
settings.publicEndpoint = settings.endpoint;
settings.notificationUrl = `${service.url}/api/payment/notification/card`;
const { platform } = service;
const { place, start, pay, comeBack, stateOf, expectPaidOnce, expectUnpaid, gateway } =
  purchases(service);
gateway.privateKey = theirs.privateKey;
gateway.merchantPublicKeys = [ours.publicKey];

/** Submits the form of our redirect page to the gateway. */
async function postForm(attemptId: string): Promise<Response> {
  const { checkoutRedirect } = needed(await attemptById(platform.db, attemptId));
  const form = unsealCheckoutRedirect(platform, attemptId, needed(checkoutRedirect));
  if (form.kind !== 'form') throw new Error('Expected a form');
  const body = new URLSearchParams(form.fields);
  return fetch(form.url, { method: 'POST', body, redirect: 'manual' });
}

const tellMerchant = (orderRef: string) => notifyMerchant(gateway, { orderRef });

describe('what is signed', () => {
  it.each(cardGatewayDigests)('with %s is understood on both sides', async (digest) => {
    settings.digest = digest;
    gateway.digest = digest;
    const order = await place();
    await comeBack(await pay(await start(order)));
    await expectPaidOnce(order);
    settings.digest = 'sha256';
    gateway.digest = 'sha256';
  });

  it('with another digest than agreed is refused', async () => {
    const order = await place();
    const attempt = await start(order);
    gateway.digest = 'md5';
    const address = await pay(attempt);
    gateway.digest = 'sha256';
    expect(provider.readReturn(new URL(address).searchParams)).toBeNull();
  });

  it.each(['unsigned', 'wrong_signature'] as const)(
    'a return that is %s proves nothing by itself: the partner is asked',
    async (how) => {
      const order = await place();
      const attempt = await start(order);
      void gateway.faults.plan({ on: 'return', how, orderRef: attempt });
      const address = await pay(attempt);
      expect(provider.readReturn(new URL(address).searchParams)).toBeNull();
      expect(await comeBack(address)).toMatch(/^\/payment-success\?/);
      await expectPaidOnce(order);
    },
  );

  it.each(['unsigned', 'wrong_signature', 'error', 'lost', 'reset'] as const)(
    'an answer that is %s decides nothing',
    async (how) => {
      const attempt = await start(await place());
      await pay(attempt);
      void gateway.faults.plan({ on: 'query', how, orderRef: attempt });
      const asked = { id: attempt, providerReference: null };
      expect(await provider.ask(asked, { mayCapture: true })).toBe('no_answer');
      expect(await provider.ask(asked, { mayCapture: true })).toMatchObject({ event: 'capture' });
    },
  );

  it('is not taken from an answer about another payment', async () => {
    const [one, other] = [await start(await place()), await start(await place())];
    await pay(one);
    const payload = signStatement(gateway, needed(await transactionByOrder(gateway.db, one)));
    const mixedUp = createServer((_, response) => response.end(JSON.stringify({ payload })));
    const address = await new Promise<string>((resolve) => {
      mixedUp.listen(0, '127.0.0.1', () => {
        const { port } = z.object({ port: z.number() }).parse(mixedUp.address());
        resolve(`http://127.0.0.1:${port}`);
      });
    });
    const asking = cardGateway({ ...settings, endpoint: address });
    const ask = (id: string) => asking.ask({ id, providerReference: null }, { mayCapture: true });
    expect(await ask(other)).toBe('no_answer');
    expect(await ask(one)).toMatchObject({ attemptId: one, event: 'capture' });
    mixedUp.close();
  });
});

describe('when the partner rotates its key', () => {
  it('both keys are accepted until the old one is taken out', async () => {
    const next = pair();
    const [early, late, last] = [await place(), await place(), await place()];
    const [first, second, third] = [await start(early), await start(late), await start(last)];
    settings.providerPublicKeys = [theirs.publicKey, next.publicKey];
    await pay(first);
    await tellMerchant(first);
    await expectPaidOnce(early);

    gateway.privateKey = next.privateKey;
    await pay(second);
    await tellMerchant(second);
    await expectPaidOnce(late);

    settings.providerPublicKeys = [next.publicKey];
    gateway.privateKey = theirs.privateKey;
    await pay(third);
    await expect(tellMerchant(third)).rejects.toThrow('400');
    await expectUnpaid(last);

    gateway.privateKey = next.privateKey;
    await tellMerchant(third);
    await expectPaidOnce(last);
    settings.providerPublicKeys = [theirs.publicKey];
    gateway.privateKey = theirs.privateKey;
  });
});

describe('when we rotate ours', () => {
  it('a form signed before is good while the partner keeps both, and refused after', async () => {
    const next = pair();
    settings.mode = 'form';
    const [one, other] = [await start(await place()), await start(await place())];
    gateway.merchantPublicKeys = [ours.publicKey, next.publicKey];
    settings.privateKey = next.privateKey;
    expect((await postForm(one)).status).toBe(303);
    expect((await postForm(await start(await place()))).status).toBe(303);
    gateway.merchantPublicKeys = [next.publicKey];
    expect((await postForm(other)).status).toBe(400);
    settings.mode = 'api';
    settings.privateKey = ours.privateKey;
    gateway.merchantPublicKeys = [ours.publicKey];
  });

  it('with a key that the partner does not know nothing starts', async () => {
    settings.privateKey = pair().privateKey;
    const order = await place();
    const started = await checkout(platform, [provider], order, {
      by: somePayer,
      address: '192.0.2.1',
    });
    expect(started).toMatchObject({ ok: false, error: { code: 'start_failed' } });
    const [attempt] = await attemptsByReference(platform.db, order.number);
    expect(attempt).toMatchObject({ state: 'failed', reason: 'start_refused' });
    settings.privateKey = ours.privateKey;
  });
});

describe('by form alone', () => {
  it('nothing exists at the partner until the browser posts, and then it is paid', async () => {
    settings.mode = 'form';
    const order = await place();
    const attempt = await start(order);
    settings.mode = 'api';
    expect(await transactionByOrder(gateway.db, attempt)).toBeNull();
    const asked = { id: attempt, providerReference: null };
    expect(await provider.ask(asked, { mayCapture: true })).toBe('unknown');
    const posted = await postForm(attempt);
    expect(posted.headers.get('location')).toContain(`/mock-gpay-payment?order=${attempt}`);
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
    expect((await attemptById(platform.db, attempt))?.providerReference).toBe(
      (await transactionByOrder(gateway.db, attempt))?.id,
    );
  });

  it('a form that was changed on the way is refused', async () => {
    const attempt = await start(await place());
    const { checkoutRedirect } = needed(await attemptById(platform.db, attempt));
    const form = unsealCheckoutRedirect(platform, attempt, needed(checkoutRedirect));
    if (form.kind !== 'form') throw new Error('Expected a form');
    const body = new URLSearchParams({ ...form.fields, amount: '0.01' });
    expect((await fetch(form.url, { method: 'POST', body })).status).toBe(400);
  });
});

describe('an answer that never comes', () => {
  it('leaves the attempt open after the agreed time', async () => {
    settings.timeoutMs = 200;
    const order = await place();
    const reached = gateway.faults.plan({ on: 'checkout', how: 'held' });
    const started = await checkout(platform, [provider], order, {
      by: somePayer,
      address: '192.0.2.1',
    });
    await reached;
    expect(started).toMatchObject({ ok: false, error: { code: 'start_failed' } });
    settings.timeoutMs = 5000;
    const [attempt] = await attemptsByReference(platform.db, order.number);
    expect(await stateOf(needed(attempt).id)).toBe('created');
    await gateway.faults.release();
  });
});

describe('a refund', () => {
  const refundOf = async () => {
    const order = await place();
    const id = await start(order);
    await comeBack(await pay(id));
    const { providerReference, captureId } = needed(await attemptById(platform.db, id));
    const attempt = { id, providerReference, captureId: needed(captureId) };
    return { refundId: randomUUID(), attempt, amount: { minor: 94_00, currency: 'USD' } as const };
  };

  it.each(['completed', 'failed'] as const)(
    'that is pending and then %s is told by a signed notification',
    async (state) => {
      const refund = await refundOf();
      const { id } = refund.attempt;
      void gateway.faults.plan({ on: 'refund', how: 'pending', orderRef: id });
      expect(await provider.refund(refund)).toMatchObject({ value: { state: 'pending' } });
      const asked = { ...refund, providerRefundId: null };
      expect(await provider.askRefund(asked)).toMatchObject({ state: 'pending' });
      await decideRefund(gateway, { orderRef: id, refundRef: refund.refundId }, state);
      expect(await provider.askRefund(asked)).toMatchObject({ state });
      await service.runJobs();
    },
  );
});

describe('card gateway document', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'card-gateway.md'), 'utf8');

  /** The examples under one mark, like ```json gateway payment. */
  const examples = (mark: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${mark}\\n([^]*?)\\n\`\`\`$`, 'gm'))].map(
      ([, example = '']) => example,
    );
  const [merchantKey = ''] = examples('pem merchant');
  const [gatewayKey = ''] = examples('pem gateway');
  const fieldsOf = (json: string) => z.record(z.string(), z.string()).parse(JSON.parse(json));
  const keys = { providerPublicKeys: [gatewayKey], digest: 'sha256' as const };
  const encoded = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64');

  /** The names in the first column of the table below a heading. */
  function namesUnder(heading: string): string[] {
    const [, after = ''] = page.split(`${heading}\n`);
    const [table = ''] = after
      .split('\n\n')
      .filter((part) => part.trimStart().startsWith('| Field'));
    return table
      .split('\n')
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
      .map(([, name = '']) => name);
  }

  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

  const ours = (differences: Partial<CardGatewaySettings> = {}) =>
    cardGateway({
      endpoint: 'https://pay.bank.example/api',
      publicEndpoint: 'https://pay.bank.example',
      merchantId: 'LALE',
      privateKey,
      ...keys,
      mode: 'form',
      timeoutMs: 1000,
      errorUrl: 'https://visa.example.org/e',
      notificationUrl: 'https://visa.example.org/n',
      ...differences,
    });
  const toBegin = {
    id: crypto.randomUUID(),
    reference: '',
    amount: usd(94_00),
    description: '',
    language: 'en',
    returnUrl: 'https://visa.example.org/r',
    cancelUrl: 'https://visa.example.org/c',
    customer: { name: '', email: '', address: '' },
  };

  /** What our side sends, as the browser's form. */
  async function formOf() {
    const begun = await ours().begin(toBegin);
    if (!begun.ok || begun.value.checkoutRedirect.kind !== 'form') throw new Error('No form');
    return begun.value.checkoutRedirect;
  }

  /** What our server sends a gateway that knows nothing, by path. */
  async function callsOf(): Promise<Map<string, string[]>> {
    const calls = new Map<string, string[]>();
    const gateway = new Hono();
    gateway.post('*', async (c) => {
      calls.set(c.req.path, Object.keys(fieldsOf(await c.req.text())).toSorted());
      return c.json({}, 404);
    });
    const server = serve({ fetch: gateway.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const provider = ours({ endpoint: `http://127.0.0.1:${port}`, mode: 'api' });
    const attempt = { id: toBegin.id, providerReference: null, captureId: 'C-2000' };
    const refund = { refundId: crypto.randomUUID(), attempt, amount: usd(75_20) };
    await provider.begin(toBegin);
    await provider.ask(attempt, { mayCapture: false });
    await provider.refund(refund);
    await provider.askRefund({ ...refund, providerRefundId: null });
    server.close();
    return calls;
  }

  describe('docs/card-gateway.md', () => {
    it('signs its examples as our code does', () => {
      const signed = examples(String.raw`json merchant POST \S+`);
      expect(signed).toHaveLength(4);
      for (const one of signed) expect(isSigned(fieldsOf(one), [merchantKey], 'sha256')).toBe(true);
      expect(canonical(fieldsOf(signed[0] ?? ''))).toBe(examples('text canonical')[0]);
    });

    it('shows every call of ours, with exactly the fields that we send', async () => {
      const calls = await callsOf();
      expect([...calls.keys()].toSorted()).toEqual([
        '/v1/checkout',
        '/v1/refunds',
        '/v1/refunds/query',
        '/v1/transactions/query',
      ]);
      for (const [path, names] of calls) {
        const [example = '{}'] = examples(`json merchant POST ${path}`);
        expect(Object.keys(fieldsOf(example)).toSorted()).toEqual(names);
      }
    });

    it('lists exactly the fields with which a payment begins', async () => {
      const { fields, url } = await formOf();
      const listed = namesUnder('### `POST /v1/checkout`: a payment begins');
      expect(listed.toSorted()).toEqual([...Object.keys(fields), 'connectionMode'].toSorted());
      const [example = '{}'] = examples('json merchant POST /v1/checkout');
      expect(Object.keys(fieldsOf(example)).toSorted()).toEqual(listed.toSorted());
      expect(url).toBe('https://pay.bank.example/v1/checkout');
    });

    it('shows statements about a payment that our code reads as it says', () => {
      const [completed = '', declined = ''] = examples('json gateway payment');
      const read = (json: string) => readStatement(encoded(fieldsOf(json)), keys);
      const statement = read(completed);
      expect(
        statement && 'payment' in statement && interpretPayment(statement.payment),
      ).toMatchObject({
        event: 'capture',
        amount: usd(94_00),
        captureId: 'C-2000',
        providerReference: 'T-1000',
      });
      const refused = read(declined);
      expect(refused && 'payment' in refused && interpretPayment(refused.payment)).toMatchObject({
        event: 'decline',
        reason: 'insufficient_funds',
      });
      const [notification = '{}'] = examples('json notification');
      expect(readStatement(fieldsOf(notification).payload ?? '', keys)).toEqual(statement);
      const changed = { ...fieldsOf(completed), amount: '9.00' };
      expect(readStatement(encoded(changed), keys)).toBeNull();
    });

    it('names only fields of a statement that our code knows, and all that it needs', () => {
      const listed = namesUnder('### A payment');
      const [completed = '{}'] = examples('json gateway payment');
      for (const name of Object.keys(fieldsOf(completed))) expect(listed).toContain(name);
      const names = Object.keys(paymentStatement.shape);
      expect(listed.toSorted()).toEqual([...names, 'signature'].toSorted());
    });

    it('lists the states of a payment', () => {
      const [, table = ''] = page.split('| `status` | Means | We |');
      const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
      const one = {
        eventId: 'e',
        transactionId: 't',
        orderId: crypto.randomUUID(),
        amount: '1.00',
      };
      const events = listed.slice(0, 4).map((status) => {
        const event = interpretPayment({ ...one, status: status as 'created' });
        return typeof event === 'string' ? event : event.event;
      });
      expect(listed.slice(0, 4)).toEqual(['created', 'completed', 'declined', 'cancelled']);
      expect(events).toEqual(['nothing', 'capture', 'decline', 'cancel']);
    });

    it('shows a refund that our code reads', () => {
      const [refund = '{}'] = examples('json gateway refund');
      const statement = readStatement(encoded(fieldsOf(refund)), keys);
      expect(statement && 'refund' in statement && interpretRefund(statement.refund)).toMatchObject(
        {
          state: 'completed',
          amount: usd(75_20),
          captureId: 'C-2000',
        },
      );
      const names = [...Object.keys(refundStatement.shape), 'signature'];
      expect(Object.keys(fieldsOf(refund)).toSorted()).toEqual(names.toSorted());
    });

    it('names how long a message and its texts may be', () => {
      expect(page).toContain(
        `${MAX_PAYLOAD_LENGTH.toLocaleString('en')} characters of base64 at most`,
      );
      const [completed = '{}'] = examples('json gateway payment');
      const isRead = (changes: object) =>
        paymentStatement.safeParse({ ...fieldsOf(completed), ...changes }).success;
      for (const name of ['eventId', 'captureId', 'reason']) {
        expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|[^|]*200 characters`));
        expect(isRead({ [name]: 'x'.repeat(200) })).toBe(true);
        expect(isRead({ [name]: 'x'.repeat(201) })).toBe(false);
      }
    });

    it('names the digests and the time after which a payment is given up', () => {
      for (const digest of cardGatewayDigests) expect(page).toContain(`\`${digest}\``);
      expect(page).toContain(`stays \`created\` after ${EXPIRY_MS / 3600_000} hours`);
    });
  });
});
