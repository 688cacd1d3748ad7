import { describe, expect, it } from 'vitest';
import { ok, refused } from '~/base/outcome.ts';
import { noteStart } from '~/features/payment/providers/outage.server.ts';
import type { Provider } from '~/features/payment/provider.ts';
import { settle } from '~/features/payment/settlement/settle.server.ts';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import { quietProvider } from '~/features/payment/testing/quiet-provider.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { orderByNumber } from './store.server.ts';
import { markPaid } from './pay.server.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const payer = newBrowser(platform);
/** Whether each provider's double answers. */
const answers = { card: true, paypal: true };

const partner = (name: 'card' | 'paypal'): Provider =>
  quietProvider({
    name,
    begin: async ({ id }) =>
      answers[name]
        ? ok({
            providerReference: `${name}-${id}`,
            checkoutRedirect: { kind: 'link', url: `https://${name}.example/checkout?id=${id}` },
          })
        : refused({ code: 'no_answer', message: 'Payment page is not available' }),
  });

const onPaid = async (...[tx, paid]: Parameters<typeof markPaid>) =>
  void (await markPaid(tx, paid));
const app = makeTestApp(platform, {
  providers: [partner('card'), partner('paypal')],
  onPaid,
  onRefunded: async () => undefined,
});

async function order() {
  answers.card = true;
  answers.paypal = true;
  // Ends outages that other tests have caused.
  await noteStart(platform, 'card');
  await noteStart(platform, 'paypal');
  return (await makeApplication(platform, { paid: false, sessionHash: payer.sessionHash })).order;
}

async function press(number: string, provider?: string): Promise<string> {
  // The last start decides what is offered, so no two may have the same time.
  platform.clock.advance(1000);
  const answer = await app.request('/pay', {
    method: 'POST',
    headers: { origin: 'http://localhost', cookie: payer.cookie },
    body: new URLSearchParams({ order: number, ...(provider ? { provider } : {}) }),
  });
  return answer.headers.get('location') ?? String(answer.status);
}

const ask = (path: string) => app.request(path, { headers: { cookie: payer.cookie } });

const read = async (path: string): Promise<string> =>
  ((await (await ask(path)).text()).split('<script id="page-data"')[0] ?? '').replaceAll(
    '<!-- -->',
    '',
  );

const paypalButton = /name="provider" value="paypal"/;

const attemptAt = async (number: string, provider: string) => {
  const found = (await attemptsFor(platform.db, number)).findLast(
    (one) => one.provider === provider,
  );
  if (!found) throw new Error(`No attempt at ${provider}`);
  return found;
};

const settleAt = async (
  number: string,
  provider: 'card' | 'paypal',
  event: 'capture' | 'decline' | 'cancel',
) => {
  const { id, amountMinor } = await attemptAt(number, provider);
  await settle(
    platform,
    provider,
    {
      eventId: `${event}-${id}`,
      attemptId: id,
      event,
      amount: { minor: amountMinor, currency: 'USD' },
      providerReference: null,
      captureId: event === 'capture' ? `capture-${id}` : null,
      reason: event === 'decline' ? 'card_declined' : null,
      payload: {},
    },
    onPaid,
  );
  return id;
};

describe('when the card page cannot be opened', () => {
  it('the screen with the retries offers PayPal, also after the last of them', async () => {
    const { number } = await order();
    answers.card = false;
    const address = await press(number);
    expect(address).toBe(`/payment-cancel?order=${number}`);
    expect(await read(address)).toMatch(paypalButton);
    for (let retry = 0; retry < 3; retry++) await press(number);
    const html = await read(address);
    expect(html).toContain('Retry attempts: 3 of 3');
    expect(html.match(/<button[^>]* disabled=""/g)).toHaveLength(2);
    expect(html).toMatch(/Pay with PayPal instead/);
    expect(await press(number, 'paypal')).toMatch(/^\/gpay-checkout\?data=/);
  });

  it('PayPal opens by a page of ours, whose policy lets no form leave', async () => {
    const { number } = await order();
    const address = await press(number, 'paypal');
    const answer = await ask(address);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/form-action 'self'(;|$)/);
    const { id } = await attemptAt(number, 'paypal');
    const html = await answer.text();
    expect(html).toContain(`href="https://paypal.example/checkout?id=${id}"`);
    expect(html).toContain(`1;url=https://paypal.example/checkout?id=${id}`);
  });

  it('a PayPal that cannot be opened either takes no retry of the card away', async () => {
    const { number } = await order();
    answers.card = false;
    answers.paypal = false;
    await press(number);
    for (let count = 0; count < 3; count++) await press(number, 'paypal');
    const html = await read(`/payment-cancel?order=${number}`);
    expect(html).toContain('The payment page did not open');
    expect(html).toContain('Pay by card instead');
    expect((await orderByNumber(platform.db, number))?.failedStarts).toBe(1);
    answers.card = true;
    expect(await press(number)).toMatch(/^\/gpay-checkout/);
  });

  it('an unknown provider is the first one', async () => {
    const { number } = await order();
    await press(number, 'https://elsewhere.example');
    expect((await attemptsFor(platform.db, number)).map(({ provider }) => provider)).toEqual([
      'card',
    ]);
  });
});

describe('two providers for one order', () => {
  it('a declined card can be followed by PayPal, and by the card again', async () => {
    const { number } = await order();
    await press(number);
    const id = await settleAt(number, 'card', 'decline');
    const html = await read(`/payment-cancel?order=${number}&payment=${id}`);
    expect(html).toContain('Payment Declined');
    expect(html).toMatch(/name="provider" value="card"/);
    expect(html).toMatch(paypalButton);
    expect(await press(number, 'paypal')).toMatch(/^\/gpay-checkout/);
    await settleAt(number, 'paypal', 'capture');
    expect((await orderByNumber(platform.db, number))?.paidAt).not.toBeNull();
  });

  it('cancelled at PayPal, Try Again is PayPal again, and the card is the other way', async () => {
    const { number } = await order();
    await press(number, 'paypal');
    const id = await settleAt(number, 'paypal', 'cancel');
    const html = await read(`/payment-cancel?order=${number}&payment=${id}`);
    expect(html).toContain('Payment Cancelled');
    expect(html).toMatch(/name="provider" value="paypal"[^]*?Try Again/);
    expect(html).toMatch(/name="provider" value="card"[^]*?Pay by card instead/);
  });

  it('both open and both captured: the second is given back and its window says so', async () => {
    const { number } = await order();
    const first = await press(number);
    await press(number, 'paypal');
    await settleAt(number, 'paypal', 'capture');
    const over = (await ask(first)).headers.get('location') ?? '';
    expect(await read(over)).toContain('Paid in another window');
    await settleAt(number, 'card', 'capture');
    expect((await attemptAt(number, 'card')).state).toBe('captured_late');
    expect(await read(over)).toContain('You paid twice');
  });
});
