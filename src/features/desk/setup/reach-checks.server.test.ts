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
  mailCheck,
  senderCheck,
  type ResolveTxt,
  signOnCheck,
} from './reach-checks.server.ts';
import type { CheckReport } from './setup-check.ts';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { mailServerAccepts } from '~/platform/mail/mail.server.ts';
import { startIdentityProvider } from '~/features/staff/testing/identity-provider.ts';

const outcomeOf = ({ state, found }: CheckReport) => [state, ...found.map(({ code }) => code)];
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

/** A DNS that has these records, and says of every other name that there is none. */
const dns =
  (records: Record<string, string[]>): ResolveTxt =>
  async (name) => {
    const found = records[name];
    if (!found) throw Object.assign(new Error('queryTxt'), { code: 'ENOTFOUND' });
    // Longer texts come in parts, cut anywhere.
    return found.map((text) => [text.slice(0, 5), text.slice(5)]);
  };
const away: ResolveTxt = async () => {
  throw Object.assign(new Error('queryTxt'), { code: 'ESERVFAIL' });
};

const mailFrom = 'Lale <no-reply@mail.tulip.travel>';

describe('the sender in the DNS', () => {
  const own = 'mail.tulip.travel';
  const good = {
    [own]: ['v=spf1 include:_spf.provider.example -all'],
    [`s1._domainkey.${own}`]: ['v=DKIM1; k=rsa; p=MIIB IjAN'],
    [`_dmarc.${own}`]: ['v=DMARC1; p=reject'],
  };
  const check = (records: Record<string, string[]>, dkimSelector: string | undefined = 's1') =>
    senderCheck({ mailFrom, dkimSelector }, dns({ ...good, ...records }));
  const kindsMissing = ({ found }: CheckReport) => found.map(({ values }) => values?.['kind']);

  test('that has all three records is in order', async () => {
    expect(outcomeOf(await check({}))).toEqual(['ok', 'senderGood']);
  });

  test.each<[string, string, string[]]>([
    ['SPF', own, ['v=spf1 include:_spf.provider.example ?all']],
    ['SPF', own, ['v=spf1 +all']],
    ['SPF', own, ['v=spf1 a mx']],
    ['SPF', own, ['v=spf10 -all']],
    ['SPF', own, ['google-site-verification=abc']],
    ['SPF', own, ['v=spf1 -all', 'v=spf1 a -all']],
    ['DKIM', `s1._domainkey.${own}`, ['v=DKIM1; p=']],
    ['DKIM', `s1._domainkey.${own}`, ['v=spf1 -all']],
    ['DMARC', `_dmarc.${own}`, ['v=DMARC1; p=none']],
    ['DMARC', `_dmarc.${own}`, ['v=DMARC1; sp=reject']],
    ['DMARC', `_dmarc.${own}`, ['v=DMARC1; p=reject', 'v=DMARC1; p=none']],
  ])('%s of %s: %j', async (kind, name, texts) => {
    const found = await check({ [name]: texts });
    expect(outcomeOf(found)).toEqual(['missing', 'recordMissing']);
    expect(kindsMissing(found)).toEqual([kind]);
  });

  test('is covered by the domain above, and by what SPF leads to', async () => {
    const above = {
      [own]: ['v=spf1 redirect=_spf.provider.example'],
      [`_dmarc.${own}`]: [],
      '_dmarc.tulip.travel': ['v=DMARC1;p=quarantine'],
    };
    expect(outcomeOf(await check(above))).toEqual(['ok', 'senderGood']);
    const none = { ...above, [`_dmarc.${own}`]: ['v=DMARC1; p=none'] };
    expect(kindsMissing(await check(none))).toEqual(['DMARC']);
  });

  test('that has no record is told each one to publish', async () => {
    const { mend } = await senderCheck({ mailFrom, dkimSelector: 's1' }, dns({}));
    expect(mend).toEqual([
      { kind: 'record', text: expect.stringMatching(/^mail\.tulip\.travel TXT "v=spf1 /) },
      { kind: 'record', text: expect.stringMatching(/^s1\._domainkey\.mail\.tulip\.travel TXT/) },
      { kind: 'record', text: expect.stringMatching(/^_dmarc\.mail\.tulip\.travel TXT/) },
    ]);
  });

  test('a DNS that does not answer proves nothing, and nobody can guess a selector', async () => {
    const silent = await senderCheck({ mailFrom, dkimSelector: 's1' }, away);
    expect(new Set(outcomeOf(silent))).toEqual(new Set(['unknown', 'dnsAway']));
    const without = await senderCheck({ mailFrom, dkimSelector: undefined }, dns(good));
    expect(outcomeOf(without)).toEqual(['unknown', 'dkimSelector']);
  });
});

describe('the mail server', async () => {
  /** Speaks as much SMTP as a sign-in takes, and lets one password in. */
  const server = createTcpServer((socket: Socket) => {
    socket.write('220 mail.example ESMTP\r\n');
    socket.on('data', (bytes: Buffer) => {
      const [word = '', , given = ''] = bytes.toString().trim().split(' ');
      if (word === 'EHLO') socket.write('250-mail.example\r\n250 AUTH PLAIN\r\n');
      else if (word === 'AUTH') {
        const isRight = Buffer.from(given, 'base64').toString().endsWith('right-password');
        socket.write(isRight ? '235 ok\r\n' : '535 no\r\n');
      } else socket.end('221 bye\r\n');
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const check = (mailUrl: string, mode: 'test' | 'live' = 'live') => {
    const config = { mailUrl, mailFrom, mode, dataDir: '' };
    return mailCheck(config, () => mailServerAccepts(config));
  };

  test('is in order once it lets our account in', async () => {
    expect(outcomeOf(await check(`smtp://lale:right-password@127.0.0.1:${port}`))).toEqual([
      'ok',
      'mailGood',
    ]);
  });

  test('is not where it refuses the account, and the password is not repeated', async () => {
    const refused = await check(`smtp://lale:wrong-password@127.0.0.1:${port}`);
    expect(outcomeOf(refused)).toEqual(['missing', 'mailBad']);
    expect(refused.found[0]?.values).toEqual({ host: '127.0.0.1', reason: 'EAUTH 535' });
    expect(JSON.stringify(refused)).not.toContain('wrong-password');
  });

  test('is not where nothing listens', async () => {
    const closed = await check('smtp://lale:right-password@127.0.0.1:1');
    expect(outcomeOf(closed)).toEqual(['missing', 'mailBad']);
  });
});

test('a provider that answers is in order, and the address to register there is named', async () => {
  const provider = await startIdentityProvider(publicUrl);
  afterAll(() => provider.close());
  expect(await signOnCheck(provider, publicUrl, fetch)).toMatchObject({
    state: 'ok',
    found: [
      {
        code: 'signOnGood',
        values: {
          issuer: provider.issuer,
          url: 'https://tulip.travel/admin/single-sign-on/callback',
        },
      },
    ],
  });
});

const issuer = 'https://login.example.org/realms/staff';
const good = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};

/** A provider that answers this to each address; a text is no JSON, a number a status. */
const answering =
  (description: unknown, keys: unknown = { keys: [{ kty: 'RSA' }] }): Fetch =>
  async (address) => {
    const body = address.endsWith('/keys') ? keys : description;
    if (typeof body === 'number') return new Response('', { status: body });
    return new Response(typeof body === 'string' ? body : JSON.stringify(body));
  };

test.each([
  ['gives no description', answering(404), ['missing', 'signOnAway']],
  ['is no provider', answering('<html>'), ['missing', 'signOnAway']],
  ['is somebody else', answering({ ...good, issuer: 'https://other' }), ['missing', 'signOnOther']],
  [
    'lacks an address',
    answering({ ...good, token_endpoint: undefined }),
    ['missing', 'signOnMissing'],
  ],
  [
    'has one without TLS',
    answering({ ...good, jwks_uri: 'http://a.example/keys' }),
    ['missing', 'signOnPlain'],
  ],
  [
    'cannot do PKCE',
    answering({ ...good, code_challenge_methods_supported: ['plain'] }),
    ['missing', 'signOnMissing'],
  ],
  ['shows no keys', answering(good, { keys: [] }), ['missing', 'signOnKeys']],
  ['is in order', answering(good), ['ok', 'signOnGood']],
])('a provider that %s', async (_, ask, expected) => {
  expect(outcomeOf(await signOnCheck({ issuer }, publicUrl, ask))).toEqual(expected);
});

test('one that is away is named without what its error says', async () => {
  const away = async () => {
    throw Object.assign(new Error('secret details'), { code: 'ECONNREFUSED' });
  };
  const check = await signOnCheck({ issuer }, publicUrl, away);
  expect(outcomeOf(check)).toEqual(['missing', 'signOnAway']);
  expect(JSON.stringify(check)).toContain('ECONNREFUSED');
  expect(JSON.stringify(check)).not.toContain('secret details');
});
