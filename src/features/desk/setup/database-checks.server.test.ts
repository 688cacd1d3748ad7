import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test, beforeEach } from 'vitest';
import { recordBackup } from '~/platform/backup/backup-store.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { grantService } from '~/platform/postgres/migrate.server.ts';
import { onServer, useDatabase } from '../../../../test/database.ts';
import {
  accountsCheck,
  backupsCheck,
  databaseCheck,
  factorsCheck,
  insuranceCheck,
  operatorCheck,
} from './database-checks.server.ts';
import type { CheckReport } from './setup-check.ts';
import { insertAccount } from '~/features/staff/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { sampleTerms, endSampleTerms } from '~/features/insurance/store/seed.server.ts';
import { insertChange } from '~/features/settings/store.server.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';

const outcomeOf = ({ state, found }: CheckReport) => [state, ...found.map(({ code }) => code)];
const suffix = randomBytes(6).toString('hex');
const clerk = `clerk_${suffix}`;
const stranger = `stranger_${suffix}`;
const keeper = `keeper_${suffix}`;
// Runs last: a role can be dropped once the database in which it has rights is gone.
afterAll(() => onServer(`drop role if exists ${clerk}, ${stranger}, ${keeper}`));
const owner = await useDatabase();

const openAs = (username: string, password = 'right-password') => {
  const url = Object.assign(new URL(owner.url), { username, password }).href;
  return { ...openDatabase(url, { poolSize: 2 }), url };
};
/** One check through an account of its own, whose connections are closed afterwards. */
async function through(
  opened: ReturnType<typeof openAs>,
  check: (opened: ReturnType<typeof openAs>) => Promise<CheckReport>,
): Promise<CheckReport> {
  return check(opened).finally(opened.close);
}
for (const role of [clerk, stranger, keeper]) {
  await owner.pool.query(`create role ${role} login password 'right-password'`);
}
await grantService(owner.pool, clerk);
const service = openAs(clerk);
afterAll(service.close);

describe('the database', () => {
  const check = ({ pool, url }: Pick<typeof service, 'pool' | 'url'>) => databaseCheck(pool, url);

  test('that answers with the schema of this release is in order', async () => {
    expect(outcomeOf(await check(service))).toEqual(['ok', 'databaseGood']);
  });

  test('one that does not let us in is named without the password', async () => {
    const refused = await through(openAs(clerk, 'wrong-password'), check);
    expect(outcomeOf(refused)).toEqual(['missing', 'mistake']);
    expect(JSON.stringify(refused)).toContain('wrong account or password');
    expect(JSON.stringify(refused)).not.toContain('wrong-password');
  });

  test('one of a build before the first release stands in the way', async () => {
    const moved = (by: number) =>
      owner.pool.query('update drizzle.__drizzle_migrations set created_at = created_at + $1', [
        by,
      ]);
    await moved(-1);
    const old = await check(service).finally(() => moved(1));
    expect(outcomeOf(old)).toEqual(['missing', 'mistake']);
    expect(JSON.stringify(old)).toContain('cannot be migrated');
  });

  test('one whose owner has not let the account in needs its owner', async () => {
    const closed = await through(openAs(stranger), check);
    expect(outcomeOf(closed)).toEqual(['missing', 'schemaOld']);
    expect(closed.mend[0]?.text).toContain('npm run lale -- migrate');
  });
});

describe('the account', () => {
  test('that owns nothing is in order', async () => {
    expect(outcomeOf(await accountsCheck(service.db))).toEqual(['ok', 'accountGood']);
  });

  test('the owner of the tables', async () => {
    expect(outcomeOf(await accountsCheck(owner.db))).toEqual(['missing', 'accountOwns']);
  });

  test('a member of a role that owns a table', async () => {
    const { pool } = owner;
    await pool.query(`grant ${keeper} to current_user`);
    await pool.query(`grant create on schema public to ${keeper}`);
    await pool.query('create table kept_by_another ()');
    await pool.query(`alter table kept_by_another owner to ${keeper}`);
    await pool.query(`grant ${keeper} to ${stranger}`);
    const found = await through(openAs(stranger), ({ db }) => accountsCheck(db));
    expect(outcomeOf(found)).toEqual(['missing', 'accountOwns']);
  });

  test('one that may change the audit trail', async () => {
    await owner.pool.query(`grant update on audit_entry to ${clerk}`);
    expect(outcomeOf(await accountsCheck(service.db))).toEqual(['missing', 'accountChanges']);
    await owner.pool.query(`revoke update on audit_entry from ${clerk}`);
    expect(outcomeOf(await accountsCheck(service.db))).toEqual(['ok', 'accountGood']);
  });
});

describe('backups', () => {
  const now = () => new Date('2026-11-23T10:00:00Z');
  const check = (recipient?: string) => backupsCheck(owner.db, { recipient, now });
  const record = (hoursAgo: number, missingFiles = 0) => {
    const at = new Date(now().getTime() - hoursAgo * 3600_000);
    return recordBackup(owner.db, {
      begunAt: at,
      endedAt: at,
      rows: 1,
      files: 1,
      bytes: 1,
      missingFiles,
    });
  };

  test('without a recipient and without archiving leave open whether there are other copies', async () => {
    expect(outcomeOf(await check())).toEqual(['unknown', 'backupUnset', 'backupsOff']);
  });

  test('are there once one was written in the last night, and was whole', async () => {
    expect(outcomeOf(await check('age1…'))).toEqual(['missing', 'backupNone']);
    await record(27);
    expect(outcomeOf(await check('age1…'))).toEqual(['missing', 'backupOld']);
    await record(2, 1);
    expect(outcomeOf(await check('age1…'))).toEqual(['missing', 'backupIncomplete']);
    await record(1);
    expect(outcomeOf(await check('age1…'))).toEqual(['ok', 'backupGood']);
  });
});

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
