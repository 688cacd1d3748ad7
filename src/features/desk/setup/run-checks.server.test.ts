import { expect, test } from 'vitest';
import { ConfigError, inspectConfig, readConfig } from '~/platform/config/config.server.ts';
import { freshKeys } from '~/platform/config/rotate-keys.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { parseEnv } from 'node:util';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { checkLines, runChecks, type OutsideAccess } from './run-checks.server.ts';
import { hasObstacle, type CompletedCheck } from './setup-check.ts';

const platform = await makeTestPlatform();
const database = { db: platform.db, pool: platform.pool, url: platform.url };
/** Outside, everything is away. */
const away = async () => {
  throw Object.assign(new Error('at https://user:secret-word@host'), { code: 'ECONNREFUSED' });
};
const outside: OutsideAccess = {
  resolve: away,
  ask: away,
  certificateEnd: away,
  now: platform.now,
};
const stateOf = (checks: readonly CompletedCheck[], id: CompletedCheck['id']) =>
  checks.find((check) => check.id === id)?.state;

test('test mode is in the way, and says what live mode would refuse', async () => {
  const { config } = platform;
  const checks = await runChecks(
    { config, mistakes: config.missingForLive, mode: 'test', database },
    outside,
  );
  expect(hasObstacle(checks)).toBe(true);
  for (const id of ['mode', 'keys', 'tls', 'mail', 'partners', 'operator'] as const) {
    expect([id, stateOf(checks, id)]).toEqual([id, 'missing']);
  }
  expect(checks.find(({ id }) => id === 'keys')?.mend).toEqual([
    { kind: 'command', text: 'npm run lale -- keys' },
  ]);
});

const keys = parseEnv(freshKeys('2026-11-23').join('\n'));
const live = {
  ...keys,
  MODE: 'live',
  DATABASE_URL: platform.url,
  DATA_DIR: platform.config.dataDir,
  PUBLIC_URL: 'https://tulip.travel',
  TRUST_PROXY: 'yes',
  MAIL_URL: 'smtp://lale:mail-password@127.0.0.1:1',
  MAIL_FROM: 'Lale <no-reply@tulip.travel>',
  ADMIN_EMAIL: 'admin@tulip.travel',
  AUTHORITIES_CHARGE: 'included',
  PAYPAL_CLIENT_ID: 'app',
  PAYPAL_CLIENT_SECRET: 'paypal-secret-word',
  PAYPAL_WEBHOOK_ID: '0HOOK',
  PAYPAL_ENDPOINT: 'http://127.0.0.1:1',
};

test('a configuration with fresh keys has keys in order, and no line holds one of them', async () => {
  const config = readConfig(live);
  const { missingForLive: mistakes } = config;
  const checks = await runChecks({ config, mistakes, mode: 'live', database }, outside);
  expect(stateOf(checks, 'mode')).toBe('ok');
  expect(stateOf(checks, 'keys')).toBe('ok');
  expect(stateOf(checks, 'sender')).toBe('unknown');
  expect(stateOf(checks, 'heard')).toBe('unknown');
  // The database of the tests has this machine's clock.
  expect(stateOf(checks, 'clock')).toBe('unknown');
  for (const id of ['tls', 'proxy', 'mail', 'paypal'] as const) {
    expect([id, stateOf(checks, id)]).toEqual([id, 'missing']);
  }
  const output = checkLines(checks).join('\n') + JSON.stringify(checks);
  const secrets = [
    ...Object.values(keys),
    'mail-password',
    'paypal-secret-word',
    'secret-word',
    new URL(platform.url).password,
  ].flatMap((secret) => (secret ? [secret, secret.split(':').at(-1) ?? secret] : []));
  expect(secrets.length).toBeGreaterThan(15);
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
});

test('what live mode refuses of one variable hides no other check, and names that variable alone', async () => {
  const { config, mistakes } = inspectConfig({ ...live, MAIL_FROM: 'no-reply@example.org' });
  const checks = await runChecks({ config, mistakes, mode: 'live', database }, outside);
  expect(checks.find(({ id }) => id === 'mail')).toMatchObject({
    state: 'missing',
    found: [{ code: 'mistake', values: { mistake: expect.stringMatching(/^MAIL_FROM: /) } }],
    mend: [{ kind: 'variable', text: 'MAIL_FROM' }],
  });
  expect(stateOf(checks, 'sender')).toBe('unknown');
  for (const id of ['database', 'files'] as const) {
    expect([id, stateOf(checks, id)]).toEqual([id, 'ok']);
  }
  expect(stateOf(checks, 'paypal')).toBe('missing');
});

test('a partner whose own variables are refused is not asked', async () => {
  const { config, mistakes } = inspectConfig({
    ...live,
    PAYPAL_ENDPOINT: 'http://pay.example.net',
  });
  expect(mistakes).toEqual([expect.stringMatching(/^PAYPAL_ENDPOINT: /)]);
  const checks = await runChecks({ config, mistakes, mode: 'live', database }, outside);
  expect(stateOf(checks, 'partners')).toBe('missing');
  expect(stateOf(checks, 'paypal')).toBeUndefined();
});

test('without a configuration every check stands in the list, waiting for the variables', async () => {
  const { config, mistakes } = inspectConfig({ ADMIN_EMAIL: 'admin@tulip.travel' });
  expect(config).toBeNull();
  const checks = await runChecks({ config, mistakes, mode: undefined, database: null }, outside);
  for (const id of ['proxy', 'sender', 'files', 'database', 'backups', 'operator'] as const) {
    expect(checks.find((check) => check.id === id)).toMatchObject({
      state: 'unknown',
      found: [{ code: 'needsAddress' }],
    });
  }
});

test('variables that make no configuration are named, each at its check', async () => {
  const mistakes = await Promise.resolve()
    .then(() => readConfig({ MODE: 'live', PORT: 'none', SECRETS: 'short' }))
    .then(
      () => [],
      (error: unknown) => (error instanceof ConfigError ? error.mistakes : []),
    );
  const checks = await runChecks({ config: null, mistakes, mode: 'live', database: null }, outside);
  expect(checks.find(({ id }) => id === 'mode')?.found).toContainEqual({
    code: 'mistake',
    values: { mistake: expect.stringMatching(/^PORT: /) },
  });
  expect(checks.find(({ id }) => id === 'keys')?.found).toContainEqual({
    code: 'mistake',
    values: { mistake: expect.stringMatching(/^SECRETS: /) },
  });
  expect(stateOf(checks, 'accounts')).toBe('unknown');
  const reported = checks.flatMap(({ found }) => found.map(({ values }) => values?.mistake));
  // Every mistake stands somewhere.
  for (const mistake of mistakes) {
    expect(reported).toContain(mistake.replace(/ \(MODE=live\)$/, ''));
  }
});

const elsewhere = (change: Partial<Pick<URL, 'port' | 'pathname'>>) =>
  Object.assign(new URL(platform.url), change).href;

test.each([
  ['that is away', elsewhere({ port: '1' })],
  ['without our tables', elsewhere({ pathname: '/postgres' })],
])('of a database %s, one check says what is wrong, and the others wait for it', async (_, url) => {
  const { db, pool, close } = openDatabase(url, { poolSize: 2 });
  try {
    const checks = await runChecks(
      { config: platform.config, mistakes: [], mode: 'live', database: { db, pool, url } },
      outside,
    );
    expect(stateOf(checks, 'database')).toBe('missing');
    for (const id of ['accounts', 'backups', 'insurance', 'operator', 'factors'] as const) {
      expect(checks.find((check) => check.id === id)).toMatchObject({
        state: 'unknown',
        found: [{ code: 'needsDatabase' }],
      });
    }
  } finally {
    await close();
  }
});

test('a check that takes too long or fails is one that cannot be told', async () => {
  const { config } = platform;
  const variables = { config: { ...config, mailFrom: 'a@tulip.travel' }, mistakes: [] };
  const never = () => new Promise<never>(() => undefined);
  const checks = await runChecks(
    { ...variables, mode: 'live', database },
    { ...outside, resolve: never, now: () => new Date(Number.NaN) },
    200,
  );
  expect(checks.find(({ id }) => id === 'sender')).toMatchObject({
    state: 'unknown',
    found: [{ code: 'tookTooLong' }],
  });
  expect(stateOf(checks, 'mail')).toBe('missing');
  expect(checks.find(({ id }) => id === 'insurance')?.state).not.toBe('ok');
});
