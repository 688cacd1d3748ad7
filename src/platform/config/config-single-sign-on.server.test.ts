import { describe, expect, test } from 'vitest';
import { liveMistakes } from './config.server.ts';
import { readVariables } from '../testing/read-variables.ts';

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
