import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { signFields } from '../providers/signed-fields.server.ts';
import { eventsFor, openAlerts } from './store.server.ts';
import { paymentEvent } from '../tables.server.ts';

const service = await startTestService();
const { platform, url } = service;
const { place, start, pay, comeBack, stateOf, expectPaidOnce, expectUnpaid, gateway } =
  purchases(service);

const stranger = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

function statement(fields: Record<string, string>, privateKey = gateway.privateKey): string {
  const all = {
    eventId: randomUUID(),
    status: 'completed',
    transactionId: 'ABCD-EF01-2345',
    amount: '94.00',
    currency: 'USD',
    captureId: `CAP-${randomUUID()}`,
    ...fields,
  };
  return Buffer.from(JSON.stringify(signFields(all, privateKey, 'sha256'))).toString('base64');
}

const notify = (payload: string) =>
  fetch(`${url}/api/payment/notification/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload }),
  });

const returnWith = (payload: string) =>
  comeBack(`${url}/api/payment/return/card?${new URLSearchParams({ payload })}`);

/** A payment's genuine message with something changed after it was signed. */
async function tampered(attemptId: string, change: Record<string, string>): Promise<string> {
  const payload = new URL(await pay(attemptId)).searchParams.get('payload') ?? '';
  const fields: Record<string, string> = JSON.parse(Buffer.from(payload, 'base64').toString());
  return Buffer.from(JSON.stringify({ ...fields, ...change })).toString('base64');
}

describe('what is not verifiably the gateway’s changes nothing', () => {
  const unsigned = (orderId: string) =>
    Buffer.from(
      JSON.stringify({ orderId, status: 'completed', amount: '94.00', eventId: 'x' }),
    ).toString('base64');
  it.each<[string, (attemptId: string) => string | Promise<string>]>([
    ['unsigned', unsigned],
    ['signed by a stranger', (id) => statement({ orderId: id }, stranger.privateKey)],
    ['changed after signing', (id) => tampered(id, { amount: '0.01' })],
    ['meant for another attempt', (id) => tampered(id, { orderId: randomUUID() })],
    ['nonsense', () => 'bm9uc2Vuc2U='],
    ['empty', () => ''],
  ])('%s', async (_, make) => {
    const order = await place();
    const attempt = await start(order);
    const payload = await make(attempt);
    expect((await notify(payload)).status).toBe(400);
    expect(await returnWith(payload)).toBe('/payment-cancel?status=error');
    await expectUnpaid(order);
    expect(await stateOf(attempt)).toBe('redirected');
    expect(await eventsFor(platform.db, attempt)).toEqual([]);
  });

  it('a success address that a browser was merely given pays nothing', async () => {
    const order = await place();
    const attempt = await start(order);
    const claim = new URLSearchParams({
      status: 'completed',
      order: order.number,
      payment: attempt,
    });
    const location = await comeBack(`${url}/api/payment/return/card?${claim}`);
    expect(location).toBe('/payment-cancel?status=error');
    await expectUnpaid(order);
  });
});

describe('a genuine statement that does not fit', () => {
  it.each([
    ['a smaller amount', { amount: '0.94' }],
    ['a larger amount', { amount: '940.00' }],
    ['another currency', { currency: 'TRY' }],
    ['no currency', { currency: '' }],
  ])('%s changes nothing, raises an alert and is not confirmed', async (_, fields) => {
    const order = await place();
    const attempt = await start(order);
    const payload = statement({ orderId: attempt, ...fields });
    expect((await notify(payload)).status).toBe(422);
    await expectUnpaid(order);
    expect(await stateOf(attempt)).toBe('redirected');
    const alerts = await openAlerts(platform.db);
    expect(alerts.filter(({ attemptId }) => attemptId === attempt).map(({ kind }) => kind)).toEqual(
      ['wrong_amount'],
    );
    // The genuine payment still pays.
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
  });

  it('a wrong amount stays refused however often it is delivered', async () => {
    const order = await place();
    const payload = statement({ orderId: await start(order), amount: '1.00' });
    expect((await notify(payload)).status).toBe(422);
    expect((await notify(payload)).status).toBe(422);
  });

  it('an unknown reference is kept once, raises one alert and is answered 404 every time', async () => {
    const eventId = randomUUID();
    const payload = statement({ orderId: randomUUID(), eventId });
    expect((await notify(payload)).status).toBe(404);
    expect((await notify(payload)).status).toBe(404);
    expect(await returnWith(payload)).toBe('/payment-cancel?status=error');
    const kept = (await platform.db.select().from(paymentEvent)).filter(
      (event) => event.eventId === eventId,
    );
    expect(kept.map(({ result }) => result)).toEqual(['unknown_reference']);
    const alerts = (await openAlerts(platform.db)).filter(
      ({ kind }) => kind === 'unknown_reference',
    );
    expect(alerts).toHaveLength(1);
  });

  it('another provider’s address does not believe it', async () => {
    const order = await place();
    const payload = statement({ orderId: await start(order) });
    const response = await fetch(`${url}/api/payment/notification/paypal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payload }),
    });
    expect(response.status).toBe(400);
    await expectUnpaid(order);
  });
});

describe('one capture', () => {
  it('cannot pay two orders', async () => {
    const [one, other] = [await place(), await place()];
    const captureId = `CAP-${randomUUID()}`;
    const [first, second] = [await start(one), await start(other)];
    expect(
      (await notify(statement({ orderId: first, captureId, transactionId: 'T-1' }))).status,
    ).toBe(200);
    const again = await notify(statement({ orderId: second, captureId, transactionId: 'T-2' }));
    expect(again.status).toBe(422);
    await expectPaidOnce(one);
    await expectUnpaid(other);
    const alerts = await openAlerts(platform.db);
    expect(alerts.find(({ attemptId }) => attemptId === second)?.kind).toBe('capture_reused');
  });
});
