import { expect, test, describe } from 'vitest';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { contentPages } from '~/features/site/listed-pages.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { storeObjects } from './access/objects.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { apiCalls, dataAddress, fillAddress, pageAddresses } from './routes-and-calls.ts';
import { watchWrites } from './access/written-tables.ts';
import { newBrowser } from './browser.ts';

const platform = await makeTestPlatform();
const payments = makePayments(platform);
const app = makeTestApp(platform, payments);
const { cookie } = await storeStaff(platform, { role: 'administrator' });
const { at } = await storeObjects(platform);

/** What browsers or proxies may cache: it is the same for everybody, or contains nothing personal. */
const mayBeCached = {
  pages: [...contentPages, '/application', '/apply'],
  calls: [
    '/api/countries',
    '/api/insurance/products',
    '/api/openapi.json',
    '/api/docs',
    '/.well-known/security.txt',
    '/robots.txt',
    '/sitemap.xml',
    '/speculation-rules.json',
  ],
};

const ask = async (path: string, init: RequestInit = {}) => {
  const headers = { cookie, accept: 'text/html' };
  const response = await app.request(path, { headers, ...init });
  return response.headers.get('cache-control') ?? 'nothing';
};
const isKept = (cacheControl: string) => !/\bno-store\b/.test(cacheControl);

/** Concurrent requests. */
const AT_ONCE = 6;

async function inTurns<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = list.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of waiting) await work(one);
    }),
  );
}

test(
  'no page that may show personal data is kept anywhere, as a page, as data, or as an answer to a form',
  { timeout: 120_000 },
  async () => {
    const kept: string[] = [];
    await inTurns(pageAddresses(), async (pattern) => {
      const page = fillAddress(pattern, at);
      const isOpen = mayBeCached.pages.includes(page);
      for (const path of [page, page === '/' ? '/tr' : `/tr${page}`]) {
        const cacheControl = await ask(path);
        if (isKept(cacheControl) && !isOpen) kept.push(`${path}: ${cacheControl}`);
        if (/public/.test(cacheControl)) expect(contentPages).toContain(page);
      }
      const data = await ask(dataAddress(page));
      if (isKept(data)) kept.push(`${dataAddress(page)}: ${data}`);
      const form = { method: 'POST', body: new URLSearchParams({ a: 'b' }) };
      const answer = await ask(page, form);
      if (isKept(answer)) kept.push(`POST ${page}: ${answer}`);
    });
    expect(kept).toEqual([]);
  },
);

test('no call keeps anything but what is everybody’s', { timeout: 60_000 }, async () => {
  const kept: string[] = [];
  await inTurns(apiCalls(platform, payments), async ({ method, path }) => {
    const init = { method, ...(method !== 'GET' && { body: '{}' }) };
    if (isKept(await ask(fillAddress(path, at), init))) kept.push(`${method} ${path}`);
  });
  expect([...new Set(kept)].toSorted()).toEqual(
    mayBeCached.calls.map((path) => `GET ${path}`).toSorted(),
  );
});

test('the first step is kept only while it knows nothing of anybody', async () => {
  expect(await ask('/application', { headers: {} })).toBe('private, no-cache');
  expect(await ask('/application', { headers: { cookie: 'lale_draft=x' } })).toBe('no-store');
  expect(await ask('/tr/apply', { headers: { cookie: 'lale_draft=x' } })).toBe('no-store');
});

test('choosing a language keeps no personal page', async () => {
  const headers = { 'sec-fetch-site': 'same-origin', cookie: 'lale_draft=x' };
  for (const page of ['/tr/application/details', '/tr/application', '/tr/status?ref=x']) {
    expect(await ask(page, { headers })).toBe('no-store');
  }
});

describe('get requests', async () => {
  const { cookie: staff } = await storeStaff(platform, { role: 'administrator' });
  const { cookie: session } = newBrowser(platform);

  /** Views of personal data and limits are recorded; sample terms are stored when they are first shown. */
  const NOTED = ['audit_entry', 'desk_look', 'rate_limit', 'staff_session', 'insurance_terms'];
  /** What a test page creates, in test mode only: an order and an attempt. */
  const IN_TEST_MODE = ['purchase_order', 'order_line', 'payment_attempt', 'simulated_document'];

  const ways = [
    ...pageAddresses().flatMap((page) => [page, dataAddress(page)]),
    ...apiCalls(platform, payments)
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path),
  ].map((path) => fillAddress(path, at));

  test(
    'opening pages and calls changes nothing, by GET and HEAD',
    { timeout: 240_000 },
    async () => {
      expect(ways.length).toBeGreaterThan(150);
      const faults: string[] = [];
      const written = await watchWrites(platform.pool);
      for (const path of new Set(ways)) {
        for (const method of ['GET', 'HEAD']) {
          await app.request(path, { method, headers: { cookie: `${staff}; ${session}` } });
        }
        const changed = (await written()).filter((table) => !NOTED.includes(table));
        if (changed.some((table) => !IN_TEST_MODE.includes(table)))
          faults.push(`${path}: ${changed.join(', ')}`);
      }
      expect(faults).toEqual([]);
    },
  );
});
