import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { diagnose } from '~/lab/diagnose.server.ts';
import { labPages, paypalScreenByPath } from '~/lab/paypal-page/variants.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { startTestService } from '../../../test/service.ts';
import { needed } from '../../../test/needed.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeApplication } from '../../../test/make.ts';
import { makePayments } from './payments.server.ts';

describe('lab', async () => {
  const service = await startTestService();
  const { platform, payments } = service;
  const app = makeTestApp(platform, payments);
  const live = makeTestApp({ ...platform, config: { ...platform.config, mode: 'live' } }, payments);
  const paths = labPages.map(({ path }) => path);

  const get = async (path: string, { on = app, cookie = '' } = {}) => {
    const response = await on.request(path, { headers: { cookie } });
    const text = await response.text();
    return { response, html: text.split('<script id="page-data"')[0] ?? '' };
  };

  const reviewer = await storeStaff(platform, { role: 'reviewer' });
  const manager = await storeStaff(platform, { role: 'manager' });
  const passwordOnly = await storeStaff(platform, { role: 'administrator' });
  const administrator = await storeStaff(platform, { role: 'administrator' });
  await platform.pool.query(`update staff_account set totp_secret = 'sealed' where id = $1`, [
    administrator.id,
  ]);

  describe.each(paths)('%s', (path) => {
    it('answers in test mode, is marked as a test page and kept out of search engines', async () => {
      const { response, html } = await get(path);
      expect(response.status).toBe(200);
      expect(html).toContain('Test page');
      expect(html).toContain('<meta content="noindex" name="robots"/>');
      expect(html.match(/<h1/g)).toHaveLength(1);
      // PayPal's hosts are allowed on pages with its script alone.
      const screen = paypalScreenByPath(path);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).not.toBe('');
      expect(policy.includes('paypal.com')).toBe(screen !== null && screen.shows !== 'redirect');
    });

    it('does not exist in live mode but for an administrator with a second factor', async () => {
      for (const cookie of ['', reviewer.cookie, manager.cookie, passwordOnly.cookie]) {
        const { response, html } = await get(path, { on: live, cookie });
        expect(response.status).toBe(404);
        expect(html).not.toContain('Test page');
        expect(
          (await live.request(path, { headers: { cookie, accept: 'application/json' } })).status,
        ).toBe(404);
        expect((await live.request(path, { method: 'POST', headers: { cookie } })).status).toBe(
          404,
        );
      }
      const { response, html } = await get(path, { on: live, cookie: administrator.cookie });
      expect(response.status).toBe(200);
      expect(html).toContain('Test page');
    });
  });

  describe('the lab', () => {
    it('has every route of the specification, each of them once', () => {
      const specified =
        '/payment-mock /debug-payment /payment-troubleshoot /direct-card /mobile-test /paypal-test /paypal-hosted ' +
        '/paypal-simple /paypal-modern /paypal-fixed /paypal-clean /paypal-react /paypal-live /paypal-card ' +
        '/paypal-direct /paypal-card-direct /paypal-simple-card /mobile-paypal-test /paypal-direct-card /live-paypal-card';
      expect([...paths].sort()).toEqual(specified.split(' ').sort());
    });

    it('leads from each page to all others', async () => {
      const { html } = await get('/payment-troubleshoot');
      for (const path of paths) expect(html).toContain(`href="${path}"`);
    });

    it('speaks the language that is asked for', async () => {
      expect((await get('/tr/direct-card')).html).toContain('lang="tr"');
      expect((await get('/ar/mobile-test')).html).toContain('dir="rtl"');
    });
  });

  describe('/payment-mock', () => {
    const press = (intent: string, query = '') =>
      app.request(`/payment-mock${query}`, {
        method: 'POST',
        body: new URLSearchParams({ intent, scripts: 'no' }),
      });

    /** Where the simulated gateway's answer leads. */
    const follow = async (response: Response) => {
      const back = await fetch(needed(response.headers.get('location')), { redirect: 'manual' });
      return back.headers.get('location') ?? '';
    };

    it('pays a test order at the simulated gateway, by its signed word', async () => {
      const next = await follow(await press('success'));
      expect(next).toContain('/payment-success?');
      const page = await app.request(next);
      expect(page.status).toBe(200);
    });

    it('cancels one', async () => {
      expect(await follow(await press('cancel'))).toContain('/payment-cancel?');
    });

    it('believes no amount of the query, and no order that is not there', async () => {
      const fixed = await get('/payment-mock?amount=1.00&customer=Ada&email=ada%40example.org');
      expect(fixed.html).toContain('114.00 USD');
      expect(fixed.html).not.toContain('1.00 USD<');
      expect(fixed.html).toContain('Ada');
      expect(fixed.html).toContain('ada@example.org');
      const mistyped = await get('/payment-mock?email=ada%40example..org');
      expect(mistyped.html).not.toContain('ada@example..org<');
      const unknown = await get('/payment-mock?ref=TRV0000000000000');
      expect(unknown.html).toContain('no unpaid order');
      // No button that cannot work, and a link that does.
      expect(unknown.html).not.toMatch(/name="intent"|disabled=""|114\.00/);
      expect(unknown.html).toContain('href="/payment-mock"');
      expect(unknown.html).toContain('Pay a new test order');
      expect((await press('success', '?ref=TRV0000000000000')).status).toBe(422);
    });
  });

  describe('/payment-troubleshoot', () => {
    const check = (query = '') =>
      app.request(`/payment-troubleshoot${query}`, { method: 'POST', body: new URLSearchParams() });

    it('asks the configured gateway', async () => {
      const html = await (await check()).text();
      expect(html).toContain('GPay API is responding normally');
      await service.goAway();
      const down = await (await check()).text();
      await service.comeBack();
      expect(down).toContain('GPay API is currently experiencing issues');
    });

    it('says Unknown before anybody asked', async () => {
      expect((await get('/payment-troubleshoot')).html).toContain('Unknown');
    });

    it('finds issues where a gateway answers 5xx or not in time, and asks by OPTIONS', async () => {
      const asked: string[] = [];
      const gateway = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        if (request.url?.startsWith('/broken')) response.writeHead(503).end();
        if (request.url?.startsWith('/refusing')) response.writeHead(405).end();
      });
      afterAll(() => gateway.closeAllConnections());
      await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
      const address = gateway.address();
      const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      expect(await diagnose(`${origin}/broken`)).toBe('error');
      expect(await diagnose(`${origin}/refusing`)).toBe('working');
      expect(await diagnose(`${origin}/silent`, 50)).toBe('error');
      expect(asked[0]).toBe('OPTIONS /broken/v1/checkout');
      gateway.close();
    });
  });
});

describe('card partner', async () => {
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
      expect(await attemptsByReference(stripeFirst.db, order.number)).toMatchObject([
        { provider: 'stripe', state: 'redirected' },
      ]);
    });
  });
});
