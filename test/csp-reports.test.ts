import { describe, expect, test } from 'vitest';
import { serviceMetrics } from '../src/app/service-metrics.server.ts';
import { makeLog } from '../src/platform/log/log.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

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
