import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECRET_BITS } from './config.server.ts';
import { estimateBits, isRandomKey } from './config-live.server.ts';
import { readVariables } from '../testing/read-variables.ts';

const { folder, mistakes, read } = readVariables();

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

describe('live mode', () => {
  const random = (name: string) => createHash('sha256').update(name).digest();
  const key = random('lookup').toString('base64');
  const live = {
    MODE: 'live',
    PUBLIC_URL: 'https://example.org',
    MAIL_URL: 'smtp://mail.example.org',
    AUTHORITIES_CHARGE: 'included',
    MAIL_FROM: 'Tulip Travel <no-reply@tulip-travel.com>',
    SECRETS: random('signing').toString('base64'),
    ENCRYPTION_KEYS: `2027:${random('new').toString('base64')},2026:${random('old').toString('base64')}`,
    LOOKUP_KEY: key,
    CARD_GATEWAY_ENDPOINT: 'https://gateway.example.org',
    CARD_GATEWAY_MERCHANT_ID: 'm',
    CARD_GATEWAY_PRIVATE_KEY: '',
    CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: '',
  };
  const { merchant, provider } = read().simulator ?? {};
  live.CARD_GATEWAY_PRIVATE_KEY = merchant?.privateKey.replaceAll('\n', '\\n') ?? '';
  live.CARD_GATEWAY_PROVIDER_PUBLIC_KEYS = provider?.publicKey ?? '';

  test.each([undefined, '', 'perhaps'])(
    'does not start while nobody says whether the authorities’ charge is included: %s',
    (AUTHORITIES_CHARGE) => {
      const said = { ...live, ...(AUTHORITIES_CHARGE === undefined ? {} : { AUTHORITIES_CHARGE }) };
      const { AUTHORITIES_CHARGE: _, ...unsaid } = live;
      const given = AUTHORITIES_CHARGE === undefined ? unsaid : said;
      expect(mistakes(given)).toEqual([expect.stringMatching(/^AUTHORITIES_CHARGE: must /)]);
    },
  );

  test('shows the cards that are named, and none by default', () => {
    expect(read(live).operator.cards).toBeUndefined();
    expect(read({ ...live, CARD_BRANDS: 'visa, troy' }).operator.cards).toEqual(['visa', 'troy']);
    expect(mistakes({ ...live, CARD_BRANDS: 'visa,maestro' })).toEqual([
      expect.stringMatching(/^CARD_BRANDS/),
    ]);
  });

  test('starts with everything named, without the simulator', () => {
    const config = read(live);
    expect(config.simulator).toBeUndefined();
    expect(config.providers.card?.privateKey).toContain('\n');
    expect(config.encryptionKeys.map(({ id }) => id)).toEqual(['2027', '2026']);
  });

  test('runs a process a processor and leaves slowly, test mode one that leaves at once; both may be set', () => {
    expect(read(live)).toMatchObject({ processes: availableParallelism(), drainGraceMs: 5000 });
    expect(read()).toMatchObject({ processes: 1, drainGraceMs: 0 });
    const set = { PROCESSES: '3', DRAIN_GRACE_MS: '100' };
    expect(read(set)).toMatchObject({ processes: 3, drainGraceMs: 100 });
    expect(read({ ...live, ...set })).toMatchObject({ processes: 3, drainGraceMs: 100 });
    expect(read({ PROCESSES: 'auto' }).processes).toBe(availableParallelism());
  });

  test.each(['PUBLIC_URL', 'MAIL_URL', 'SECRETS', 'ENCRYPTION_KEYS', 'LOOKUP_KEY'])(
    'is refused without %s',
    (name) => {
      expect(mistakes({ ...live, [name]: '' })).toEqual([
        expect.stringMatching(`^${name}: .*MODE=live`),
      ]);
    },
  );

  test('is refused with the password of the database’s owner, which test mode ignores', () => {
    const DATABASE_OWNER_PASSWORD = 'f'.repeat(48);
    expect(mistakes({ ...live, DATABASE_OWNER_PASSWORD })).toEqual([
      expect.stringMatching(/^DATABASE_OWNER_PASSWORD: .*\.env\.owner.*MODE=live/),
    ]);
    expect(mistakes({ DATABASE_OWNER_PASSWORD })).toEqual([]);
  });

  test('takes the card partner’s current and next key, and everything else of the account', () => {
    const other = rsa(2048).publicKey;
    const next = other.replaceAll('\n', '\\n');
    const { card: gateway } = read({
      ...live,
      CARD_GATEWAY_ENDPOINT: 'https://gateway.example.org/',
      CARD_GATEWAY_PUBLIC_ENDPOINT: 'https://pay.example.org',
      CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: `${provider?.publicKey}${next}`,
      CARD_GATEWAY_DIGEST: 'sha512',
      CARD_GATEWAY_MODE: 'form',
      CARD_GATEWAY_TIMEOUT_MS: '3000',
    }).providers;
    expect(gateway).toMatchObject({
      endpoint: 'https://gateway.example.org',
      publicEndpoint: 'https://pay.example.org',
      digest: 'sha512',
      mode: 'form',
      timeoutMs: 3000,
    });
    expect(gateway?.providerPublicKeys.map((pem) => pem.trim())).toEqual([
      provider?.publicKey.trim(),
      other.trim(),
    ]);
    expect(read(live).providers.card).toMatchObject({
      digest: 'sha256',
      mode: 'api',
      timeoutMs: 10_000,
    });
  });

  test('takes MD5 only where somebody says so', () => {
    const md5 = { ...live, CARD_GATEWAY_DIGEST: 'md5' };
    expect(mistakes(md5)).toEqual([expect.stringMatching('^CARD_GATEWAY_DIGEST: .*MODE=live')]);
    expect(read({ ...md5, CARD_GATEWAY_ALLOW_MD5: 'yes' }).providers.card?.digest).toBe('md5');
    expect(read({ ...md5, MODE: 'test' }).providers.card?.digest).toBe('md5');
  });

  test('speaks to the card partner by TLS, or to a proxy on this machine', () => {
    const at = (address: string) => mistakes({ ...live, CARD_GATEWAY_ENDPOINT: address });
    expect(at('http://gateway.example.org')).toEqual([
      expect.stringMatching('^CARD_GATEWAY_ENDPOINT: '),
    ]);
    expect(at('http://127.0.0.1:8443')).toEqual([]);
  });

  test('starts with PayPal alone, and without any partner does not', () => {
    const none = Object.fromEntries(
      Object.entries(live).filter(([name]) => !name.startsWith('CARD_')),
    );
    expect(mistakes(none)).toHaveLength(1);
    const paypal = {
      PAYPAL_CLIENT_ID: 'a',
      PAYPAL_CLIENT_SECRET: 'b',
      PAYPAL_WEBHOOK_ID: 'c',
    };
    expect(mistakes({ ...none, ...paypal })).toEqual([]);
    for (const name of ['PAYPAL_ENDPOINT', 'PAYPAL_CERTIFICATE_ORIGIN']) {
      const at = (address: string) => mistakes({ ...none, ...paypal, [name]: address });
      expect(at('https://paypal.example.org')).toEqual([]);
      expect(at('http://127.0.0.1:8443')).toEqual([]);
      for (const refused of ['http://paypal.example.org', 'https://api-m.sandbox.paypal.com']) {
        expect(at(refused)).toEqual([expect.stringMatching(`^${name}: `)]);
      }
    }
  });

  const stripe = {
    STRIPE_SECRET_KEY: 'sk_live_51NabcdefGH',
    STRIPE_WEBHOOK_SECRETS: 'whsec_abcdefgh',
  };
  test('starts with Stripe alone, by a live key, and takes cards there', () => {
    const none = Object.fromEntries(
      Object.entries(live).filter(([name]) => !name.startsWith('CARD_')),
    );
    expect(mistakes({ ...none, ...stripe })).toEqual([]);
    expect(mistakes({ ...none, ...stripe, STRIPE_SECRET_KEY: 'sk_test_51NabcdefGH' })).toEqual([
      expect.stringMatching('^STRIPE_SECRET_KEY: is not a live key'),
    ]);
    expect(mistakes({ ...none, ...stripe, STRIPE_ENDPOINT: 'http://stripe.example.org' })).toEqual([
      expect.stringMatching('^STRIPE_ENDPOINT: '),
    ]);
  });

  test('names a card partner only where it is configured', () => {
    const named = (value: string, more = {}) => mistakes({ ...live, ...more, CARD_PARTNER: value });
    expect(named('stripe')).toEqual([expect.stringMatching('^CARD_PARTNER: .*STRIPE_SECRET_KEY')]);
    expect(named('stripe', stripe)).toEqual([]);
    expect(named('gateway', stripe)).toEqual([]);
  });

  const weakKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const counting = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64');
  test.each([
    ['one letter', 'SECRETS', 'a'.repeat(44), 'can be guessed'],
    ['a word again and again', 'SECRETS', 'lalelale'.repeat(8), 'can be guessed'],
    ['digits in a row', 'SECRETS', '0123456789'.repeat(4), 'can be guessed'],
    [
      'one weak among strong',
      'SECRETS',
      `${random('x').toString('hex')},${'ab'.repeat(20)}`,
      'can be guessed',
    ],
    ['zeros', 'ENCRYPTION_KEYS', `k:${weakKey(0)}`, 'not random'],
    ['a counted key', 'ENCRYPTION_KEYS', `k:${counting}`, 'not random'],
    [
      'an old zero key',
      'ENCRYPTION_KEYS',
      `k:${random('k').toString('base64')},l:${weakKey(0)}`,
      'not random',
    ],
    [
      'the same key twice',
      'ENCRYPTION_KEYS',
      `k:${random('k').toString('base64')},l:${random('k').toString('base64')}`,
      'twice',
    ],
    ['zeros', 'LOOKUP_KEY', weakKey(0), 'not random'],
    [
      'sixteen bytes twice',
      'LOOKUP_KEY',
      Buffer.concat([random('h').subarray(0, 16), random('h').subarray(0, 16)]).toString('base64'),
      'not random',
    ],
    [
      'the data key',
      'LOOKUP_KEY',
      random('new').toString('base64'),
      'also used as ENCRYPTION_KEYS',
    ],
    ['the data key', 'SECRETS', random('new').toString('base64'), 'also used as ENCRYPTION_KEYS'],
    [
      'the signing secret',
      'METRICS_TOKEN',
      random('signing').toString('base64'),
      'also used as SECRETS',
    ],
    ['one letter', 'METRICS_TOKEN', 'x'.repeat(40), 'can be guessed'],
    ['a word', 'METRICS_TOKEN', 'metricsmetricsmetrics', 'can be guessed'],
    ['the default', 'MAIL_FROM', '', 'your own domain'],
    ['no domain', 'MAIL_FROM', 'lale@mailhost', 'your own domain'],
    ['a sample domain', 'MAIL_FROM', 'Lale <a@lale.example>', 'your own domain'],
    ['TLS switched off', 'MAIL_URL', 'smtp://mail.tulip-travel.com?ignoreTLS=true', 'switch TLS'],
    [
      'any certificate',
      'MAIL_URL',
      'smtps://mail.tulip-travel.com?tls.rejectUnauthorized=false',
      'switch TLS',
    ],
    ['a database in the clear', 'DATABASE_URL', 'postgres://a:b@db.internal/lale', 'verify-full'],
    [
      'a database of any certificate',
      'DATABASE_URL',
      'postgres://a:b@db.internal/lale?sslmode=no-verify',
      'verify-full',
    ],
    ['files in the clear', 'FILES_URL', 's3://files?endpoint=http://store.internal', 'https://'],
    [
      'a second database server in the clear',
      'DATABASE_URL',
      'postgres://a:b@127.0.0.1,db.internal/lale',
      'verify-full',
    ],
    [
      'a database in the clear that a parameter names',
      'DATABASE_URL',
      'postgres://a:b@127.0.0.1/lale?host=db.internal',
      'verify-full',
    ],
    [
      'a certificate that is not looked at in the end',
      'DATABASE_URL',
      'postgres://a:b@db.internal/lale?sslmode=verify-full&sslmode=no-verify',
      'verify-full',
    ],
    ['a short key', 'CARD_GATEWAY_PRIVATE_KEY', rsa(1024).privateKey, '2048 bits'],
    ['a short key', 'CARD_GATEWAY_PROVIDER_PUBLIC_KEYS', rsa(1024).publicKey, '2048 bits'],
    ['our own key', 'CARD_GATEWAY_PROVIDER_PUBLIC_KEYS', merchant?.publicKey ?? '', 'our own key'],
  ])('is refused with %s as %s', (_what, name, value, why) => {
    const named = mistakes({ ...live, [name]: value });
    expect(named).toEqual([expect.stringMatching(`^${name}: .*${why}.*MODE=live`)]);
    expect(read({ ...live, [name]: value, MODE: 'test' }).mode).toBe('test');
  });

  test.each([
    ['DATABASE_URL', 'postgres://a:b@db.internal/lale?sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://a:b@127.0.0.1/lale'],
    [
      'DATABASE_URL',
      'postgres://a:b@one.internal,two.internal:5433/lale?sslmode=verify-full&target_session_attrs=read-write',
    ],
    ['MAIL_URL', 'smtps://mail.tulip-travel.com'],
    ['MAIL_URL', 'smtp://127.0.0.1:25?ignoreTLS=true'],
    ['METRICS_TOKEN', random('metrics').toString('hex')],
    ['SECRETS', random('hex').toString('hex').slice(0, 32)],
  ])('starts with %s=%s', (name, value) => {
    expect(mistakes({ ...live, [name]: value })).toEqual([]);
  });

  test('takes a database without TLS only where somebody says so', () => {
    const clear = { ...live, DATABASE_URL: 'postgres://a:b@database/lale' };
    expect(mistakes({ ...clear, DATABASE_WITHOUT_TLS: 'yes' })).toEqual([]);
  });

  test('reads from a replica by TLS alone, and only beside a primary', () => {
    const primary = { ...live, DATABASE_URL: 'postgres://a:b@127.0.0.1/lale' };
    const replica = 'postgres://a:b@replica.internal/lale';
    expect(mistakes({ ...primary, DATABASE_READ_URL: replica })).toEqual([
      expect.stringMatching(/^DATABASE_READ_URL: .*verify-full.*MODE=live/),
    ]);
    const verified = `${replica}?sslmode=verify-full`;
    expect(mistakes({ ...primary, DATABASE_READ_URL: verified })).toEqual([]);
    expect(mistakes({ ...live, DATABASE_READ_URL: verified })).toEqual([
      expect.stringMatching(/^DATABASE_URL: .*DATABASE_READ_URL/),
    ]);
  });

  test('takes every key that chance draws', () => {
    for (let draw = 0; draw < 2000; draw += 1) {
      expect(isRandomKey(randomBytes(32))).toBe(true);
      expect(estimateBits(randomBytes(16).toString('hex'))).toBeGreaterThan(SECRET_BITS);
    }
  });

  test('is refused without a gateway, without TLS and with generated secrets', () => {
    const simulated = Object.fromEntries(
      Object.entries(live).filter(([name]) => !name.startsWith('CARD_')),
    );
    expect(mistakes(simulated)).toEqual([expect.stringMatching('^CARD_GATEWAY_ENDPOINT: ')]);
    expect(mistakes({ ...live, PUBLIC_URL: 'http://example.org' })).toHaveLength(1);
    const made: { signing: string } = JSON.parse(
      readFileSync(join(folder, 'secrets.json'), 'utf8'),
    );
    expect(mistakes({ ...live, SECRETS: made.signing })).toHaveLength(1);
    expect(
      mistakes({ ...live, ENCRYPTION_KEYS: `test-1:${random('k').toString('base64')}` }),
    ).toHaveLength(1);
  });
});
