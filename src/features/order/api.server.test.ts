import { describe, expect, it } from 'vitest';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { api } from '~/app/api.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import { orderByNumber } from './store.server.ts';
import { needed } from '../../../test/needed.ts';

const service = await startTestService();
const { platform, payments, url } = service;
const { payer, place, start, pay, comeBack } = purchases(service);

async function create(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/payment/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const cookie = response.headers.get('set-cookie');
  return { status: response.status, answer: await response.json(), cookie };
}

describe('POST /api/payment/create', () => {
  it.each(['94.00', '94', 94, 94.0])('takes the order’s amount written %j', async (amount) => {
    const order = await place();
    const { status, answer } = await create({
      amount,
      currency: 'USD',
      orderReference: order.number,
    });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ success: true, orderReference: order.number });
    expect(answer.paymentUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/gpay-checkout\?data=/);
  });

  it('takes the specification’s fields, and the reference under its other name', async () => {
    const order = await place();
    const { answer } = await create({
      amount: '94.00',
      currency: 'USD',
      description: 'E-visa',
      customerEmail: 'sofia@correo.example',
      customerName: 'Sofía',
      billingStreet1: 'Calle 5',
      billingCity: 'Puebla',
      billingCountry: 'MX',
      billingZipCode: '72000',
      billingPhone: '+525512345678',
      orderId: order.number,
    });
    expect(answer.success).toBe(true);
  });

  it.each(['93.99', '94.01', '0', '-94.00', '9.4e1', '94.001', 1e21])(
    'refuses %s for an order of 94.00, and says what is right',
    async (amount) => {
      const order = await place();
      const { status, answer, cookie } = await create({ amount, orderReference: order.number });
      expect(status).toBe(409);
      // The session that the next call pays in.
      expect(cookie).not.toBeNull();
      expect(answer).toMatchObject({ success: false, code: 'wrong_amount', totalAmount: '94.00' });
      expect(answer.error).toMatch(/payment/i);
      expect(await attemptsByReference(platform.db, order.number)).toEqual([]);
    },
  );

  it.each(['sofia@correo', 'a@example..com', 'x@example.com.', 'sofia correo.example'])(
    'refuses %j as an e-mail address, by the rule of every form',
    async (customerEmail) => {
      const { status, answer } = await create({ amount: '114.00', customerEmail });
      expect(status).toBe(422);
      expect(answer).toMatchObject({
        code: 'invalid',
        errors: { customerEmail: 'invalid_email' },
      });
    },
  );

  it('takes an e-mail address as it is written tidily, and nothing for none', async () => {
    for (const customerEmail of [' sofia＠correo.example ', '']) {
      const { number } = await place();
      const asked = { amount: '94.00', orderReference: number, customerEmail };
      expect((await create(asked)).answer).toMatchObject({
        success: true,
      });
    }
  });

  it('without a reference and an unpaid order of its session is refused, in test mode too', async () => {
    const cookies = ['', newBrowser(platform).cookie];
    for (const cookie of cookies) {
      const { status, answer } = await create({ amount: '114.00' }, { cookie });
      expect(status).toBe(422);
      expect(answer).toMatchObject({ success: false, code: 'order_reference_required' });
    }
  });

  it('in a session of the lab without a reference pays a marked lab order of 114.00, the same one until it is paid', async () => {
    const opened = await makeTestApp(platform, payments).request('/paypal-test');
    const lab = needed(
      opened.headers.getSetCookie().find((set) => set.startsWith('lale_session=')),
    );
    const first = await create({ amount: '114.00' }, { cookie: lab.split(';')[0] ?? '' });
    expect(first.answer).toMatchObject({ success: true });
    const placed = await orderByNumber(platform.db, first.answer.orderReference);
    expect(placed).toMatchObject({ lab: true, amountMinor: 114_00 });
    const cookie = needed(first.cookie).split(';')[0] ?? '';
    const second = await create({ amount: 114 }, { cookie });
    expect(second.answer.orderReference).toBe(first.answer.orderReference);
    expect((await create({ amount: '94.00' }, { cookie })).status).toBe(409);
  });

  it('without one needs an unpaid order in live mode', async () => {
    const live = { ...platform, config: { ...platform.config, mode: 'live' as const } };
    const response = await api(live, payments).request('/api/payment/create', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ amount: '114.00' }),
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      success: false,
      code: 'order_reference_required',
    });
  });

  it('without one finds the unpaid order of the browser’s session, and nobody else’s', async () => {
    platform.clock.advance(1000);
    const order = await place();
    const mine = await create({ amount: '94.00' }, { cookie: payer.cookie });
    expect(mine.answer).toMatchObject({ success: true, orderReference: order.number });
    const { cookie } = newBrowser(platform);
    expect((await create({ amount: '94.00' }, { cookie })).status).toBe(422);
  });

  it('refuses what is paid', async () => {
    const order = await place();
    await comeBack(await pay(await start(order)));
    const { status, answer } = await create({ amount: '94.00', orderReference: order.number });
    expect(status).toBe(409);
    expect(answer).toMatchObject({ success: false, code: 'already_paid' });
  });

  it.each([['[]'], ['{}'], [{ amount: '94.00', currency: 'TRY' }], [{ amount: null }]])(
    'refuses %j as not valid',
    async (body) => {
      const { status, answer } = await create(body);
      expect(status).toBe(422);
      expect(answer).toMatchObject({ success: false, code: 'invalid' });
    },
  );

  it('refuses what is no JSON', async () => {
    const { status, answer } = await create('not json');
    expect(status).toBe(400);
    expect(answer).toMatchObject({ success: false, code: 'not_json', error: 'not_json' });
  });

  it('puts nothing personal into the address', async () => {
    const order = await place();
    const { answer } = await create({ amount: '94.00', orderReference: order.number });
    const data = new URL(answer.paymentUrl).searchParams.get('data') ?? '';
    const payload = Buffer.from(data.split('.')[1] ?? '', 'base64url').toString();
    expect(Object.keys(JSON.parse(payload))).toEqual(['attemptId']);
  });
});
