import { sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { firstCountries } from '~/features/catalog/store.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { useDatabase } from '../../../test/database.ts';
import { ConfigError } from '../config/config-error.server.ts';
import { gotNoConnection, isReachable, openDatabase } from './database.server.ts';
import { makeSealer } from '../crypto/crypto.server.ts';
import { isUniqueViolation } from '../log/database-error.server.ts';
import { sealedFiles } from '../files/files.server.ts';
import { folderStore } from '../files/open-store.server.ts';
import { makeMail } from '../mail/mail.server.ts';
import { migrate } from './migrate.server.ts';
import { makeLimiter } from '../http/rate-limit.server.ts';
import { AskedInsideTransaction } from './transaction-scope.server.ts';
import { isUnavailable } from '../http/unavailable.server.ts';

const { db, pool, url } = await useDatabase();
const limit = { name: 'database_test', points: 100, seconds: 60 };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a unique violation is told, with the constraint it is about', async () => {
  await pool.query('create table u (name text constraint u_name unique)');
  await db.execute(sql`insert into u values ('a')`);
  const error = await failure(db.execute(sql`insert into u values ('a')`));
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, 'u_name')).toBe(true);
  expect(isUniqueViolation(error, 'other')).toBe(false);
  expect(isUniqueViolation(await failure(db.execute(sql`select 1/0`)))).toBe(false);
  expect(isUniqueViolation(undefined)).toBe(false);
});

test('cut connections are replaced, also in the middle of a transaction', async () => {
  const other = openDatabase(url, { poolSize: 1 });
  const otherClient = await other.pool.connect();
  const cut = failure(
    db.transaction(async (tx) => {
      await otherClient.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      const others = async () =>
        (
          await otherClient.query(
            'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          )
        ).rowCount;
      await expect.poll(others, { interval: 5 }).toBe(0);
      await tx.execute(sql`select 1`);
    }),
  );
  expect(isUnavailable(await cut)).toBe(true);
  otherClient.release();
  await other.close();
  expect(await isReachable(db)).toBe(true);
});

test.each([
  ['the database of a lone statement', 'select pg_terminate_backend(pg_backend_pid())', true],
  ['a mistake in a statement', 'select 1 / 0', false],
])('%s is told apart', async (_, statement, away) => {
  const error = await failure(db.execute(sql.raw(statement)));
  expect(isUnavailable(error)).toBe(away);
});

test('a partner whose connection broke is not the database', () => {
  const partner = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  expect(isUnavailable(new Error('asking the partner failed', { cause: partner }))).toBe(false);
});

describe('inside a transaction', () => {
  const asked = new AskedInsideTransaction();
  const dataDir = mkdtempSync(join(tmpdir(), 'test-slow-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const key = new Uint8Array(32);
  const files = sealedFiles(
    folderStore(join(dataDir, 'files')),
    makeSealer({ data: [{ id: 'a', key }], lookup: key }),
  );
  const mail = makeMail({ dataDir, mailUrl: undefined, mailFrom: 'a@lale.example' });
  const email = { to: 'b@lale.example', subject: '', html: '', text: '', messageId: '<1@lale>' };

  test.each([
    ['a statement on the pool', () => db.execute(sql`select 1`)],
    ['another transaction', () => db.transaction((tx) => tx.execute(sql`select 1`))],
    ['a connection', async () => (await pool.connect()).release()],
    ['a query of the pool itself', () => pool.query('select 1')],
    ['settings that may be kept', async () => currentSettings(db)],
    ['nationalities that may be kept', async () => firstCountries(db)],
    ['a rate limit', () => makeLimiter(pool, limit).consume('somebody')],
    ['storing a file', () => files.put(Buffer.from('x'), { mediaType: 'text/plain' })],
    ['reading a file', () => files.read(randomUUID())],
    ['removing a file', () => files.remove(randomUUID())],
    ['sending an e-mail', () => mail.send(email)],
  ])('%s is refused', async (_, ask) => {
    const error = await failure(db.transaction(async () => void (await ask())));
    expect(error instanceof Error && (error.cause ?? error)).toEqual(asked);
    await ask();
  });

  test('is not asked twice for one connection, and the pool is whole afterwards', async () => {
    const small = openDatabase(url, { poolSize: 1 });
    const results = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        small.db.transaction(async (tx) => {
          await tx.transaction((inner) => inner.execute(sql`select 1`));
          return n;
        }),
      ),
    );
    expect(results).toEqual([1, 2, 3, 4]);
    expect(await failure(small.db.transaction(() => Promise.reject(new Error('no'))))).toEqual(
      new Error('no'),
    );
    expect(await isReachable(small.db)).toBe(true);
    await small.close();
  });

  test('work that outlives it may ask again', async () => {
    const later = Promise.withResolvers<void>();
    let left: Promise<boolean> | undefined;
    await db.transaction(async () => {
      left = later.promise.then(() => isReachable(db));
    });
    later.resolve();
    expect(await left).toBe(true);
  });
});

test('a connection on which BEGIN fails goes back to its pool', async () => {
  const small = openDatabase(url, { poolSize: 1 });
  const broken = failure(
    // PostgreSQL knows no such level: BEGIN itself fails.
    small.db.transaction(async () => undefined, JSON.parse('{"isolationLevel":"none such"}')),
  );
  expect(await broken).toBeInstanceOf(Error);
  expect(await isReachable(small.db)).toBe(true);
  await small.close();
});

test('who waits too long for a connection, or finds no database, is told apart from who fails', async () => {
  // Long enough to connect on a busy machine, too.
  const small = openDatabase(url, { poolSize: 1, waitMs: 2000 });
  const held = await small.pool.connect();
  expect(gotNoConnection(await failure(small.db.execute(sql`select 1`)))).toBe(true);
  expect(gotNoConnection(await failure(small.db.transaction(async () => undefined)))).toBe(true);
  held.release();
  expect(gotNoConnection(await failure(small.db.execute(sql`select 1/0`)))).toBe(false);
  await small.close();
  const none = openDatabase('postgres://nobody@127.0.0.1:1/none');
  expect(gotNoConnection(await failure(none.db.execute(sql`select 1`)))).toBe(true);
  await none.close();
});

test('migrating again changes nothing, three processes at once take turns', async () => {
  await Promise.all([migrate(url), migrate(url), migrate(pool)]);
  expect(await isReachable(db)).toBe(true);
});

test('a database of a build before the first release is refused with one message', async () => {
  const moved = (by: number) =>
    pool.query('update drizzle.__drizzle_migrations set created_at = created_at + $1', [by]);
  await moved(-1);
  const refused = await failure(migrate(pool));
  await moved(1);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toContain('before the first release');
  await migrate(pool);
});

test('a database that a later release migrated is left as it is', async () => {
  const { rows } = await pool.query<{ id: number }>(
    `insert into drizzle.__drizzle_migrations (hash, created_at)
     select 'later', max(created_at) + 1 from drizzle.__drizzle_migrations returning id`,
  );
  await migrate(pool);
  await pool.query('delete from drizzle.__drizzle_migrations where id = $1', [rows[0]?.id]);
});

test('a database that is not there is not reachable', async () => {
  const { db: none, close } = openDatabase('postgres://nobody@127.0.0.1:1/none');
  expect(await isReachable(none)).toBe(false);
  await close();
});
