import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { describe, expect, test } from 'vitest';
import { api } from '../src/app/api.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { makePayments } from '../src/app/composition/payments.server.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';
import routes from '../src/routes.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const platform = await makeTestPlatform();
const payments = makePayments(platform);
const app = makeTestApp(platform, payments);
const { cookie } = await storeStaff(platform, { role: 'administrator' });

/** The addresses of pages that take a form. */
function formsOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path, file, children }) => {
    const address = path === undefined ? above : `${above}/${path}`;
    const source = join(projectRoot, 'src', file);
    const takesForms =
      existsSync(source) &&
      /export (async function|const|\{[^}]*) ?action\b/.test(readFileSync(source, 'utf8'));
    return [...(takesForms ? [address] : []), ...formsOf(children ?? [], address)];
  });
}

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'];
const forms = [...new Set(formsOf(routes))];
const calls = api(platform, payments)
  .routes.filter(({ path }) => !path.includes('*'))
  .flatMap(({ method, path }) =>
    (method === 'ALL' ? CHANGES : [method]).map((one) => ({ method: one, path })),
  )
  .filter(({ method }) => CHANGES.includes(method));
const ways = [
  ...forms.flatMap((path) => [
    { method: 'POST', path },
    { method: 'POST', path: `${path}.data` },
    { method: 'POST', path: `/tr${path}` },
  ]),
  ...calls,
].map(({ method, path }) => `${method} ${path.replaceAll(/:\w+(\{[^}]*\})?/g, 'x')}`);

/**
 * A provider's signed message comes from its own page or server, with any origin; the signature counts. The simulated
 * provider is an outside service of its own.
 */
const signed = /^\w+ \/(api\/payment\/(return|notification)|lab\/gateway)\//;

const send = (way: string, headers: Record<string, string>) => {
  const [method = '', path = ''] = way.split(' ');
  return app.request(path, { method, headers: { cookie, ...headers }, body: 'a=b' });
};

test('the forms and calls are found', () => {
  expect(forms).toContain('/admin/accounts');
  expect(forms).toContain('/insurance');
  expect(ways).toContain('POST /api/applications');
  expect(ways).toContain('POST /csp-reports');
  expect(ways).toContain('PATCH /api/admin/applications/x/status');
  expect(ways.length).toBeGreaterThan(80);
});

describe.each([
  ['another site', { origin: 'https://evil.example' }],
  ['a neighbour under the same domain', { origin: 'https://blog.127.0.0.1.example' }],
  ['a page without an address', { origin: 'null' }],
  ['a browser that says so itself', { 'sec-fetch-site': 'cross-site' }],
])('a change sent by %s', (_, headers) => {
  test('is refused wherever it goes, before anything reads it', async () => {
    const met = await Promise.all(
      [...new Set(ways)]
        .filter((way) => !signed.test(way))
        .map(async (way) => {
          const { status } = await send(way, headers);
          return status === 403 ? [] : [`${way}: ${status}`];
        }),
    );
    expect(met.flat()).toEqual([]);
  });
});

test('a partner’s word is not refused for where it comes from, and counts for nothing unsigned', async () => {
  for (const way of [...new Set(ways)].filter((one) => signed.test(one))) {
    const { status } = await send(way, { origin: 'https://evil.example' });
    expect(status, way).not.toBe(403);
    expect(status, way).not.toBe(200);
  }
});
