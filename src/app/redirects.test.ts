import type { RouteConfigEntry } from '@react-router/dev/routes';
import { describe, expect, it } from 'vitest';
import { declinedCard, purchases } from '../../test/purchases.ts';
import { makeTestApp } from '../../test/pages.ts';
import { startTestService } from '../../test/service.ts';
import routes from '~/routes.ts';

const service = await startTestService();
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { place, start, pay, comeBack } = purchases(service);

/** Every page's path, with something in place of its parameters. */
function paths(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path, children }) => {
    const here = path === undefined ? above : `${above}/${path.replace(/:\w+|\*/g, 'x')}`;
    return [...(children ? [] : [here === '' ? '/' : here]), ...paths(children ?? [], here)];
  });
}
const pages = [...new Set(paths(routes))];

/** Names that parameters of ours, or of a gateway, have had. */
const names =
  'return cancel next ref data redirect order orderReference orderId payment transaction status reason customer test country url to ' +
  'returnUrl return_to continue callbackUrl cancelUrl errorUrl merchant amount email token state payload provider message done PayerID';
const named = (address: string) =>
  new URLSearchParams(names.split(' ').map((name) => [name, address]));

const foreign = [
  'https://elsewhere.example/x',
  '//elsewhere.example/x',
  '///elsewhere.example',
  '\\\\elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  'https:elsewhere.example',
  'javascript:alert(1)//elsewhere.example',
  'data:text/html,elsewhere.example',
  '%2f%2felsewhere.example',
  'https%3A%2F%2Felsewhere.example',
  'https://127.0.0.1@elsewhere.example',
];

const ours = platform.config.publicUrl;

/** The address that a browser on one of our pages would open. */
function leadsTo(location: string, from: string): URL {
  return new URL(location, new URL(from, ours));
}

const isOurs = (address: URL): boolean =>
  address.origin === ours || address.origin === 'http://localhost';

async function ask(
  path: string,
): Promise<{ status: number; location: string | null; html: string }> {
  const response = await app.request(path, { headers: { accept: 'text/html' } });
  const html = response.headers.get('content-type')?.startsWith('text/html')
    ? await response.text()
    : '';
  return { status: response.status, location: response.headers.get('location'), html };
}

/** Addresses that a page sends browsers to, by a link, a form, a frame or by itself. */
const targets = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|action|formaction|src)="([^"]*)"|;\s*url=([^"]*)"/gi)].map(
    ([, link, refresh]) => (link ?? refresh ?? '').replaceAll('&amp;', '&'),
  );

const isForeign = (target: string, from: string): boolean => {
  if (/^(javascript|data|vbscript):/i.test(target.trim())) return true;
  return URL.canParse(target, new URL(from, ours).href)
    ? leadsTo(target, from).hostname.endsWith('elsewhere.example')
    : false;
};

describe('nobody is led to another site', () => {
  it('knows the pages', () => {
    expect(pages).toContain('/payment-success');
    expect(pages).toContain('/gpay-checkout');
    expect(pages.length).toBeGreaterThan(35);
  });

  it.each(pages)('by any parameter of %s', async (path) => {
    // Forms of addresses that have passed checks of other sites.
    for (const address of foreign.slice(0, 6)) {
      // All parameters at once: a page reads the ones that it knows.
      const query = named(address);
      const from = `${path}?${query}`;
      const { location, html } = await ask(from);
      if (location !== null) expect(isOurs(leadsTo(location, from)), location).toBe(true);
      expect(targets(html).filter((target) => isForeign(target, from))).toEqual([]);
    }
  });

  it.each([
    '//elsewhere.example/',
    '//elsewhere.example//',
    '///elsewhere.example/',
    '/\\elsewhere.example/',
    '/%2Felsewhere.example/',
    '/%5Celsewhere.example/',
    '/tr//elsewhere.example/',
    '//elsewhere.example',
    '/.//elsewhere.example/',
  ])('by the address %s', async (path) => {
    const response = await app.request(`http://127.0.0.1${path}`);
    const location = response.headers.get('location');
    if (location === null) expect(response.status).toBe(404);
    else expect(new URL(location, ours).hostname).not.toContain('elsewhere');
  });

  it.each(['card', 'paypal', 'x'])('by a return that claims to come from %s', async (provider) => {
    for (const address of foreign) {
      const query = named(address);
      const { location } = await ask(`/api/payment/return/${provider}?${query}`);
      expect(location ?? '/payment-cancel?status=error').toBe('/payment-cancel?status=error');
    }
  });

  it('by a real return with addresses added to it', async () => {
    const order = await place();
    const back = new URL(await pay(await start(order), declinedCard));
    for (const name of ['return', 'next', 'redirect', 'cancel', 'url']) {
      back.searchParams.set(name, 'https://elsewhere.example/');
    }
    const result = await comeBack(back.href);
    expect(result).toMatch(/^\/payment-cancel\?payment=/);
    expect(result).not.toContain('elsewhere');
  });

  it('by what the sign-in form carries', async () => {
    for (const next of foreign) {
      const response = await app.request('/admin', {
        method: 'POST',
        headers: { origin: 'http://localhost' },
        body: new URLSearchParams({ email: '', password: '', next }),
      });
      const location = response.headers.get('location');
      if (location !== null) expect(isOurs(leadsTo(location, '/admin'))).toBe(true);
    }
  });

  it('by a payment: a press leads to our own page, which holds the partner’s address', async () => {
    const order = await place();
    for (const more of foreign) {
      const response = await app.request('/pay', {
        method: 'POST',
        headers: { origin: 'http://localhost' },
        body: new URLSearchParams({
          order: order.number,
          return: more,
          provider: more,
          next: more,
        }),
      });
      expect(response.headers.get('location')).toMatch(/^\/gpay-checkout\?data=[\w.%-]+$/);
    }
  });
});
