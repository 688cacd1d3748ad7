import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkout } from '~/features/order/checkout.server.ts';
import { cardGatewayDigests } from '~/platform/config/config-card-gateway.server.ts';
import { makePayments, SIMULATOR_PATH } from '~/app/composition/payments.server.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { unsealCheckoutRedirect } from '../settlement/begin.server.ts';
import { notifyMerchant, statementOf, decideRefund } from '~/lab/gateway/gateway.server.ts';
import { SIMULATOR_MERCHANT, transactionByOrder } from '~/lab/gateway/simulated-gateway.server.ts';
import { attemptById, attemptsFor } from '../settlement/store.server.ts';
import { cardGateway, type CardGatewaySettings } from './card-gateway.server.ts';
import { somePayer } from '../../../../test/browser.ts';
import { needed } from '../../../../test/needed.ts';

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
    'a notification that is %s is answered 400 and changes nothing',
    async (how) => {
      const order = await place();
      const attempt = await start(order);
      await pay(attempt);
      const happened = gateway.faults.plan({ on: 'notification', how, orderRef: attempt });
      await expect(tellMerchant(attempt)).rejects.toThrow('400');
      await happened;
      await expectUnpaid(order);
      await tellMerchant(attempt);
      await expectPaidOnce(order);
    },
  );

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
    const payload = statementOf(gateway, needed(await transactionByOrder(gateway.db, one)));
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
    const [attempt] = await attemptsFor(platform.db, order.number);
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
    const [attempt] = await attemptsFor(platform.db, order.number);
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
