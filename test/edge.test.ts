import { describe, expect, test } from 'vitest';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { setSecurityHeaders } from '../src/platform/http/security.server.ts';
import { makeLimiter } from '../src/platform/http/rate-limit.server.ts';
import { makeLog } from '../src/platform/log/log.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
await seedAll(platform.db, seeders, platform.now());
const lines: string[] = [];
const log = makeLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
const app = makeTestApp({ ...platform, log });
/** Limits count by address, so each test has its own. */
const postFrom = (address: string) => (path: string, body: unknown) =>
  app.request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
  });

test('photos through the call are counted as photos of the form are', async () => {
  const post = postFrom('192.0.2.1');
  const body = { parentIdPhotos: Array.from({ length: 4 }, () => ({ name: 'a', data: 'x' })) };
  const statuses: number[] = [];
  for (let call = 0; call < 16; call += 1) {
    statuses.push((await post('/api/insurance/applications', body)).status);
  }
  expect(new Set(statuses.slice(0, 15))).toEqual(new Set([422]));
  const refused = await post('/api/insurance/applications', body);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('600');
  expect(await refused.json()).toMatchObject({ code: 'too_many_photos' });
  expect((await post('/api/insurance/applications', {})).status).toBe(422);
});

test('seeding is limited as every call that changes something', async () => {
  const address = '192.0.2.2';
  const post = postFrom(address);
  expect((await post('/api/seed', {})).status).toBe(200);
  const limiter = makeLimiter(platform.pool, { name: 'api_changes', points: 600, seconds: 300 });
  await limiter.consume(address, 600);
  expect((await post('/api/seed', {})).status).toBe(429);
});

describe('headers', () => {
  test('answers are for our own pages', async () => {
    for (const path of ['/en', '/status', '/api/countries', '/nothing']) {
      const { headers } = await app.request(path);
      expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
    }
  });

  const everywhere = ['/en', '/status', '/admin', '/api/countries', '/nothing', '/api/nothing'];

  test('every answer forbids guessing its type, framing and reading by another site', async () => {
    for (const path of everywhere) {
      const { headers } = await app.request(path, { headers: { origin: 'https://other.example' } });
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('same-origin');
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
      expect(headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });

  test('every text names its charset', async () => {
    for (const path of [...everywhere, '/admin.data', '/robots.txt', '/sitemap.xml']) {
      const type = (await app.request(path)).headers.get('content-type') ?? '';
      if (/^text\/|xml/.test(type)) expect(type, path).toMatch(/charset=utf-8/i);
      else expect(type, path).toMatch(/^application\/(problem\+)?json/);
    }
  });

  test('by TLS every answer asks for TLS for two years, subdomains included', () => {
    for (const isByTls of [true, false]) {
      const headers = new Headers();
      setSecurityHeaders(headers, isByTls);
      expect(headers.get('strict-transport-security')).toBe(
        isByTls ? 'max-age=63072000; includeSubDomains' : null,
      );
    }
  });

  test('no folder is listed, and nothing of the source or its history is served', async () => {
    for (const path of ['/assets', '/.git/config', '/.env', '/package.json', '/src/server.ts']) {
      expect((await app.request(path)).status, path).toBe(404);
    }
  });

  test('an address that a visitor claims counts only behind a proxy', async () => {
    const plain = makeTestApp(await makeTestPlatform());
    const statuses = new Set<number>();
    for (let call = 0; call < 70; call += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${call}` };
      statuses.add((await plain.request('/api/applications/TRV000000000000', { headers })).status);
    }
    expect(statuses).toContain(429);
  });

  test('a password is hidden while it is typed, and a password manager may fill it in', async () => {
    const html = await (await app.request('/admin')).text();
    expect(html).toMatch(/<input[^>]*type="password"[^>]*autocomplete="current-password"/i);
  });

  test('signing out empties the browser’s cache', async () => {
    const { cookie } = await storeStaff(platform, { role: 'reviewer' });
    const { status, headers } = await app.request('/admin/sign-out', {
      method: 'POST',
      headers: { cookie },
    });
    expect(status).toBe(302);
    expect(headers.get('clear-site-data')).toBe('"cache"');
  });
});

test.each([
  ['POST', '/en/faq', 405],
  ['DELETE', '/status', 415],
  ['GET', '/nothing', 404],
])('%s %s is no error of ours in the log', async (method, path, status) => {
  lines.length = 0;
  expect((await app.request(path, { method })).status).toBe(status);
  expect(lines.filter((line) => line.includes('"error"'))).toEqual([]);
});
