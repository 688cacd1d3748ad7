import fc from 'fast-check';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesLiveMistakes, readS3Address, s3AddressMistakes } from './config-files.server.ts';
import { readVariables } from '../testing/read-variables.ts';

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
