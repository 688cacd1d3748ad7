import { describe, expect, it } from 'vitest';
import { approve, simulatedPaypal } from '~/lab/paypal/simulated-paypal.server.ts';
import { wholeOrder } from '~/lab/paypal/paypal-resources.server.ts';
import type { CaptureOutcome } from '~/lab/scenarios.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { api } from '~/app/api.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import { labSession } from './payer/session.server.ts';
import { orderByNumber } from './store.server.ts';
import { needed } from '../../../test/needed.ts';

const service = await startTestService();
const { platform, payments, url } = service;
const { payer, place, expectPaidOnce, expectUnpaid } = purchases(service);
const paypal = needed(simulatedPaypal(platform));

async function call(method: string, path: string, body?: unknown, cookie = payer.cookie) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: await response.json() };
}
const ask = { currency: 'USD', intent: 'CAPTURE' };

describe('POST /paypal/order', () => {
  it('begins a payment of the named order and answers id and links', async () => {
    const order = await place();
    const { status, answer } = await call('POST', '/paypal/order', {
      ...ask,
      amount: '94.00',
      orderReference: order.number,
    });
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^[A-Z0-9]{17}$/),
      status: 'PAYER_ACTION_REQUIRED',
      amount: { currency_code: 'USD', value: '94.00' },
      orderReference: order.number,
    });
    const approval = answer.links.find(({ rel }: { rel: string }) => rel === 'approve');
    expect(approval.href).toBe(`${url}/lab/paypal/checkoutnow?token=${answer.id}`);
    const there = needed(await wholeOrder(paypal.db, answer.id)).order;
    expect(there).toMatchObject({ value: '94.00', customId: answer.paymentId });
  });

  it('refuses another amount and begins nothing', async () => {
    const order = await place();
    const { status, answer } = await call('POST', '/paypal/order', {
      ...ask,
      amount: '1.00',
      orderId: order.number,
    });
    expect(status).toBe(409);
    expect(answer).toMatchObject({ code: 'wrong_amount', totalAmount: '94.00', success: false });
    expect(await attemptsByReference(platform.db, order.number)).toEqual([]);
  });

  it('without a reference begins a lab order of 114.00 in a session of the lab alone', async () => {
    const refused = await call('POST', '/paypal/order', { ...ask, amount: '114.00' }, '');
    expect(refused).toMatchObject({ status: 422, answer: { code: 'order_reference_required' } });
    const [lab = ''] = labSession(platform, new Request(url)).split(';');
    const { answer } = await call('POST', '/paypal/order', { ...ask, amount: '114.00' }, lab);
    expect(await orderByNumber(platform.db, answer.orderReference)).toMatchObject({ lab: true });
    expect((await call('POST', '/paypal/order', { amount: '94.00' }, lab)).status).toBe(409);
  });

  it('without a reference begins nothing in live mode', async () => {
    const live = { ...platform, config: { ...platform.config, mode: 'live' as const } };
    const response = await api(live, payments).request('/paypal/order', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...ask, amount: '114.00' }),
    });
    expect(response.status).toBe(422);
  });

  it.each([{ amount: '94.00', currency: 'TRY' }, { amount: '94.00', intent: 'AUTHORIZE' }, {}])(
    'refuses %j as not valid',
    async (body) => {
      expect(await call('POST', '/paypal/order', body)).toMatchObject({
        status: 422,
        answer: { code: 'invalid' },
      });
    },
  );
});

describe('a payment by PayPal’s buttons', () => {
  async function begun(outcome?: CaptureOutcome) {
    const order = await place();
    const body = { ...ask, amount: '94.00', orderReference: order.number };
    const { id } = (await call('POST', '/paypal/order', body)).answer;
    if (outcome) await approve(paypal, id, { outcome, deliveries: 'never' });
    return { order, id };
  }

  it('is paid by the capture, which bears repetition', async () => {
    const { order, id } = await begun('completed');
    const captured = await call('POST', `/paypal/order/${id}/capture`);
    expect(captured).toMatchObject({ status: 200, answer: { status: 'COMPLETED', id } });
    expect(await call('POST', `/paypal/order/${id}/capture`)).toEqual(captured);
    await expectPaidOnce(order);
  });

  it.each([
    ['pending', 'PENDING'],
    ['declined', 'DECLINED'],
    ['refused', 'DECLINED'],
    ['wrong_amount', 'PAYER_ACTION_REQUIRED'],
    [undefined, 'PAYER_ACTION_REQUIRED'],
  ] as const)('is not paid where the capture is %s', async (outcome, status) => {
    const { order, id } = await begun(outcome);
    const { answer } = await call('POST', `/paypal/order/${id}/capture`);
    expect(answer.status).toBe(status);
    expect(answer.message).not.toBe('');
    await expectUnpaid(order);
  });

  it('can be read without capturing', async () => {
    const { order, id } = await begun('completed');
    const { answer } = await call('GET', `/paypal/order/${id}`);
    expect(answer).toMatchObject({ id, status: 'PAYER_ACTION_REQUIRED' });
    expect(needed(await wholeOrder(paypal.db, id)).captures).toEqual([]);
    await expectUnpaid(order);
  });

  it('is neither shown nor captured for another browser that knows PayPal’s id', async () => {
    const { order, id } = await begun('completed');
    for (const { cookie } of [{ cookie: '' }, newBrowser(platform)]) {
      expect((await call('GET', `/paypal/order/${id}`, undefined, cookie)).status).toBe(404);
      expect((await call('POST', `/paypal/order/${id}/capture`, {}, cookie)).status).toBe(404);
    }
    expect(needed(await wholeOrder(paypal.db, id)).captures).toEqual([]);
    await expectUnpaid(order);
  });

  it.each([
    ['GET', '/paypal/order/0UNKNOWN'],
    ['POST', '/paypal/order/0UNKNOWN/capture'],
    ['GET', '/paypal/order/..%2F..%2Fx'],
  ])('%s %s is not found', async (method, path) => {
    expect((await call(method, path)).status).toBe(404);
  });
});

describe('what PayPal’s script needs', () => {
  it.each(['', '?sdk=fields'])('/paypal/setup%s gives a token', async (query) => {
    const { status, answer } = await call('GET', `/paypal/setup${query}`);
    expect(status).toBe(200);
    expect(answer.clientToken).toMatch(/^browser\./);
  });

  it('/api/check-live-paypal tells test from live', async () => {
    expect((await call('GET', '/api/check-live-paypal')).answer).toEqual({
      isLive: false,
      clientId: 'LALE-TEST',
    });
    const without = api(platform, { ...payments, paypalScript: null });
    const answer = await without.request('/api/check-live-paypal');
    expect(await answer.json()).toEqual({ isLive: false, clientId: null });
  });
});
