import { describe, expect, it } from 'vitest';
import { newBrowser } from '../../../test/browser.ts';

import { makeTestApp } from '../../../test/pages.ts';
import { startTestService } from '../../../test/service.ts';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import { makePayments } from './payments.server.ts';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const { platform: gatewayFirst } = await startTestService();
const stripeFirst = {
  ...gatewayFirst,
  config: { ...gatewayFirst.config, cardPartner: 'stripe' as const },
};
const namesOf = (platform: typeof gatewayFirst) =>
  makePayments(platform).providers.map(({ name }) => name);

describe('the partner that takes cards', () => {
  it('is offered first, PayPal next, and last the other one that could', () => {
    expect(namesOf(gatewayFirst)).toEqual(['card', 'paypal', 'stripe']);
    expect(namesOf(stripeFirst)).toEqual(['stripe', 'paypal', 'card']);
  });

  it('gets what the Pay button starts', async () => {
    const payer = newBrowser(stripeFirst);
    const { order } = await makeApplication(stripeFirst, {
      paid: false,
      sessionHash: payer.sessionHash,
    });
    const app = makeTestApp(stripeFirst, makePayments(stripeFirst));
    const answer = await app.request('/pay', {
      method: 'POST',
      headers: { origin: 'http://localhost', cookie: payer.cookie },
      body: new URLSearchParams({ order: order.number }),
    });
    const page = await app.request(needed(answer.headers.get('location')), {
      headers: { cookie: payer.cookie },
    });
    expect(await page.text()).toMatch(/href="[^"]*\/lab\/stripe\/pay\?session=cs_test_/);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(await attemptsFor(stripeFirst.db, order.number)).toMatchObject([
      { provider: 'stripe', state: 'redirected' },
    ]);
  });
});
