import { describe, expect, it } from 'vitest';
import { attemptsByReference, storeReturn } from '~/features/payment/settlement/store.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { startTestService } from '../../../test/service.ts';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const { platform, payments } = await startTestService();
const app = makeTestApp(platform, payments);
const payer = newBrowser(platform);

/** A browser without scripts on the way to a provider; it keeps the cookies that it is given. */
async function onTheWay(provider: string) {
  const { order } = await makeApplication(platform, {
    paid: false,
    sessionHash: payer.sessionHash,
  });
  const [name = '', value = ''] = payer.cookie.split('=');
  const cookies = new Map([[name, value]]);
  const visit = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await app.request(path, {
      ...init,
      headers: { cookie, origin: 'http://localhost', accept: 'text/html' },
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const html = (await response.text()).split('<script id="page-data"')[0] ?? '';
    return { html, location: response.headers.get('location') ?? '' };
  };
  const press = async () => {
    platform.clock.advance(1000);
    const body = new URLSearchParams({ order: order.number, provider });
    return (await visit('/pay', { method: 'POST', body })).location;
  };
  const attempt = async () => needed((await attemptsByReference(platform.db, order.number)).at(-1));
  return { order, visit, press, attempt };
}

describe.each(['card', 'paypal'])('the page that leads to the provider %s', (provider) => {
  it('sends on once; who comes back is asked what to do, by a reload as well', async () => {
    const { visit, press } = await onTheWay(provider);
    const address = await press();
    const first = await visit(address);
    expect(first.html).toContain('Taking you to the payment page');
    if (provider === 'paypal') expect(first.html).toMatch(/http-equiv="refresh"/i);
    for (let time = 0; time < 2; time += 1) {
      const { html } = await visit(address);
      expect(html).toContain('You came back from the payment page');
      expect(html).not.toMatch(/http-equiv="refresh"/i);
      for (const words of ['Continue to payment', 'Change your answers', 'Cancel this payment']) {
        expect(html).toContain(words);
      }
    }
    // Whoever presses Pay again wants to be sent on.
    expect((await visit(await press())).html).toContain('Taking you to the payment page');
  });

  it('cancels the payment, after which the order is paid anew', async () => {
    const { visit, press, attempt } = await onTheWay(provider);
    const address = await press();
    await visit(address);
    const body = new URLSearchParams({ intent: 'cancel' });
    const { location } = await visit(address, { method: 'POST', body });
    expect((await attempt()).state).toBe('cancelled');
    expect((await visit(location)).html).toContain('Payment Cancelled');
    // Its page leads nowhere any more.
    expect((await visit(address)).location).toBe(location);
    expect(await press()).toContain('/gpay-checkout');
  });

  it('leads to nobody’s page while a payment is being confirmed', async () => {
    const { visit, press, attempt } = await onTheWay(provider);
    const address = await press();
    await storeReturn(platform.db, (await attempt()).id, platform.now());
    const { location } = await visit(address);
    expect((await visit(location)).html).toContain('We’re confirming your payment');
  });
});

it('without payment data goes to the home page once, and not again with who came back', async () => {
  const { visit } = await onTheWay('card');
  expect((await visit('/gpay-checkout')).html).toMatch(/http-equiv="refresh"/i);
  const { html } = await visit('/gpay-checkout');
  expect(html).toContain('Payment data missing or invalid');
  expect(html).not.toMatch(/http-equiv="refresh"/i);
});
