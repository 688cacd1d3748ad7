import { beforeEach, describe, expect, test } from 'vitest';
import { insertAccount } from '~/features/staff/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { sampleTerms, endSampleTerms } from '~/features/insurance/store/seed.server.ts';
import { insertChange } from '~/features/settings/store.server.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import { factorsCheck, insuranceCheck, operatorCheck } from './database-checks.server.ts';
import type { Result } from './setup-check.ts';

const outcomeOf = ({ state, found }: Result) => [state, ...found.map(({ code }) => code)];

test('insurance: samples, none, an insurer’s terms, and none by decision', async () => {
  const platform = await makeTestPlatform();
  const { db } = platform;
  const check = async () => outcomeOf(await insuranceCheck(platform));
  expect(await check()).toEqual(['unknown', 'insuranceNone']);
  await seedAll(db, seeders, platform.now());
  expect(await check()).toEqual(['missing', 'insuranceSample']);
  await endSampleTerms(db, 'live', platform.now());
  expect(await check()).toEqual(['unknown', 'insuranceNone']);
  const { id: staffId } = await storeStaff(platform, { role: 'administrator' });
  const decide = (terms: object | null) => {
    platform.clock.advance(1000);
    const at = platform.now();
    const change = { values: { terms }, validFrom: at, createdAt: at, reason: 'A test', staffId };
    return db.transaction((tx) => insertChange(tx, { section: 'insurance_terms', ...change }));
  };
  const real = { ...sampleTerms, isSample: false, insurer: 'Bosphorus Insurance' };
  await decide(real);
  expect(await check()).toEqual(['unknown', 'insuranceThin']);
  const [medical, ...others] = sampleTerms.covers;
  const asked = (title: string, limit: string) =>
    decide({
      ...real,
      covers: [
        {
          ...medical,
          title: { ...medical?.title, en: title },
          limit: { ...medical?.limit, en: limit },
        },
        ...others,
      ],
    });
  await asked('Medical treatment, transfer, return and repatriation', 'EUR 29,999');
  expect(await check()).toEqual(['unknown', 'insuranceThin']);
  await asked('Medical treatment, transfer and return', 'EUR 30,000');
  expect(await check()).toEqual(['ok', 'insuranceGood']);
  await asked('Medical treatment, transfer and burial', 'EUR 30,000');
  expect(await check()).toEqual(['unknown', 'insuranceThin']);
  await asked('Medical treatment, transfer, return and repatriation', 'EUR 30,000');
  expect(await insuranceCheck(platform)).toMatchObject({
    state: 'ok',
    found: [{ code: 'insuranceGood', values: { insurer: 'Bosphorus Insurance' } }],
  });
  await decide(null);
  expect(await check()).toEqual(['ok', 'insuranceEnded']);
});

describe('the operator', () => {
  let platform: TestPlatform;
  beforeEach(async () => void (platform = await makeTestPlatform()));
  const real = {
    legalName: 'Tulip Travel Ltd',
    address: '1 Garden Road, Izmir',
    taxNumber: '1234567890',
    supportEmail: 'help@tulip-travel.com',
    supportPhone: '+90 232 000 00 00',
  };
  const check = async (operator: typeof real) =>
    outcomeOf(await operatorCheck({ operator }, platform));

  test('is in order with real details, and not with samples or a placeholder', async () => {
    expect(await check(real)).toEqual(['ok', 'operatorGood']);
    expect(await check({ ...platform.config.operator })).toEqual(['missing', 'operatorSample']);
    const open = { ...real, taxNumber: '[Operator tax number]', supportEmail: 'by telephone' };
    expect(await check(open)).toEqual(['missing', 'mistake', 'mistake']);
  });

  test('what an administrator has set counts before the variables', async () => {
    const at = platform.now();
    const { id: staffId } = await storeStaff(platform, { role: 'administrator' });
    await platform.db.transaction((tx) =>
      insertChange(tx, {
        section: 'operator',
        values: { taxNumber: '1234567890' },
        validFrom: at,
        createdAt: at,
        reason: 'A test',
        staffId,
      }),
    );
    expect(await check({ ...real, taxNumber: '' })).toEqual(['ok', 'operatorGood']);
  });
});

test('second factors: nobody, an administrator without one, with one, a manager without one', async () => {
  const platform = await makeTestPlatform();
  const check = async () => outcomeOf(await factorsCheck(platform));
  const store = (email: string, role: 'reviewer' | 'manager' | 'administrator', has: boolean) =>
    insertAccount(platform.db, {
      id: crypto.randomUUID(),
      email,
      name: 'E. Aydın',
      role,
      passwordHash: 'none',
      totpSecret: has ? Buffer.from('sealed') : null,
      createdAt: platform.now(),
    });
  const withFirst = {
    adminEmail: 'first@lale.example',
    passwordAccounts: 'all',
    singleSignOn: undefined,
  } as const;
  expect(await check()).toEqual(['missing', 'administratorsNone']);
  expect(await factorsCheck(platform, withFirst)).toMatchObject({
    state: 'missing',
    found: [{ code: 'administratorComes' }],
    mend: [{ kind: 'command', text: 'npm start' }],
  });
  await store('manager@lale.example', 'manager', true);
  expect(await check()).toEqual(['missing', 'administratorsNone']);
  // Where there are accounts, a start creates none.
  expect(outcomeOf(await factorsCheck(platform, withFirst))).toEqual([
    'missing',
    'administratorsNone',
  ]);
  await store('administrator@lale.example', 'administrator', true);
  await store('reviewer@lale.example', 'reviewer', true);
  expect(await check()).toEqual(['ok', 'factorsGood']);
  await store('another@lale.example', 'administrator', false);
  expect(await factorsCheck(platform)).toMatchObject({
    state: 'missing',
    found: [{ code: 'factorsMissing', values: { all: 4, without: 1 } }],
    mend: [{ kind: 'page', text: '/admin/accounts' }],
  });
  // The identity provider's second factor is enough for whoever has no password that is taken.
  const singleSignOn = {
    issuer: 'https://login.example.org',
    clientId: 'lale',
    clientSecret: 'secret',
    name: 'SSO',
    scope: 'openid email',
    roleClaim: 'roles',
    roles: [],
    secondFactor: { amr: ['mfa'], acr: [] },
  };
  const trusting = (passwordAccounts: 'all' | string[]) =>
    factorsCheck(platform, { adminEmail: '', passwordAccounts, singleSignOn });
  expect(outcomeOf(await trusting('all'))).toEqual(['missing', 'factorsMissing']);
  expect(outcomeOf(await trusting(['another@lale.example']))).toEqual([
    'missing',
    'factorsMissing',
  ]);
  expect(outcomeOf(await trusting([]))).toEqual(['ok', 'factorsGood']);
});
