import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '../src/app/api.server.ts';
import { audit } from '../src/features/staff/audit.server.ts';
import { sealDays, verifyTrail } from '../src/features/staff/audit/audit-seal.server.ts';
import { firstDayOfAuditTrail } from '../src/features/staff/accounts/jobs.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { jobHandlers, schedule } from '../src/app/jobs.server.ts';
import { ConfigError } from '../src/platform/config/config-error.server.ts';
import { openDatabase } from '../src/platform/postgres/database.server.ts';
import { grantService, migrate } from '../src/platform/postgres/migrate.server.ts';
import { countJobs, enqueue, startJobs } from '../src/platform/jobs/jobs.server.ts';
import { onServer, useDatabase } from './database.ts';
import { makeTestApp } from './pages.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';

// The service as it should run in production: with an account that owns none of its tables.
const suffix = randomBytes(6).toString('hex');
const role = `clerk_${suffix}`;
const outsider = `outsider_${suffix}`;
// Runs last: a role can be dropped once the database in which it has rights is gone.
afterAll(() => onServer(`drop role if exists ${role}, ${outsider}`));
const owner = await useDatabase();
for (const name of [role, outsider]) {
  await owner.pool.query(`create role ${name} login password 'secret'`);
}
const urlOf = (username: string): URL =>
  Object.assign(new URL(owner.url), { username, password: 'secret' });
const url = urlOf(role);
const restricted = { ...openDatabase(url.href, { poolSize: 10 }), url: url.href };
afterAll(() => restricted.close());

test('before the owner has let it in, the start says what to do', async () => {
  const refused = await migrate(urlOf(outsider).href).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toContain('npm run lale -- migrate');
});

// A second run changes nothing; it is run after every release.
await grantService(owner.pool, role);
await grantService(owner.pool, role);
const service = await startTestService({ database: restricted });
const { platform, payments } = service;
// An entry and a seal, so that there is something to change.
await audit(owner.db, {
  at: new Date(platform.now().getTime() - 24 * 3600_000),
  staffId: null,
  action: 'signed_in',
  subject: { kind: 'account', id: 'somebody' },
  detail: {},
});
await sealDays(platform);

describe('once it is allowed in', () => {
  const handlers = jobHandlers(platform, payments);

  test('it starts on the schema that the owner made, several at once', async () => {
    await Promise.all([migrate(url.href, 'test'), migrate(url.href, 'test')]);
  });

  test('travellers buy, staff look, and what follows is done', async () => {
    const { place, start, pay, comeBack, expectPaidOnce } = purchases(service);
    const order = await place();
    await comeBack(await pay(await start(order)));
    await expectPaidOnce(order);
    const { cookie } = await storeStaff(platform, { role: 'administrator' });
    const app = makeTestApp(platform, payments);
    for (const path of ['/admin', `/admin/orders/${order.number}`, '/admin/audit', '/en']) {
      expect((await app.request(path, { headers: { cookie } })).status, path).toBe(200);
    }
    expect((await api(platform, payments).request('/api/countries')).status).toBe(200);
    await service.runJobs();
    expect(await countJobs(platform.db)).toEqual({ waiting: 0, failed: 0 });
    expect(platform.sent.length).toBeGreaterThan(0);
  });

  test('every job of the clock runs', async () => {
    for (const { name } of schedule) await enqueue(platform.db, name);
    await service.runJobs();
    expect(await countJobs(platform.db)).toMatchObject({ failed: 0 });
  });

  test('a runner takes jobs and is told of new ones', async () => {
    const done = Promise.withResolvers<void>();
    const jobs = startJobs({
      pool: platform.pool,
      log: platform.log,
      handlers: { ...handlers, 'test.told': () => done.resolve() },
      schedule,
    });
    await jobs.ready;
    await enqueue(platform.db, 'test.told');
    await done.promise;
    await jobs.stop();
  });

  test('days are sealed, and what was sealed holds', async () => {
    platform.clock.advance(3 * 24 * 3600_000);
    expect((await sealDays(platform)).length).toBeGreaterThan(0);
    const { findings, entries } = await verifyTrail(platform, firstDayOfAuditTrail(platform.now()));
    expect(findings).toEqual([]);
    expect(entries).toBeGreaterThan(0);
  });

  test.each([
    `update audit_entry set action = 'x'`,
    'delete from audit_entry',
    'truncate audit_entry',
    `update audit_seal set entries = 0`,
    'delete from audit_seal',
    'truncate audit_seal',
    'alter table audit_entry disable trigger all',
    'alter table audit_entry disable trigger user',
    'drop trigger audit_entry_append_only on audit_entry',
    'drop table audit_entry',
    'drop function audit_refuse() cascade',
    `create or replace function audit_refuse() returns trigger language plpgsql as 'begin return old; end'`,
    'create table mine (n int)',
    'truncate payment_attempt',
    'set session_replication_role = replica',
    'alter table audit_entry owner to current_user',
    `grant update on audit_entry to current_user`,
  ])('the database refuses it: %s', async (statement) => {
    const client = await restricted.pool.connect();
    try {
      const refused = await client.query(statement).catch((error: unknown) => error);
      if (statement.startsWith('grant')) {
        // Granting without the right to is a warning and grants nothing.
        expect(
          (await client.query(`select has_table_privilege('audit_entry', 'update') as may`)).rows,
        ).toEqual([{ may: false }]);
      } else {
        expect(refused).toMatchObject({ code: '42501' });
      }
    } finally {
      client.release(true);
    }
  });

  test('deleting before its time deletes nothing', async () => {
    const before = await owner.db.$count(sql`audit_entry`);
    await platform.db.execute(sql`select audit_delete('2999-01-01')`);
    await platform.db.execute(sql`select set_config('lale.audit_delete', 'on', false)`);
    expect(await owner.db.$count(sql`audit_entry`)).toBe(before);
  });
});

describe('even the owner of the tables, short of a superuser', () => {
  beforeAll(async () => {
    expect(
      (await owner.pool.query(`select current_setting('is_superuser') as super`)).rows,
    ).toEqual([{ super: 'off' }]);
  });

  test.each([
    `update audit_entry set action = 'x'`,
    'delete from audit_entry',
    'truncate audit_entry',
    'truncate audit_entry cascade',
    'delete from audit_seal',
    `set local lale.audit_delete = 'on'; delete from audit_entry`,
    'set local session_replication_role = replica; delete from audit_entry',
  ])('is refused: %s', async (statement) => {
    const client = await owner.pool.connect();
    try {
      await client.query('begin');
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
