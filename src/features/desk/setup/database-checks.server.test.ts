import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { recordBackup } from '~/platform/backup/backup-store.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { grantService } from '~/platform/postgres/migrate.server.ts';
import { onServer, useDatabase } from '../../../../test/database.ts';
import { accountsCheck, backupsCheck, databaseCheck } from './database-checks.server.ts';
import type { Result } from './setup-check.ts';

const outcomeOf = ({ state, found }: Result) => [state, ...found.map(({ code }) => code)];
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
  check: (opened: ReturnType<typeof openAs>) => Promise<Result>,
): Promise<Result> {
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
