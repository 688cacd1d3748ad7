import { zstdDecompressSync } from 'node:zlib';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test, describe, it, afterAll } from 'vitest';
import { Hono } from 'hono';
import { useDatabase } from '../../../test/database.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { projectRoot } from '../config/root.server.ts';
import { countedNetworks } from './address.server.ts';
import { makeLimiter, limitCalls } from './rate-limit.server.ts';
import { compress, compressed } from './compress.server.ts';
import { jsonText } from './answer-once.server.ts';
import { clearCookie, openCookie, secretCookie } from './cookies.server.ts';
import { postJson } from './post-json.server.ts';

const addressKey = (address: string) => countedNetworks(address)[0]?.key;

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['192.0.2.7', '192.0.2.7'],
  ['unknown', 'unknown'],
  ['a@example.org\n2001:db8:1:2::1', 'a@example.org\n2001:db8:1:2::/64'],
  ['a:b@example.org', 'a:b@example.org'],
  ['TRV7K2M9QXD4HPBR', 'TRV7K2M9QXD4HPBR'],
])('%s counts as %s', (address, key) => expect(addressKey(address)).toBe(key));

test('wider networks have more points', () => {
  expect(countedNetworks('2001:db8:1:2ff::1')).toEqual([
    { key: '2001:db8:1:2ff::/64', factor: 1 },
    { key: '2001:db8:1:200::/56', factor: 4 },
    { key: '2001:db8:1:0::/48', factor: 16 },
  ]);
  expect(countedNetworks('192.0.2.7')).toHaveLength(1);
});

test('all addresses of a /64 count as one, those of another do not', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((one) => one.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(half, half, half, (net, host, other) => {
      const first = ['2001', ...net.slice(1)];
      const key = addressKey([...first, ...host].join(':'));
      expect(addressKey([...first, ...other].join(':'))).toBe(key);
      expect(addressKey(['2002', ...net.slice(1), ...host].join(':'))).not.toBe(key);
    }),
  );
});

test('a limit is not widened by going through the addresses of a /64', async () => {
  const { pool } = await useDatabase();
  const limiter = makeLimiter(pool, { name: 'per_net', points: 2, seconds: 60 });
  const allowed = [];
  for (const host of ['1', '2', '3', 'ffff:1']) {
    allowed.push((await limiter.consume(`2001:db8:1:2::${host}`)).allowed);
  }
  expect(allowed).toEqual([true, true, false, false]);
  expect((await limiter.consume('2001:db8:1:3::1')).allowed).toBe(true);
});

test('nor by going through the networks of a /56 or a /48, and what one uses up is not its neighbours’', async () => {
  const { pool } = await useDatabase();
  const limiter = makeLimiter(pool, { name: 'per_prefix', points: 1, seconds: 60 });
  const consume = async (address: string) => (await limiter.consume(address)).allowed;
  const allowed = [];
  for (let net = 0; net < 75; net += 1)
    allowed.push(await consume(`2001:db8:1:${net.toString(16)}::1`));
  expect(allowed.filter(Boolean)).toHaveLength(4);
  // What was refused to the one /56 has not been counted for the /48.
  for (let net = 1; net < 16; net += 1) await consume(`2001:db8:1:${net.toString(16)}00::1`);
  expect(await consume('2001:db8:1:ff00::1')).toBe(false);
  expect(await consume('2001:db8:2::1')).toBe(true);
  await limiter.reset('2001:db8:1:ff00::1');
  expect(await consume('2001:db8:1:ff00::1')).toBe(true);
});

describe('call limit', async () => {
  const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
  const app = new Hono();
  app.post('/', limitCalls(platform, { name: 'test_calls', points: 3, seconds: 60 }), (c) =>
    c.text('done'),
  );
  const call = (address: string) =>
    app.request('/', { method: 'POST', headers: { 'x-forwarded-for': address } });

  test('who calls too often is told to wait, and nobody else', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect((await call('192.0.2.1')).status).toBe(200);
    }
    const refused = await call('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'too_many_calls' });
    expect((await call('192.0.2.2')).status).toBe(200);
  });
});

describe('rate limit', async () => {
  const { pool } = await useDatabase();

  test('processes count together, and the refusal says when to come back', async () => {
    const limit = { name: 'lookup', points: 3, seconds: 60 };
    const here = makeLimiter(pool, limit);
    const there = makeLimiter(pool, limit);
    const answers = [];
    for (const limiter of [here, there, here, there, here])
      answers.push(await limiter.consume('10.0.0.1'));
    expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
    expect(answers[3]?.retryAfterSeconds).toBeGreaterThan(50);
    expect(answers[3]?.retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  test('another key, and another limit on the same key, have their own count', async () => {
    const one = makeLimiter(pool, { name: 'one', points: 1, seconds: 60 });
    const two = makeLimiter(pool, { name: 'two', points: 1, seconds: 60 });
    expect((await one.consume('a')).allowed).toBe(true);
    expect((await one.consume('a')).allowed).toBe(false);
    expect((await one.consume('b')).allowed).toBe(true);
    expect((await two.consume('a')).allowed).toBe(true);
  });

  test('a reset forgets, a block in memory included', async () => {
    const limiter = makeLimiter(pool, { name: 'sign-in', points: 1, seconds: 60 });
    await limiter.consume('a');
    expect((await limiter.consume('a')).allowed).toBe(false);
    await limiter.reset('a');
    expect((await limiter.consume('a')).allowed).toBe(true);
  });

  test('thirty calls at once are counted exactly', async () => {
    const limiter = makeLimiter(pool, { name: 'burst', points: 10, seconds: 60 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => limiter.consume('a')));
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(10);
  });

  test('who is limited cannot be read from the table', async () => {
    await makeLimiter(pool, { name: 'x', points: 1, seconds: 60 }).consume('10.1.2.3');
    const { rows } = await pool.query<{ key: string }>('select key from rate_limit');
    expect(rows.map(({ key }) => key).join()).not.toContain('10.1.2.3');
  });
});

describe('compress', () => {
  const small = { number: 'TRV1' };
  const large = { text: 'Türkiye '.repeat(500) };

  const app = new Hono();
  app.use(compress());
  app.get('/small', (c) => {
    const { text, headers } = jsonText(small);
    return c.body(text, 201, headers);
  });
  app.get('/large', (c) => {
    const { text, headers } = jsonText(large);
    return c.body(text, 200, { ...headers, Vary: 'Accept-Language' });
  });

  const ask = (path: string) => app.request(path, { headers: { 'accept-encoding': 'gzip, zstd' } });

  test('what is small passes as it is', async () => {
    const answer = await ask('/small');
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('content-length')).toBe(String(JSON.stringify(small).length));
    expect(await answer.json()).toEqual(small);
  });

  test('what is compressed says that it depends on the reader, beside what it depends on already, and no longer its length', async () => {
    const answer = await ask('/large');
    expect(answer.headers.get('content-encoding')).toBe('zstd');
    expect(answer.headers.get('vary')).toBe('Accept-Language, Accept-Encoding');
    expect(answer.headers.get('content-length')).toBeNull();
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(JSON.parse(zstdDecompressSync(bytes).toString())).toEqual(large);
  });

  test.each([1000, 50_000, 131_072, 131_073, 400_000])(
    'answers of %d characters at the same time keep their own text',
    async (length) => {
      const texts = ['ü', 'ş', 'x'].map((letter) => letter.repeat(length));
      const answers = await Promise.all(
        texts.map((text) => compressed(text, 'zstd', { status: 200, headers: new Headers() })),
      );
      for (const [index, answer] of answers.entries()) {
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect(zstdDecompressSync(bytes).toString() === texts[index]).toBe(true);
      }
    },
  );

  test('a text that is not compressed keeps its bytes', async () => {
    const plain = (text: string) => compressed(text, null, { status: 200, headers: new Headers() });
    const [first, second] = await Promise.all([plain('ü'.repeat(1000)), plain('x'.repeat(1000))]);
    expect([await first.text(), await second.text()]).toEqual(['ü'.repeat(1000), 'x'.repeat(1000)]);
  });
});

const at = (publicUrl: string) => ({ config: { publicUrl } });
const tls = at('https://lale.example');
const loopback = at('http://127.0.0.1:3000');

describe('a cookie', () => {
  it('that is a secret is out of reach of scripts, other sites, other hosts and clear transport', () => {
    expect(secretCookie(tls, 'a', 'x', { maxAgeSeconds: 60 })).toBe(
      '__Host-a=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    );
    expect(secretCookie(loopback, 'a', 'x')).toBe('a=x; Path=/; HttpOnly; SameSite=Lax');
  });

  it('that our scripts read as well is not', () => {
    expect(openCookie(tls, 'a', 'x', 60)).toBe('a=x; Path=/; SameSite=Lax; Secure; Max-Age=60');
    expect(openCookie(loopback, 'a', 'x', 60)).toBe('a=x; Path=/; SameSite=Lax; Max-Age=60');
  });

  it('that was planted goes, with a prefix as well', () => {
    expect(clearCookie('a')).toBe('a=; Path=/; Max-Age=0');
    // A browser ignores this one without Secure, and the bad cookie would stay.
    expect(clearCookie('__Host-a')).toBe('__Host-a=; Path=/; Secure; Max-Age=0');
    expect(clearCookie('__secure-a')).toContain('; Secure');
  });
});

it('no other file writes a cookie by hand', () => {
  const here = 'src/platform/http/cookies.server.ts';
  /** The choice of language, which scripts keep as well. */
  const inBrowsers = 'src/ui/remember-language.ts';
  /** Names the header in the description of the calls. */
  const described = 'src/app/api/api-docs.server.tsx';
  const excepted = [here, inBrowsers, described];
  const files = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
    (file) => !/\.test\.tsx?$/.test(file) && !excepted.includes(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const byHand = files.filter((file) =>
    /set-cookie|httponly|samesite|as SetCookie|hono\/cookie|createCookie|document\.cookie/i.test(
      readFileSync(join(projectRoot, file), 'utf8'),
    ),
  );
  expect(byHand).toEqual([]);
});

describe('post json', async () => {
  type Handler = (request: IncomingMessage, response: ServerResponse) => void;
  let handle: Handler = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/v1/checkout?a=b`;

  test('what is posted arrives as JSON, and the answer with its status, over one connection', async () => {
    const got: unknown[] = [];
    const connections = new Set<Socket>();
    handle = async (request, response) => {
      connections.add(request.socket);
      got.push([request.method, request.url, request.headers['content-type'], await text(request)]);
      response.writeHead(201).end('{"status":"öffnet"}');
    };
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await postJson(address, { name: 'Çelik', turn }, { timeoutMs: 1000 });
      expect([answer.status, answer.json()]).toEqual([201, { status: 'öffnet' }]);
    }
    expect(got.at(-1)).toEqual([
      'POST',
      '/v1/checkout?a=b',
      'application/json',
      '{"name":"Çelik","turn":2}',
    ]);
    expect(connections.size).toBe(1);
  });

  test('a redirection is an answer, and what is not JSON throws only when it is read', async () => {
    handle = (request, response) => {
      request.resume();
      response.writeHead(302, { location: '/elsewhere' }).end('<html>');
    };
    const answer = await postJson(address, {}, { timeoutMs: 1000 });
    expect(answer.status).toBe(302);
    expect(() => answer.json()).toThrow(SyntaxError);
  });

  test.each([
    ['begins no answer', () => undefined],
    ['does not end it', (response: ServerResponse) => response.writeHead(200).write('{')],
  ])('it throws in time where the other side %s', async (_, say) => {
    handle = (request, response) => {
      request.resume();
      say(response);
    };
    const began = performance.now();
    await expect(postJson(address, {}, { timeoutMs: 200 })).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test('it throws where the other side breaks off or is not there', async () => {
    handle = (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': 10 }).write('{', () => response.destroy());
    };
    await expect(postJson(address, {}, { timeoutMs: 5000 })).rejects.toThrow();
    await expect(postJson('http://127.0.0.1:1/', {}, { timeoutMs: 5000 })).rejects.toThrow();
  });

  test('it throws where the answer does not stop', async () => {
    handle = (request, response) => {
      request.resume();
      response.writeHead(200).write('"');
      const more = () => {
        while (response.writable && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more).on('close', () => response.destroy());
      more();
    };
    await expect(postJson(address, {}, { timeoutMs: 10_000 })).rejects.toThrow(
      'Too long an answer',
    );
  });
});
