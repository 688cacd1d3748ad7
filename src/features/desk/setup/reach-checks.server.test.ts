import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  askCertificateEnd,
  clockCheck,
  proxyCheck,
  tlsCheck,
  type Fetch,
  type OtherClock,
} from './reach-checks.server.ts';
import type { Result } from './setup-check.ts';

const outcomeOf = ({ state, found }: Result) => [state, ...found.map(({ code }) => code)];
const now = () => new Date('2026-11-23T10:00:00Z');
const publicUrl = 'https://tulip.travel';

describe('TLS', () => {
  const check = (end: Date | string, address = publicUrl) =>
    tlsCheck(
      { publicUrl: address },
      {
        now,
        certificateEnd: async () => {
          if (typeof end !== 'string') return end;
          throw Object.assign(new Error('secret details'), { code: end });
        },
      },
    );

  test.each([
    [new Date('2027-01-20T00:00:00Z'), ['ok', 'tlsGood']],
    [new Date('2026-12-01T00:00:00Z'), ['missing', 'tlsEnding']],
    ['CERT_HAS_EXPIRED', ['missing', 'tlsBad']],
    ['ECONNREFUSED', ['missing', 'tlsBad']],
  ])('%s', async (end, expected) => {
    expect(outcomeOf(await check(end))).toEqual(expected);
  });

  test('an address without it', async () => {
    const plain = await check(new Date('2027-01-20T00:00:00Z'), 'http://tulip.travel');
    expect(outcomeOf(plain)).toEqual(['missing', 'tlsNone']);
  });

  test('a certificate that nobody vouches for is not accepted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'test-tls-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 90 -keyout ${key} -out ${cert}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterAll(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(askCertificateEnd(2000)('localhost', port)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});

describe('the proxy', () => {
  /** By the beginning of the address; what is not there refuses the connection. */
  const web =
    (answers: Record<string, () => Response>): Fetch =>
    async (address) => {
      const found = Object.entries(answers).find(([start]) => address.startsWith(start))?.[1];
      if (found) return found();
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      });
    };
  const healthy = () => new Response('ok');
  const moved = () =>
    new Response(null, { status: 308, headers: { location: 'https://tulip.travel/' } });
  const check = (answers: Record<string, () => Response>, trustProxy = true) =>
    proxyCheck({ publicUrl, trustProxy }, web(answers)).then(outcomeOf);

  test('leads to the service, and HTTP to HTTPS', async () => {
    expect(await check({ 'https:': healthy, 'http:': moved })).toEqual(['ok', 'proxyGood']);
    expect(await check({ 'https:': healthy })).toEqual(['ok', 'proxyGood']);
  });

  test('leads elsewhere, or nowhere', async () => {
    const parked = () => new Response('<h1>This domain is parked</h1>');
    expect(await check({ 'https:': parked, 'http:': moved })).toEqual(['missing', 'proxyAway']);
    expect(await check({ 'http:': moved })).toEqual(['missing', 'proxyAway']);
    const gone = () => new Response('Bad gateway', { status: 502 });
    expect(await check({ 'https:': gone, 'http:': moved })).toEqual(['missing', 'proxyAway']);
  });

  test('answers in the clear', async () => {
    expect(await check({ 'https:': healthy, 'http:': healthy })).toEqual(['missing', 'proxyPlain']);
  });

  test('of another port than 443 is not asked for HTTP', async () => {
    const address = 'https://tulip.travel:8443';
    const ask = web({
      'https:': healthy,
      'http:': () => new Response('TLS only', { status: 400 }),
    });
    const found = await proxyCheck({ publicUrl: address, trustProxy: true }, ask);
    expect(outcomeOf(found)).toEqual(['ok', 'proxyGood']);
  });

  test('is not believed about addresses', async () => {
    expect(await check({ 'https:': healthy, 'http:': moved }, false)).toEqual([
      'missing',
      'proxyUnbelieved',
    ]);
  });
});

describe('the clock', () => {
  const other = (offMs: number | null, precisionMs = 0): OtherClock => ({
    name: `off by ${offMs}`,
    precisionMs,
    read: async () => (offMs === null ? null : new Date(now().getTime() + offMs)),
  });

  test.each<[string, OtherClock[], string[]]>([
    ['agrees', [other(0), other(-900, 1000)], ['ok', 'clockGood']],
    ['is behind', [other(0), other(60_000)], ['missing', 'clockOff']],
    ['is ahead', [other(-60_000, 1000)], ['missing', 'clockOff']],
    ['is alone', [other(null)], ['unknown', 'clockAlone']],
    ['has nobody to ask', [], ['unknown', 'clockAlone']],
  ])('%s', async (_, others, expected) => {
    expect(outcomeOf(await clockCheck(now, others))).toEqual(expected);
  });

  test('a slow answer is no difference', async () => {
    let time = now().getTime();
    const slow: OtherClock = {
      name: 'slow',
      precisionMs: 0,
      read: async () => new Date((time += 30_000)),
    };
    expect(outcomeOf(await clockCheck(() => new Date(time), [slow]))).toEqual(['ok', 'clockGood']);
  });
});
