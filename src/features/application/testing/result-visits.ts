import { expect } from 'vitest';
import type { Order } from '~/features/order/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

/** A service with its result pages, and the actions of payers. Call it at the top of a test file. */
export async function resultVisits() {
  const service = await startTestService();
  const { platform, payments } = service;
  const app = makeTestApp(platform, payments);
  const { payer, place, start, pay, cancel, comeBack, stateOf, expectUnpaid, expectPaidOnce } =
    purchases(service);
  const HOUR = 3600_000;

  /** The visible page, without the data for its scripts. */
  async function page(path: string, cookie = '') {
    const response = await app.request(path, { headers: { cookie: `${payer.cookie}; ${cookie}` } });
    const html = (await response.text()).split('<script id="page-data"')[0] ?? '';
    return {
      status: response.status,
      location: response.headers.get('location'),
      caching: response.headers.get('cache-control'),
      h1: /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1],
      html: html.replaceAll('<!-- -->', ''),
      // Without links, whose addresses repeat the query in other languages.
      text: html.replaceAll(/<[^>]*>/g, ''),
    };
  }

  /** A second attempt, as another window may begin one once the first is half an hour old. */
  async function secondWindow(order: Order): Promise<string> {
    platform.clock.advance(31 * 60_000);
    return start(order);
  }

  async function checkoutRedirectOf(order: Order): Promise<string> {
    const answer = await app.request('/pay', {
      method: 'POST',
      headers: { origin: 'http://localhost', cookie: payer.cookie },
      body: new URLSearchParams({ order: order.number }),
    });
    expect(answer.status).toBe(302);
    return answer.headers.get('location') ?? '';
  }
  return {
    HOUR,
    app,
    cancel,
    comeBack,
    expectPaidOnce,
    expectUnpaid,
    checkoutRedirectOf,
    page,
    pay,
    payer,
    place,
    platform,
    secondWindow,
    service,
    start,
    stateOf,
  };
}

/** A service whose visitors each have an address of their own, so that tests do not share rate limits. */
export async function unlimitedVisits() {
  const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
  const app = makeTestApp(platform);
  let visitor = 0;
  const request = (path: string, { headers, ...init }: RequestInit = {}) => {
    const all = new Headers(headers);
    all.set('x-forwarded-for', `192.0.2.${visitor++}`);
    return app.request(path, { ...init, headers: all });
  };

  async function page(path: string, init?: RequestInit) {
    const response = await request(path, init);
    const html = await response.text();
    // The visible page, without the data for its scripts.
    return {
      response,
      html: html.split('<script id="page-data"')[0]?.replaceAll('<!-- -->', '') ?? '',
    };
  }
  return { page, platform, request };
}
