import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as build from 'virtual:react-router/server-build';
import { pageAddresses } from '../../../test/routes-and-calls.ts';
import { projectRoot } from '../config/root.server.ts';
import { makePageCache } from './page-cache.server.ts';
import { makeRouteTable } from './route-table.server.ts';

function setUp() {
  let time = Date.parse('2026-11-23T10:00:00Z');
  let body = 'first';
  let status = 200;
  let made = 0;
  let edition = 'one';
  const kept = makePageCache({
    now: () => new Date(time),
    freshSeconds: 60,
    edition: async () => edition,
  });
  const make = async () => {
    made += 1;
    return new Response(body, { status, headers: { 'Content-Type': 'text/html' } });
  };
  return {
    get: (headers: Record<string, string> = {}, method = 'GET') =>
      kept('page', new Request('http://lale.test/', { headers, method }), make),
    pass: (seconds: number) => void (time += seconds * 1000),
    write: (text: string, code = 200) => {
      body = text;
      status = code;
    },
    publish: (next: string) => void (edition = next),
    made: () => made,
  };
}

describe('a page that is the same for everybody', () => {
  test('is made once a minute, however many ask', async () => {
    const page = setUp();
    const answers = await Promise.all([page.get(), page.get(), page.get()]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(
      Array.from({ length: 3 }, () => 'first'),
    );
    page.write('second');
    page.pass(59);
    expect(await (await page.get()).text()).toBe('first');
    expect(page.made()).toBe(1);
    page.pass(1);
    const later = await Promise.all([page.get(), page.get()]);
    expect(await Promise.all(later.map((answer) => answer.text()))).toEqual(['second', 'second']);
    expect(page.made()).toBe(2);
  });

  test('is made anew at once in another edition', async () => {
    const page = setUp();
    await page.get();
    page.write('second');
    page.publish('two');
    expect(await (await page.get()).text()).toBe('second');
    expect(await (await page.get()).text()).toBe('second');
    expect(page.made()).toBe(2);
  });

  test('comes in what the browser unpacks', async () => {
    const page = setUp();
    const bytes = async (encoding: string) => {
      const answer = await page.get({ 'accept-encoding': encoding });
      return { answer, body: Buffer.from(await answer.arrayBuffer()) };
    };
    const br = await bytes('gzip, deflate, br, zstd');
    expect(br.answer.headers.get('content-encoding')).toBe('br');
    expect(brotliDecompressSync(br.body).toString()).toBe('first');
    const gzip = await bytes('gzip');
    expect(gzip.answer.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(gzip.body).toString()).toBe('first');
    const plain = await bytes('');
    expect(plain.answer.headers.has('content-encoding')).toBe(false);
    expect(plain.body.toString()).toBe('first');
    expect(plain.answer.headers.get('vary')).toBe('Accept-Encoding');
  });

  test('is not sent again to who has it, until it changes', async () => {
    const page = setUp();
    const etag = (await page.get()).headers.get('etag') ?? '';
    const again = await page.get({ 'if-none-match': `"other", ${etag}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const packed = await page.get({ 'accept-encoding': 'br', 'if-none-match': etag });
    expect(packed.status).toBe(304);
    expect(packed.headers.get('etag')).toBe(etag);
    expect(packed.headers.has('content-encoding')).toBe(false);
    page.pass(60);
    expect((await page.get({ 'if-none-match': etag })).status).toBe(304);
    page.write('second');
    page.pass(60);
    expect((await page.get({ 'if-none-match': etag })).status).toBe(200);
  });

  test('has a head without a body', async () => {
    const head = await setUp().get({}, 'HEAD');
    expect(head.headers.get('content-length')).toBe('5');
    expect(await head.text()).toBe('');
  });

  test('is not kept when it failed', async () => {
    const page = setUp();
    page.write('sorry', 500);
    expect((await page.get()).status).toBe(500);
    page.write('first');
    const answer = await page.get();
    expect([answer.status, await answer.text()]).toEqual([200, 'first']);
  });
});

const match = makeRouteTable(build);

test.each([
  ['/', 'features/site/home', {}],
  ['/application/arrival', 'features/visa/arrival', {}],
  ['/Application/ARRIVAL', 'features/visa/arrival', {}],
  ['/insurance/terms', 'features/insurance/terms', { version: undefined }],
  ['/insurance/terms/3', 'features/insurance/terms', { version: '3' }],
  ['/verify/Ab%20c', 'features/insurance/verify', { code: 'Ab c' }],
  ['/verify/%E0%A4%A', 'features/insurance/verify', { code: '%E0%A4%A' }],
  ['/admin/applications/TRV1', 'features/desk/application/application', { number: 'TRV1' }],
  ['/no/such/page', 'features/site/not-found', { '*': 'no/such/page' }],
  ['/verify/a/b', 'features/site/not-found', { '*': 'verify/a/b' }],
])('%s is %s', (pathname, id, params) => {
  const found = match(pathname);
  expect(found?.route.id).toBe(id);
  expect(found?.params).toEqual(params);
});

test('every address of the list of pages is found', () => {
  const addresses = pageAddresses().filter((address) => !address.includes('nothing'));
  expect(addresses.length).toBeGreaterThan(60);
  for (const address of addresses) {
    const found = match(address.replaceAll(/:\w+\??/g, 'x').replace(/^\/+/, '/'));
    expect(found?.route.id, address).not.toBe('features/site/not-found');
  }
});

test('visitors’ pages export their component by name: React Router’s plugin wraps what is declared as default', () => {
  const files = new Set(
    Object.values(build.routes).flatMap((route) =>
      route && !route.id.startsWith('features/desk/') ? [route.id] : [],
    ),
  );
  const sources = [...files].flatMap((id) => {
    if (!id.startsWith('features/')) return [];
    for (const ending of ['tsx', 'ts']) {
      try {
        return [[id, readFileSync(join(projectRoot, 'src', `${id}.${ending}`), 'utf8')] as const];
      } catch {
        continue;
      }
    }
    return [];
  });
  expect(sources.length).toBeGreaterThan(30);
  const wrapped = sources.filter(([, text]) =>
    /export (default|function ErrorBoundary|const ErrorBoundary)/.test(text),
  );
  expect(wrapped.map(([id]) => id)).toEqual([]);
});
