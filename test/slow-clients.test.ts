import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import * as build from 'virtual:react-router/server-build';
import { makeBusyAnswers } from '~/app/service.server.ts';
import { makeAdmission, workBounds } from '~/platform/admission/admission.server.ts';
import { makeExchanges, makeListener } from '~/platform/admission/listener.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { assembleApp } from '~/app/app.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { makeTestPlatform } from './platform.ts';

describe('slow clients', async () => {
  const TOKEN = 'a token of some length';
  const lines: string[] = [];
  const platform = {
    ...(await makeTestPlatform({ variables: { TRUST_PROXY: 'yes', METRICS_TOKEN: TOKEN } })),
    log: makeLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }),
  };

  const LARGE = 64 * 1024 + 1;
  /** More than the buffers of both systems take of one answer. */
  const UNTAKEN = Buffer.alloc(16 * 1024 * 1024);
  const place = { atOnce: 1, waiting: 0 };
  let now = 0;
  const admission = makeAdmission({
    bounds: {
      payment: place,
      file: place,
      read: place,
      write: place,
      upload: place,
      report: place,
    },
    waitMs: 1000,
    latestMs: 1000,
    loopDelayMs: () => 0,
    now: () => now,
  });
  const exchanges = makeExchanges(
    {
      byAddress: 4,
      uploadsByAddress: 2,
      bytesByAddress: 40 * 1024 * 1024,
      bytes: 80 * 1024 * 1024,
      uploadMs: 1000,
    },
    () => now,
  );
  const held: (() => void)[] = [];
  /** Large answers so far. */
  let made = 0;
  const payments = makePayments(platform);
  const { app } = assembleApp({ platform, payments, build, admission, mode: 'test' });

  async function listen(patience: { bodyMs: number; graceMs: number; takeMs: number }) {
    const server = createServer(
      makeListener({
        admission,
        exchanges,
        patience: { bytes: 1024, everyMs: 20, ...patience },
        isSimulated: true,
        trustProxy: true,
        busyAnswer: await makeBusyAnswers(platform),
        async fetch(asked, env) {
          const { pathname } = new URL(asked.url);
          if (pathname === '/hold') await new Promise<void>((resolve) => held.push(resolve));
          if (pathname !== '/large') return app.fetch(asked, env);
          made += 1;
          return new Response(new Uint8Array(UNTAKEN));
        },
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    return typeof address === 'object' && address ? address.port : 0;
  }

  const FOREVER = { bodyMs: 3_600_000, graceMs: 3_600_000, takeMs: 3_600_000 };
  const port = await listen(FOREVER);

  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await expect.poll(() => exchanges.present()).toEqual({ count: 0, bytes: 0 });
  });

  type Head = { method?: string; path: string; from?: string; headers?: Record<string, string> };

  /** Sends a head and what of a body is given, and never anything more; takes nothing. */
  function begin(head: Head, body = '', at = port): Socket {
    const { method = 'POST', path, from = '192.0.2.1', headers = {} } = head;
    const socket = connect(at, '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => undefined);
    const fields = { host: 'x', 'x-forwarded-for': from, ...headers };
    const named = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${named.join('')}\r\n${body}`);
    return socket;
  }

  /** Another visitor. Returns the status. */
  function ask({ method = 'POST', path, headers = {} }: Head, body?: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const own = { 'x-forwarded-for': '198.51.100.7', ...headers };
      const sent = request(
        { host: '127.0.0.1', port, method, path, headers: own, agent: false },
        (answer) => {
          text(answer).then(() => resolve(answer.statusCode ?? 0), reject);
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };

  /** Every kind of work that carries a body, and what another visitor is answered. */
  const sent: [string, Head, string, number][] = [
    ['form', { path: '/status', headers: form }, 'number=TRV', 422],
    ['call', { path: '/api/applications', headers: json }, '{}', 422],
    ['upload', { path: '/api/orders', headers: json }, `{"a":"${'x'.repeat(LARGE)}"}`, 422],
    ['notification', { path: '/api/payment/notification/card', headers: form }, 'payload=x', 400],
    ['return', { path: '/api/payment/return/card', headers: form }, 'payload=x', 303],
    ['report', { path: '/csp-reports', headers: json }, '{}', 415],
  ];

  describe('another visitor is served', () => {
    test.each(sent)('beside slow senders of a %s', async (_, head, body, status) => {
      const length = { 'content-length': String(body.length + 1) };
      const chunks = { 'transfer-encoding': 'chunked' };
      begin({ ...head, headers: { ...head.headers, ...length } }, body);
      begin({ ...head, headers: { ...head.headers, ...chunks } }, '5\r\nhello\r\n');
      await expect.poll(() => exchanges.present().count).toBe(2);
      const asked = {
        ...head,
        headers: { ...head.headers, 'content-length': String(body.length) },
      };
      expect(await ask(asked, body)).toBe(status);
      expect(exchanges.present().count).toBe(2);
    });

    test('beside those who take nothing of their answer, as their place is given back', async () => {
      for (const from of ['192.0.2.1', '192.0.2.2']) {
        begin({ method: 'GET', path: '/large', from }).pause();
        await expect.poll(() => exchanges.present().bytes).toBeGreaterThan(0);
        await expect.poll(() => admission.present().read).toBe(0);
      }
      await expect.poll(() => exchanges.present().count).toBe(2);
      expect(await ask({ method: 'GET', path: '/api/countries' })).toBe(200);
    });

    test('where one address has more connections than it may: its oldest are over', async () => {
      const slow = { path: '/status', headers: { ...form, 'content-length': '3' } };
      const first = begin(slow, 'a');
      const told = once(first, 'data');
      const over = once(first, 'close');
      for (let n = 0; n < 4; n += 1) begin(slow, 'a');
      expect(String((await told)[0])).toMatch(/^HTTP\/1.1 503 [^]*\r\nConnection: close\r\n/);
      await over;
      expect(exchanges.present().count).toBe(4);
      const other = begin({ ...slow, from: '192.0.2.2' }, 'a');
      await expect.poll(() => exchanges.present().count).toBe(5);
      expect(other.destroyed).toBe(false);
    });

    test('where unread answers of one address take more memory than they may', async () => {
      made = 0;
      for (let n = 1; n <= 4; n += 1) {
        begin({ method: 'GET', path: '/large' }).pause();
        await expect.poll(() => made).toBe(n);
        await expect.poll(() => admission.present().read).toBe(0);
      }
      await expect.poll(() => exchanges.present().count).toBe(2);
      expect(exchanges.present().bytes).toBeLessThanOrEqual(40 * 1024 * 1024);
    });
  });

  describe('large bodies', () => {
    const upload = (from?: string) =>
      begin(
        { path: '/api/orders', from, headers: { ...json, 'content-length': String(LARGE) } },
        '{',
      );

    test('come a few at a time from one address', async () => {
      upload();
      upload();
      await expect.poll(() => exchanges.present().count).toBe(2);
      const body = `{"a":"${'x'.repeat(LARGE)}"}`;
      const head = { path: '/api/orders', headers: { ...json, 'x-forwarded-for': '192.0.2.1' } };
      expect(await ask(head, body)).toBe(503);
      expect(await ask({ path: '/api/orders', headers: json }, body)).toBe(422);
      // One that has had its time gives way where it is the slowest.
      now += 1000;
      expect(await ask(head, body)).toBe(422);
      expect(exchanges.present().count).toBe(1);
    });

    test('arrive whole, in chunks and by a length', async () => {
      const body = `{"applications":[],"a":"${'x'.repeat(5 * LARGE)}"}`;
      const chunked = { ...json, 'transfer-encoding': 'chunked' };
      expect(await ask({ path: '/api/orders', headers: chunked }, body)).toBe(422);
      expect(await ask({ path: '/api/orders', headers: json }, body)).toBe(422);
      expect(await ask({ path: '/api/applications', headers: chunked }, body)).toBe(413);
    });

    test('are refused unread where no files are taken, and to strangers where staff alone send them', async () => {
      const head = (path: string, cookie = '') => ({
        path,
        headers: { ...json, cookie, 'content-length': String(LARGE) },
      });
      const body = 'x'.repeat(LARGE);
      expect(await ask(head('/api/payment/notification/card'), body)).toBe(413);
      expect(await ask(head('/api/applications'), body)).toBe(413);
      expect(await ask(head('/api/admin/files'), body)).toBe(413);
      expect(await ask(head('/api/admin/files', 'lale_staff=x'), body)).toBe(401);
      expect(await ask({ path: '/status', headers: form }, body)).toBe(413);
    });
  });

  test('what comes or is taken too slowly is ended', async () => {
    const hasty = await listen({ bodyMs: 20, graceMs: 20, takeMs: 20 });
    const slow = { path: '/status', headers: { ...form, 'content-length': '3' } };
    const late = begin(slow, 'a', hasty);
    const answered = once(late, 'data');
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 408 /);
    const long = { ...json, 'content-length': String(LARGE) };
    const upload = begin({ path: '/api/orders', headers: long }, '{', hasty);
    expect(String((await once(upload, 'data'))[0])).toMatch(/^HTTP\/1.1 408 /);
    // What it holds is gone 20 ms later: too soon to be looked for again and again.
    made = 0;
    const reader = begin({ method: 'GET', path: '/large' }, '', hasty).pause();
    await expect.poll(() => made).toBe(1);
    await expect.poll(() => exchanges.present()).toEqual({ count: 0, bytes: 0 });
    reader.destroy();
  });

  test('a sender that breaks off is no error of ours', async () => {
    lines.length = 0;
    for (const path of ['/api/applications', '/status', '/api/payment/notification/card']) {
      const chunked = { ...json, 'transfer-encoding': 'chunked' };
      const sender = begin({ path, headers: chunked }, '5\r\nhello\r\n');
      await expect.poll(() => exchanges.present().count).toBe(1);
      sender.destroy();
      await expect.poll(() => exchanges.present().count).toBe(0);
    }
    const asked = await app.request('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await asked.text()).not.toContain('status="5xx"');
    expect(lines).toEqual([]);
  });

  test('a handler that fails because its client went away is no error of ours', async () => {
    const gone = new AbortController();
    const body = new ReadableStream({
      pull(stream) {
        gone.abort();
        stream.error(new Error('gone'));
      },
    });
    const init = { method: 'POST', body, signal: gone.signal, duplex: 'half' };
    lines.length = 0;
    expect((await app.request('/api/applications', init)).status).toBeLessThan(500);
    expect(lines).toEqual([]);
  });

  test('health checks say no while nobody is served, and yes as soon as somebody is', async () => {
    const health = () => ask({ method: 'GET', path: '/healthz' });
    begin({ method: 'GET', path: '/hold' });
    await expect.poll(() => held.length).toBe(1);
    expect(await health()).toBe(200);
    now += 10_001;
    expect(await health()).toBe(503);
    expect(await ask({ method: 'GET', path: '/readyz' })).toBe(503);
    held.splice(0).forEach((release) => release());
    await expect.poll(health).toBe(200);
  });
});

describe('framing', async () => {
  const platform = await makeTestPlatform();
  const asked: string[] = [];
  const server = createServer(
    makeListener({
      admission: makeAdmission({
        bounds: workBounds({ readsAtOnce: 4, atOnce: 4, waiting: 4 }),
        waitMs: 1000,
        latestMs: 1000,
        loopDelayMs: () => 0,
      }),
      isSimulated: true,
      busyAnswer: await makeBusyAnswers(platform),
      async fetch(request) {
        asked.push(new URL(request.url).pathname);
        await request.text().catch(() => '');
        return new Response('ok');
      },
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends raw bytes; returns everything received until the connection ended. */
  async function send(lines: readonly string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.setTimeout(2000, () => socket.destroy());
    socket.write(lines.join('\r\n'));
    await once(socket, 'close');
    return received;
  }

  const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';

  /** Each would be one request to one program and two to another. */
  test.each([
    ['two lengths', ['Content-Length: 0', `Content-Length: ${HIDDEN.length}`]],
    ['a length beside chunks', [`Content-Length: ${HIDDEN.length}`, 'Transfer-Encoding: chunked']],
    ['chunks beside a length', ['Transfer-Encoding: chunked', 'Content-Length: 4']],
    ['another last encoding', ['Transfer-Encoding: chunked, identity']],
    ['a length with a sign', [`Content-Length: +${HIDDEN.length}`]],
    ['a length of words', ['Content-Length: 0x10']],
    ['a folded line', ['Transfer-Encoding:', ' chunked', 'Content-Length: 4']],
    ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 4']],
  ])('a request with %s is refused, and what hides in it is no request', async (_, headers) => {
    asked.length = 0;
    const answer = await send(['POST /seen HTTP/1.1', 'Host: a', ...headers, '', HIDDEN]);
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(asked).not.toContain('/hidden');
  });

  test('an honest request is answered', async () => {
    const answer = await send(['GET /seen HTTP/1.1', 'Host: a', 'Connection: close', '', '']);
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
  });
});
