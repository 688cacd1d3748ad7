import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, liveMistakes } from './config.server.ts';
import { sampleOperator } from './sample-operator.ts';
import { readVariables } from '../testing/read-variables.ts';

const { folder, mistakes, read } = readVariables();

describe('without variables', () => {
  test('it is a test installation on this machine only', () => {
    const config = read();
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      mode: 'test',
      timings: { gatewayProcessingMs: 3000 },
    });
    expect(config.databaseUrl).toBeUndefined();
    expect(config.simulator?.provider.publicKey).toContain('BEGIN PUBLIC KEY');
  });

  test('operator details are samples that nobody takes for real ones', () => {
    const { contactUrl, liveChatUrl, helpCentreUrl, authoritiesCharge, cards, ...details } =
      read().operator;
    expect(authoritiesCharge).toBe('included');
    expect(cards).toHaveLength(8);
    expect(details).toEqual(sampleOperator);
    expect(Object.values(details).join()).not.toContain('[');
    expect([contactUrl, liveChatUrl, helpCentreUrl]).toEqual([undefined, undefined, undefined]);
  });

  test('an empty variable is one that is not set', () => {
    expect(read({ PORT: '', DATABASE_URL: '' }).port).toBe(3000);
  });
});

test('PayPal’s certificates are its own, or those of what stands in for it, below any path', () => {
  const account = { PAYPAL_CLIENT_ID: 'x', PAYPAL_CLIENT_SECRET: 'x', PAYPAL_WEBHOOK_ID: 'x' };
  const certificates = (variables: Record<string, string> = {}) =>
    read({ ...account, ...variables }).providers.paypal?.certificates;
  expect(certificates()).toBe('https://api.sandbox.paypal.com/v1/notifications/certs/');
  expect(certificates({ PAYPAL_ENDPOINT: 'http://127.0.0.1:9/lab/paypal/' })).toBe(
    'http://127.0.0.1:9/lab/paypal/v1/notifications/certs/',
  );
  const elsewhere = 'https://certificates.example';
  expect(certificates({ PAYPAL_CERTIFICATE_ORIGIN: elsewhere })).toBe(
    `${elsewhere}/v1/notifications/certs/`,
  );
});

describe('generated secrets', () => {
  test('are made once, readable by their owner only, and stay', () => {
    const fresh = join(folder, 'fresh');
    const first = readConfig({ DATA_DIR: fresh });
    expect(statSync(join(fresh, 'secrets.json')).mode & 0o777).toBe(0o600);
    const second = readConfig({ DATA_DIR: fresh });
    expect(second.signingSecrets).toEqual(first.signingSecrets);
    expect(second.encryptionKeys).toEqual(first.encryptionKeys);
    expect(second.simulator).toEqual(first.simulator);
  });
});

describe('a wrong variable', () => {
  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'example.org'],
    ['PUBLIC_URL', 'https://example.org/path'],
    ['MODE', 'production'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://one,two/x?target_session_attrs=standby'],
    ['FILES_URL', 's3://bucket'],
    ['MAIL_URL', 'mailhost'],
    ['MAIL_FROM', 'nobody'],
    ['SECRETS', 'short'],
    ['ENCRYPTION_KEYS', 'k1:short'],
    ['LOOKUP_KEY', 'short'],
    ['CARD_GATEWAY_DIGEST', 'sha1'],
    ['CARD_GATEWAY_MODE', 'redirect'],
    ['CARD_GATEWAY_TIMEOUT_MS', '5'],
    ['CARD_GATEWAY_PUBLIC_ENDPOINT', 'gateway.example'],
    ['GATEWAY_PROCESSING_MS', '-1'],
    ['PROCESSES', '0'],
    ['PROCESSES', 'many'],
    ['DRAIN_GRACE_MS', '-1'],
  ])('%s=%s is named', (name, value) => {
    expect(mistakes({ [name]: value })).toEqual([expect.stringMatching(`^${name}: `)]);
  });

  test('all mistakes are named in one message, with exit code 78', () => {
    const blocked = join(folder, 'a-file');
    writeFileSync(blocked, '');
    const variables = {
      PORT: 'x',
      MODE: 'live',
      DATA_DIR: join(blocked, 'var'),
      ADMIN_EMAIL: 'me',
    };
    const names = mistakes(variables).map((mistake) => mistake.split(':')[0]);
    expect(names.toSorted()).toEqual([
      'ADMIN_EMAIL',
      'AUTHORITIES_CHARGE',
      'CARD_GATEWAY_ENDPOINT',
      'DATA_DIR',
      'ENCRYPTION_KEYS',
      'LOOKUP_KEY',
      'MAIL_FROM',
      'MAIL_URL',
      'PORT',
      'PUBLIC_URL',
      'SECRETS',
    ]);
    expect(new ConfigError(['x'])).toMatchObject({ exitCode: 78, message: 'Cannot start:\n  - x' });
  });

  test('the value is not repeated: it may be a secret', () => {
    expect(mistakes({ SECRETS: 'hush' }).join()).not.toContain('hush');
  });

  test('half a group asks for the other half', () => {
    expect(mistakes({ ADMIN_EMAIL: 'a@example.org' })).toEqual([
      'ADMIN_PASSWORD: is needed together with ADMIN_EMAIL',
    ]);
    expect(mistakes({ PAYPAL_CLIENT_ID: 'x' })).toHaveLength(2);
  });

  test('a live key of Stripe moves real money, which a test must not', () => {
    const key = (kind: string) =>
      mistakes({ STRIPE_SECRET_KEY: `${kind}_51Nabc`, STRIPE_WEBHOOK_SECRETS: 'whsec_abcdefgh' });
    expect(key('sk_live')).toEqual([expect.stringMatching('^STRIPE_SECRET_KEY: is a live key')]);
    expect(key('rk_live')).toHaveLength(1);
    expect(key('sk_test')).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)('a data folder without permission is named', () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    expect(mistakes({ DATA_DIR: closed })).toEqual([expect.stringContaining('EACCES')]);
  });
});

test.runIf(process.platform === 'linux')(
  'a data folder that cannot be made is named at once',
  () => {
    expect(mistakes({ DATA_DIR: '/proc/none/var' })).toEqual([
      expect.stringMatching('^DATA_DIR: '),
    ]);
  },
);

describe('config single sign on', () => {
  const { mistakes, read } = readVariables();

  const given = {
    STAFF_SSO_ISSUER: 'https://login.example.org/realms/staff',
    STAFF_SSO_CLIENT_ID: 'lale',
    STAFF_SSO_CLIENT_SECRET: 'secret',
    STAFF_SSO_ROLES: 'CN=Owners,OU=Lale=administrator; staff = reviewer;',
  };

  describe('single sign-on', () => {
    test('is off without an issuer, and passwords are everybody’s', () => {
      expect(read()).toMatchObject({ singleSignOn: undefined, passwordAccounts: 'all' });
    });

    test('reads which value stands for which role; values may hold commas and equals signs', () => {
      expect(read(given).singleSignOn).toEqual({
        issuer: given.STAFF_SSO_ISSUER,
        clientId: 'lale',
        clientSecret: 'secret',
        name: 'SSO',
        scope: 'openid email profile',
        roleClaim: 'roles',
        roles: [
          { value: 'CN=Owners,OU=Lale', role: 'administrator' },
          { value: 'staff', role: 'reviewer' },
        ],
        secondFactor: { amr: [], acr: [] },
      });
    });

    test.each(['owners=owner', 'administrator', '=reviewer', ';', 'a=reviewer;b'])(
      'refuses the mapping %s',
      (STAFF_SSO_ROLES) => {
        expect(mistakes({ ...given, STAFF_SSO_ROLES })).toEqual([
          expect.stringMatching(/^STAFF_SSO_ROLES: must be value=role pairs/),
        ]);
      },
    );

    test('names what is missing of it, and a scope that is none', () => {
      expect(mistakes({ STAFF_SSO_ISSUER: given.STAFF_SSO_ISSUER })).toEqual(
        ['CLIENT_ID', 'CLIENT_SECRET', 'ROLES'].map(
          (name) => `STAFF_SSO_${name}: is needed together with STAFF_SSO_ISSUER`,
        ),
      );
      expect(mistakes({ ...given, STAFF_SSO_SCOPE: 'email' })).toEqual([
        'STAFF_SSO_SCOPE: must contain openid',
      ]);
    });

    test('in live mode goes by TLS, or to this machine', () => {
      const named = (issuer: string) =>
        liveMistakes({ STAFF_SSO_ISSUER: issuer }).filter((one) => one.startsWith('STAFF_'));
      expect(named('http://login.example.org')).toEqual([
        'STAFF_SSO_ISSUER: must begin with https:// (MODE=live)',
      ]);
      expect(named('https://login.example.org')).toEqual([]);
      expect(named('http://127.0.0.1:8080')).toEqual([]);
    });
  });

  describe('whose passwords are taken', () => {
    test.each([
      ['none', []],
      ['all', 'all'],
      ['Safe@Example.org, second@example.org', ['safe@example.org', 'second@example.org']],
    ])('%s', (STAFF_PASSWORD_SIGN_IN, accounts) => {
      expect(read({ ...given, STAFF_PASSWORD_SIGN_IN }).passwordAccounts).toEqual(accounts);
    });

    test('is everybody’s without an identity provider, and nothing else', () => {
      expect(mistakes({ STAFF_PASSWORD_SIGN_IN: 'none' })).toEqual([
        expect.stringMatching(/^STAFF_PASSWORD_SIGN_IN: must stay all/),
      ]);
      expect(mistakes({ ...given, STAFF_PASSWORD_SIGN_IN: 'nobody' })).toEqual([
        expect.stringMatching(/^STAFF_PASSWORD_SIGN_IN: must be all, none, or e-mail addresses/),
      ]);
    });
  });
});
