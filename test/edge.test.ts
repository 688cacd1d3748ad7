import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, beforeAll } from 'vitest';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { parse } from 'devalue';
import * as build from 'virtual:react-router/server-build';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { setSecurityHeaders } from '~/platform/http/security.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { api } from '~/app/api.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import routes from '~/routes.ts';
import { serviceMetrics } from '~/app/service-metrics.server.ts';
import { seedVisaPrices } from '~/features/visa/store/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { storeCountries } from '~/features/visa/testing/sample-browser.server.ts';
import { createApp } from '~/app/app.server.ts';
import { makeAdmission, workBounds } from '~/platform/admission/admission.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

describe('edge', async () => {
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
        const { headers } = await app.request(path, {
          headers: { origin: 'https://other.example' },
        });
        expect(headers.get('x-content-type-options'), path).toBe('nosniff');
        expect(headers.get('referrer-policy'), path).toBe('same-origin');
        expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
        expect(headers.get('access-control-allow-origin'), path).toBeNull();
      }
    });

    test('the first step alone of these may show the camera', async () => {
      for (const path of [...everywhere, '/insurance', '/application']) {
        const policy = (await app.request(path)).headers.get('permissions-policy');
        const camera = path === '/application' ? 'camera=(self)' : 'camera=()';
        expect(policy, path).toBe(`${camera}, geolocation=(), microphone=(), payment=()`);
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
        statuses.add(
          (await plain.request('/api/applications/TRV000000000000', { headers })).status,
        );
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
});

describe('foreign origin', async () => {
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
});

const lines: string[] = [];
const log = makeLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });

/** A service of its own, so that limits and counts begin at zero. */
async function start() {
  lines.length = 0;
  const platform = { ...(await makeTestPlatform()), log };
  const app = makeTestApp(platform);
  const counted = serviceMetrics(platform).find(({ name }) => name === 'lale_csp_violations_total');
  return {
    app,
    counts: () => counted?.count(),
    send: (type: string, body: unknown, headers: Record<string, string> = {}) =>
      app.request('/csp-reports', {
        method: 'POST',
        headers: { 'content-type': type, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
const logged = () => lines.map((line) => JSON.parse(line));

const OLD = 'application/csp-report';
const NEW = 'application/reports+json';

/** As Firefox sends it. */
const single = {
  'csp-report': {
    'blocked-uri': 'https://evil.example/track?passport=A01234547',
    'document-uri': 'https://lale.example/status/TRV7K2M9QXD4HPBR?email=a@b.example',
    'effective-directive': 'script-src-elem',
    'original-policy': "default-src 'none'",
    referrer: 'https://lale.example/my-order/s3cret',
    'script-sample': 'alert("Thabo Naidoo")',
    'violated-directive': 'script-src-elem',
  },
};
/** As Chromium sends them. */
const several = [
  {
    age: 12,
    type: 'csp-violation',
    url: 'https://lale.example/my-order/s3cret',
    user_agent: 'Mozilla/5.0',
    body: {
      blockedURL: 'inline',
      disposition: 'enforce',
      documentURL: 'https://lale.example/my-order/s3cret',
      effectiveDirective: 'style-src-attr',
      sample: 'Thabo Naidoo',
    },
  },
  { age: 1, type: 'deprecation', url: 'https://lale.example/', body: { id: 'X' } },
];

describe('a report of the content security policy', () => {
  test('of one violation is counted, and logged with nothing of its visitor', async () => {
    const { send, counts } = await start();
    expect((await send(OLD, single)).status).toBe(204);
    expect(await counts()).toEqual({ 'script-src-elem': 1 });
    expect(logged()).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        directive: 'script-src-elem',
        blocked: 'https://evil.example',
        msg: expect.any(String),
      },
    ]);
  });

  test('of the Reporting API is too, and reports of other kinds are passed over', async () => {
    const { send, counts } = await start();
    expect((await send(`${NEW}; charset=utf-8`, several)).status).toBe(204);
    expect(await counts()).toEqual({ 'style-src-attr': 1 });
    expect(logged()).toMatchObject([{ directive: 'style-src-attr', blocked: 'inline' }]);
    expect(lines.join('')).not.toMatch(/Thabo|s3cret|my-order/);
  });

  test.each([
    ['text/plain', single, 415],
    ['constructor', single, 415],
    [OLD, 'no JSON', 400],
    [OLD, several, 422],
    [NEW, single, 422],
    [NEW, Array.from({ length: 21 }, () => several[0]), 422],
    [OLD, { 'csp-report': { 'blocked-uri': 'x'.repeat(70_000) } }, 413],
  ])('as %s that is none counts for nothing', async (type, body, status) => {
    const { send, counts } = await start();
    expect((await send(type, body)).status).toBe(status);
    expect(await counts()).toEqual({});
    expect(lines).toEqual([]);
  });

  test('is refused where another site sent it', async () => {
    const { send } = await start();
    const { status } = await send(OLD, single, { origin: 'https://evil.example' });
    expect(status).toBe(403);
  });

  test('is taken thirty times a minute from one address', async () => {
    const { send, counts } = await start();
    for (let sent = 0; sent < 30; sent += 1) {
      expect((await send(OLD, single)).status).toBe(204);
    }
    const refused = await send(OLD, single);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await counts()).toEqual({ 'script-src-elem': 30 });
  });
});

test('pages name where violations are reported, in both ways', async () => {
  const { app } = await start();
  for (const page of ['/en', '/application', '/status', '/admin', '/nothing']) {
    const { headers } = await app.request(page, { headers: { accept: 'text/html' } });
    const policy = headers.get('content-security-policy');
    expect(policy, page).toContain('report-uri /csp-reports; report-to csp');
    expect(headers.get('reporting-endpoints'), page).toBe('csp="/csp-reports"');
  }
});

describe('page data', async () => {
  /* What pages' own scripts request: where to go, or what to show, instead of a document. */
  const platform = await makeTestPlatform({ now: NOW });
  beforeAll(async () => {
    await storeCountries(platform);
    await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
  });
  const app = makeTestApp(platform);
  const accept = { accept: 'application/json' };
  const form = (fields: Record<string, string>): RequestInit => ({
    method: 'POST',
    headers: accept,
    body: new URLSearchParams(fields),
  });
  const chosen = {
    countryId: 'ZAF',
    documentType: 'ordinary',
    version: '0',
    page: '',
    turn: '0',
    noticed: 'ZAF ordinary',
  };

  test('a form that is right is told where to go, in the page’s language', async () => {
    const answer = await app.request('/tr/application', form({ ...chosen, intent: 'next' }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.getSetCookie().join()).toContain('lale_draft=');
    expect(parse(await answer.text())).toEqual({ to: expect.stringMatching(/^\/tr\/application/) });
  });

  test('a form that is wrong is answered with its problems and the page’s data', async () => {
    const answer = await app.request(
      '/application',
      form({ ...chosen, countryId: '', intent: 'next' }),
    );
    expect(answer.status).toBe(422);
    expect(answer.headers.get('vary')).toContain('Accept');
    const { actionData, loaderData } = parse(await answer.text());
    expect(actionData.problems).toEqual([expect.objectContaining({ field: 'countryId' })]);
    expect(loaderData.view.step).toBe('nationality');
  });

  test('what is asked for is never the document, and a document never the data', async () => {
    const data = await app.request('/status', { headers: accept });
    expect(await data.text()).not.toContain('<html');
    const page = await app.request('/status', { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const program = await app.request('/status', { headers: { accept: '*/*' } });
    expect(program.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('a page that is not there is told by its status, a method that nobody offers by a problem', async () => {
    const missing = await app.request('/no/such/page', { headers: accept });
    expect(missing.status).toBe(404);
    const put = await app.request('/faq', { method: 'PUT', headers: accept });
    expect([put.status, put.headers.get('content-type')]).toEqual([
      405,
      'application/problem+json',
    ]);
  });

  test('nothing on a page can end the block that holds its data', async () => {
    const typed = '</script><script>alert(1)</script>';
    const page = await app.request(`/status?ref=${encodeURIComponent(typed)}`, {
      headers: { accept: 'text/html' },
    });
    const html = await page.text();
    expect(html).not.toContain(typed);
    const [, block = ''] = /<script id="page-data"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
    expect(parse(block).loaderData.typed).toBe(typed);
  });
});

describe('metrics', async () => {
  const TOKEN = 'a-token-of-this-test-alone';
  const open = makeTestApp(await makeTestPlatform({ variables: { METRICS_TOKEN: TOKEN } }));
  const none = makeTestApp(await makeTestPlatform());

  test.each([undefined, '', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, TOKEN])(
    'the figures are shown to nobody with %j',
    async (authorization) => {
      const headers = new Headers(
        authorization === undefined ? [] : [['authorization', authorization]],
      );
      const answer = await open.request('/metrics', { headers });
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('lale_');
    },
  );

  test('the figures are shown to whoever has the token', async () => {
    const answer = await open.request('/metrics', {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain('lale_csp_violations_total');
  });

  test('without a token there are no figures', async () => {
    const answer = await none.request('/metrics', { headers: { authorization: 'Bearer ' } });
    expect(answer.status).toBe(404);
  });

  /** A name that no longer exists makes no error there: the alert stays silent and the panel empty. */
  test.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/lale.json'])(
    '%s names figures that the service has',
    async (file) => {
      const platform = await makeTestPlatform({ variables: { METRICS_TOKEN: TOKEN } });
      const app = createApp({
        platform,
        payments: makePayments(platform),
        build,
        mode: 'test',
        admission: makeAdmission({
          bounds: workBounds(platform.config.work),
          waitMs: 1,
          latestMs: 1000,
          loopDelayMs: () => 0,
        }),
      });
      const answer = await app.request('/metrics', {
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      const text = await answer.text();
      const exported = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
      const watched = readFileSync(join(projectRoot, file), 'utf8');
      const named = [...watched.matchAll(/\b(?:lale|nodejs|process)_\w+/g)].map(([name]) => name);
      expect(named.length).toBeGreaterThan(10);
      expect(
        named.filter(
          (name) => !exported.has(name) && !exported.has(name.replace(/_(bucket|count|sum)$/, '')),
        ),
      ).toEqual([]);
    },
  );
});
