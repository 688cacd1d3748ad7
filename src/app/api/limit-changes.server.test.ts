import { beforeAll, expect, test } from 'vitest';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { makePayments } from '../composition/payments.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { callsOf, fillAddress, pageAddresses } from '../../../test/routes-and-calls.ts';
import { seeders } from '../composition/seeders.server.ts';

const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform);
const send = (address: string, path: string, accept = 'application/json') =>
  app.request(path, { method: 'POST', headers: { 'x-forwarded-for': address, accept } });

/** Changes that have limits of their own, or are verified, or stand for outside services; each with why. */
const uncounted = {
  '/admin': 'the desk: limits by person and address',
  '/api/admin': 'the desk',
  '/api/payment/notification': 'verified; a partner is never turned away',
  '/api/payment/return': 'signed by a partner',
  '/csp-reports': '30 a minute',
  '/lab/': 'simulated partners',
};
const isUncounted = (path: string) =>
  Object.keys(uncounted).some((start) => path.startsWith(start));
const posts = [
  ...pageAddresses(),
  ...callsOf(platform, makePayments(platform))
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => path),
];
const counted = [...new Set(posts)].filter((path) => !isUncounted(path));
const full = '192.0.2.1';

beforeAll(async () => {
  await seedAll(platform.db, seeders, platform.now());
  const changes = { name: 'api_changes', points: 600, seconds: 300 };
  await makeLimiter(platform.pool, changes).consume(full, 600);
  await makeLimiter(platform.pool, { ...changes, name: 'autosaves', points: 6000 }).consume(
    full,
    6000,
  );
});

test.each(counted)('POST %s is limited by address', async (path) => {
  const address = fillAddress(path, {});
  const { status, headers } = await send(full, address);
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(full, `/tr${address === '/' ? '' : address}`)).status).toBe(429);
  expect((await send('192.0.2.2', address)).status).not.toBe(429);
});

test('a visitor gets a page, and nothing is begun above the limit', async () => {
  const response = await send(full, '/application', 'text/html');
  expect(response.status).toBe(429);
  expect(response.headers.get('content-type')).toContain('text/html');
  const { rows } = await platform.pool.query('select 1 from draft');
  const before = rows.length;
  await send(full, '/application');
  expect((await platform.pool.query('select 1 from draft')).rowCount).toBe(before);
});

test('partners are never turned away', async () => {
  for (let count = 0; count < 3; count += 1) {
    expect((await send(full, '/api/payment/notification/card')).status).not.toBe(429);
    expect((await send(full, '/api/payment/return/card')).status).not.toBe(429);
  }
});
