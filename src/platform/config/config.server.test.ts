import { chmodSync, mkdirSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, it } from 'vitest';
import fc from 'fast-check';
import { readVariables } from '../testing/read-variables.ts';
import { ConfigError, readConfig, liveMistakes } from './config.server.ts';
import { sampleOperator } from './sample-operator.ts';
import { filesLiveMistakes, readS3Address, s3AddressMistakes } from './config-files.server.ts';
import {
  addressMistake,
  requiresWritable,
  ownerAddress,
  parseServers,
} from './database-address.ts';

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

  test.each([
    ['MAILBOX_URL', 'imaps://host.example'],
    ['MAILBOX_URL', 'pop3://user:password@host.example'],
    ['MAILBOX_ADDRESS', 'answers.of.travellers@lale.example'],
    ['MAILBOX_ADDRESS', 'in+box@lale.example'],
  ])('%s=%s of a mailbox is named', (name, value) => {
    const mailbox = {
      MAILBOX_URL: 'imaps://user:p%40ss@host.example',
      MAILBOX_ADDRESS: 'inbox@lale.example',
    };
    expect(mistakes({ ...mailbox, [name]: value })).toEqual([expect.stringMatching(`^${name}: `)]);
    expect(read(mailbox).mailbox).toMatchObject({ port: 993, password: 'p@ss', isSecure: true });
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

describe('config files', () => {
  const { folder, mistakes, read } = readVariables();

  describe('FILES_URL', () => {
    test('unset keeps files under DATA_DIR', () => {
      expect(read({}).s3).toBeUndefined();
    });

    test('names a bucket of Amazon by region, with the credentials of the machine', () => {
      expect(read({ FILES_URL: 's3://lale-files?region=eu-central-1' }).s3).toEqual({
        bucket: 'lale-files',
        prefix: '',
        endpoint: undefined,
        region: 'eu-central-1',
        isPathStyle: false,
        timeoutMs: 10_000,
      });
      expect(read({ FILES_URL: 's3://lale-files', AWS_REGION: 'eu-west-1' }).s3?.region).toBe(
        'eu-west-1',
      );
    });

    test('names a bucket of any other store, with a prefix and credentials', () => {
      const variables = {
        FILES_URL: 's3://files/lale/live/?endpoint=https://s3.example.org:9000',
        FILES_TIMEOUT_MS: '3000',
        AWS_ACCESS_KEY_ID: 'somebody',
        AWS_SECRET_ACCESS_KEY: 'hush',
      };
      expect(read(variables).s3).toEqual({
        bucket: 'files',
        prefix: 'lale/live',
        endpoint: 'https://s3.example.org:9000',
        region: 'us-east-1',
        isPathStyle: true,
        credentials: {
          accessKeyId: 'somebody',
          secretAccessKey: 'hush',
          sessionToken: undefined,
        },
        timeoutMs: 3000,
      });
      const byHost = read({ ...variables, FILES_URL: `${variables.FILES_URL}&addressing=host` });
      expect(byHost.s3?.isPathStyle).toBe(false);
    });

    test.each([
      ['files', 'must be an address like s3://'],
      ['https://s3.example.org/files', 'must be an address like s3://'],
      ['s3://Files?region=x', 'needs a bucket'],
      ['s3://fi?region=x', 'needs a bucket'],
      ['s3://files:80?region=x', 'needs a bucket'],
      ['s3://files', 'needs region='],
      ['s3://me:hush@files?region=x', 'must not hold credentials'],
      ['s3://files/a//b?region=x', 'may have a prefix'],
      ['s3://files/..%2Fb?region=x', 'may have a prefix'],
      ['s3://files/...?region=x', 'may have a prefix'],
      ['s3://files?endpoint=s3.example.org', 'endpoint must be'],
      ['s3://files?endpoint=ftp://s3.example.org', 'endpoint must be'],
      ['s3://files?endpoint=https://s3.example.org/files', 'endpoint must be'],
      ['s3://files?endpoint=https://me:hush@s3.example.org', 'endpoint must be'],
      ['s3://files?region=eu%20central', 'region must be'],
      ['s3://files?region=x&addressing=dns', 'addressing must be'],
      ['s3://files?region=x&region=y', 'once'],
      ['s3://files?region=x&secret=hush', 'does not know the parameter "secret"'],
      ['s3://files?region=x#part', 'after #'],
    ])('as %s is refused, without its secrets', (address, why) => {
      const named = mistakes({ FILES_URL: address });
      expect(named).toEqual([expect.stringMatching(`^FILES_URL: .*${RegExp.escape(why)}`)]);
      expect(named.join()).not.toContain('hush');
    });

    test('every address is either understood or told what is wrong with it', () => {
      const part = fc.stringMatching(/^[a-zA-Z0-9:/?#&=@.%~-]{0,40}$/);
      fc.assert(
        fc.property(part, (rest) => {
          const address = `s3://${rest}`;
          if (s3AddressMistakes(address).length > 0) return;
          const { bucket, prefix } = readS3Address(address);
          expect(bucket).toMatch(/^[a-z0-9-]{3,63}$/);
          expect(prefix).not.toMatch(/^\/|\/$|\/\/|(^|\/)\.+(\/|$)/);
        }),
        { numRuns: 2000 },
      );
    });

    test('names every mistake of an address', () => {
      expect(mistakes({ FILES_URL: 's3://F?endpoint=x&addressing=y' })).toHaveLength(3);
    });
  });

  test('half of the credentials asks for the other half', () => {
    const address = { FILES_URL: 's3://files?region=eu-central-1' };
    expect(mistakes({ ...address, AWS_ACCESS_KEY_ID: 'somebody' })).toEqual([
      'AWS_SECRET_ACCESS_KEY: is needed together with AWS_ACCESS_KEY_ID',
    ]);
  });

  test.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'])(
    '%s, which the client would follow past our checks, is refused',
    (name) => {
      const address = { FILES_URL: 's3://files?region=eu-central-1' };
      expect(mistakes({ ...address, [name]: 'http://elsewhere' })).toEqual([
        expect.stringMatching(`^${name}: must be named in FILES_URL`),
      ]);
      expect(mistakes({ [name]: 'http://elsewhere' })).toEqual([]);
    },
  );

  test.each([
    ['Amazon’s own', 's3://files?region=eu-central-1', []],
    ['by TLS', 's3://files?endpoint=https://s3.example.org', []],
    ['on this machine', 's3://files?endpoint=http://127.0.0.1:9000', []],
    ['in the clear', 's3://files?endpoint=http://s3.example.org', [expect.stringMatching('https')]],
  ])('live mode and a store %s', (_, address, expected) => {
    expect(filesLiveMistakes({ FILES_URL: address })).toEqual(expected);
    expect(filesLiveMistakes({ FILES_URL: address, FILES_WITHOUT_TLS: 'yes' })).toEqual([]);
  });

  test('a live process whose database, files and mail are elsewhere needs no data folder', () => {
    const blocked = join(folder, 'a-file');
    writeFileSync(blocked, '');
    const elsewhere = {
      MODE: 'live',
      DATA_DIR: join(blocked, 'var'),
      DATABASE_URL: 'postgres://127.0.0.1/lale',
      MAIL_URL: 'smtp://127.0.0.1',
      FILES_URL: 's3://files?region=eu-central-1',
    };
    const named = (variables: Record<string, string>) =>
      mistakes(variables).filter((mistake) => mistake.startsWith('DATA_DIR'));
    expect(named(elsewhere)).toEqual([]);
    expect(existsSync(elsewhere.DATA_DIR)).toBe(false);
    for (const name of ['DATABASE_URL', 'MAIL_URL', 'FILES_URL', 'MODE']) {
      expect(named({ ...elsewhere, [name]: '' }), name).toHaveLength(1);
    }
  });
});

const names = (address: string) => parseServers(address)?.map(({ name }) => name);

describe('the servers of an address', () => {
  it('are those between account and database, in their order, each with its port', () => {
    expect(names('postgres://u:p@one,two:5433,[::1]:5434/lale?sslmode=verify-full')).toEqual([
      'one:5432/lale',
      'two:5433/lale',
      '[::1]:5434/lale',
    ]);
  });

  it('keep account, database and parameters, each for itself', () => {
    expect(parseServers('postgresql://u:p@one:1,two/lale?a=b')?.map(({ url }) => url)).toEqual([
      'postgresql://u:p@one:1/lale?a=b',
      'postgresql://u:p@two/lale?a=b',
    ]);
  });

  it('are not divided by what stands in the password', () => {
    expect(names('postgres://u:p,a@b@one,two/lale')).toEqual(['one:5432/lale', 'two:5432/lale']);
  });

  it('are one for one host, and for a folder of sockets', () => {
    expect(names('postgres://u:p@one/lale')).toEqual(['one:5432/lale']);
    expect(parseServers('postgres:///lale?host=/run/postgresql')?.[0]?.host).toBe('');
  });

  it('are named by the parameter where there is one, as the driver takes it', () => {
    expect(parseServers('postgres://localhost/lale?host=db.internal')?.[0]?.host).toBe(
      'db.internal',
    );
  });

  it('come back from any list of hosts and ports', () => {
    const host = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
    const server = fc.tuple(host, fc.integer({ min: 1, max: 65_535 }));
    fc.assert(
      fc.property(fc.array(server, { minLength: 1, maxLength: 5 }), (servers) => {
        const hosts = servers.map((one) => one.join(':')).join(',');
        expect(names(`postgres://u:p@${hosts}/lale`)).toEqual(
          servers.map((one) => `${one.join(':')}/lale`),
        );
      }),
    );
  });
});

describe('an address is refused', () => {
  it.each([
    ['another database', 'mysql://one/lale', 'postgres://'],
    ['a host between commas that is missing', 'postgres://u:p@one,,two/lale', 'commas'],
    ['a port that is none', 'postgres://u:p@one:port/lale', 'commas'],
    ['several hosts among the parameters', 'postgres:///lale?host=one,two', 'host='],
    ['standbys', 'postgres://one,two/lale?target_session_attrs=standby', 'the service writes'],
  ])('with %s', (_what, address, why) => expect(addressMistake(address)).toContain(why));

  it('for nothing else', () => {
    expect(
      addressMistake('postgres://u:p@one,two/lale?target_session_attrs=read-write'),
    ).toBeNull();
    expect(addressMistake('postgres://one/lale')).toBeNull();
  });
});

it('one server is asked whether it can be written to where the address says so', () => {
  const asks = (address: string) => parseServers(address)?.map(requiresWritable);
  expect(asks('postgres://one/lale?target_session_attrs=read-write')).toEqual([true]);
  expect(asks('postgres://one/lale?target_session_attrs=any')).toEqual([false]);
  expect(asks('postgres://one/lale')).toEqual([false]);
});

describe('the owner’s address', () => {
  it.each([
    [
      'postgres://lale_owner@database:5432/lale',
      'postgres://lale_owner:p%2F%40@database:5432/lale',
    ],
    [
      'postgres://o@one,two/lale?sslmode=verify-full',
      'postgres://o:p%2F%40@one,two/lale?sslmode=verify-full',
    ],
    ['postgres://o:own@one/lale', 'postgres://o:own@one/lale'],
    ['postgres://one/lale', 'postgres://one/lale'],
  ])('%s gets the password where it has none', (DATABASE_URL, expected) => {
    expect(ownerAddress({ DATABASE_URL, DATABASE_OWNER_PASSWORD: 'p/@' })).toBe(expected);
    expect(ownerAddress({ DATABASE_URL })).toBe(DATABASE_URL);
  });

  it('is none without an address', () => {
    expect(ownerAddress({ DATABASE_URL: '', DATABASE_OWNER_PASSWORD: 'p' })).toBeUndefined();
  });
});
