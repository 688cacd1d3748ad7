import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test, afterEach, it, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { firstCountries } from '~/features/catalog/store.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { ok, refused } from '~/base/outcome.ts';
import { useDatabase } from '../../../test/database.ts';
import { ConfigError } from '../config/config-error.server.ts';
import { makeSealer } from '../crypto/crypto.server.ts';
import { sealedFiles } from '../files/files.server.ts';
import { folderStore } from '../files/open-store.server.ts';
import { makeMail } from '../mail/mail.server.ts';
import { makeLimiter } from '../http/rate-limit.server.ts';
import { isUnavailable } from '../http/problem.server.ts';
import { freePort } from '../config/port.server.ts';
import { makeLog } from '../log/log.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { isConnectionUnavailable, isReachable, openDatabase } from './database.server.ts';
import { migrate, checkDatabase } from './migrate.server.ts';
import { AskedInsideTransaction } from './transaction-scope.server.ts';
import { readFromReplica } from './replica.server.ts';
import { deleteOldKeys, hashRequest, runOncePerKey } from './idempotency.server.ts';

const { db, pool, url } = await useDatabase();
const limit = { name: 'database_test', points: 100, seconds: 60 };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

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
  expect(isConnectionUnavailable(await failure(small.db.execute(sql`select 1`)))).toBe(true);
  expect(isConnectionUnavailable(await failure(small.db.transaction(async () => undefined)))).toBe(
    true,
  );
  held.release();
  expect(isConnectionUnavailable(await failure(small.db.execute(sql`select 1/0`)))).toBe(false);
  await small.close();
  const none = openDatabase('postgres://nobody@127.0.0.1:1/none');
  expect(isConnectionUnavailable(await failure(none.db.execute(sql`select 1`)))).toBe(true);
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

describe('check database', async () => {
  const { url, pool } = await useDatabase();

  async function mistake(change: (url: URL) => void): Promise<string> {
    const changed = new URL(url);
    change(changed);
    const { pool: tried, close } = openDatabase(changed.href);
    const error = await checkDatabase(tried, changed.href).catch((reason: unknown) => reason);
    await close();
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).not.toContain('secret-password');
    return String(error);
  }

  test('a database that answers is accepted', async () => {
    await expect(checkDatabase(pool, url)).resolves.toBeUndefined();
  });

  test.each([
    [
      'the password is wrong',
      (to: URL) => (to.password = 'secret-password'),
      'wrong account or password',
    ],
    ['there is no such database', (to: URL) => (to.pathname = '/none'), 'no such database'],
    ['there is no such host', (to: URL) => (to.hostname = 'none.invalid'), 'none.invalid'],
  ])('it is told when %s', async (_what, change, expected) => {
    expect(await mistake(change)).toContain(expected);
  });

  test('it is told when nothing listens there', async () => {
    const port = String(await freePort());
    expect(await mistake((to) => (to.port = port))).toContain('ECONNREFUSED');
  });
});

describe('replica', async () => {
  // The primary and what stands for its replica are two databases here: what is read tells which one it was.
  const primary = await useDatabase();
  const replica = await useDatabase();
  const log = makeLog({ level: 'silent' });

  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  function open(url: string) {
    const reading = readFromReplica(url, primary.db, log);
    ends.push(reading.close);
    return reading.read;
  }

  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  const whichDatabase = async (db: typeof primary.db) => {
    const { rows } = await db.execute<{ name: string }>('select current_database() as name');
    return rows[0]?.name;
  };

  describe('what may lag', () => {
    it('is read from the replica', async () => {
      const read = open(replica.url);
      expect(await read(whichDatabase)).toBe(nameOf(replica.url));
    });

    it('is read from the primary where there is no replica at that address', async () => {
      const nowhere = new URL(replica.url);
      nowhere.port = '9';
      const read = open(nowhere.href);
      expect(await read(whichDatabase)).toBe(nameOf(primary.url));
      // It is not waited for at every reading.
      const began = performance.now();
      await read(whichDatabase);
      expect(performance.now() - began).toBeLessThan(500);
    });

    it('is read from the primary when the replica goes in the middle of a reading', async () => {
      const read = open(replica.url);
      const seen: (string | undefined)[] = [];
      const answer = await read(async (db) => {
        seen.push(await whichDatabase(db));
        if (seen.length === 1) await db.execute('select pg_terminate_backend(pg_backend_pid())');
        return seen.length;
      });
      expect(answer).toBe(2);
      expect(seen).toEqual([nameOf(replica.url), nameOf(primary.url)]);
    });

    it('fails where the reading itself is wrong, without asking twice', async () => {
      const read = open(replica.url);
      let readings = 0;
      const wrong = read(async (db) => {
        readings += 1;
        await db.execute('select nothing from nowhere');
      });
      await expect(wrong).rejects.toThrow();
      expect(readings).toBe(1);
    });
  });
});

describe('idempotency', async () => {
  const { db, pool, sealer, now } = await makeTestPlatform();

  beforeAll(async () => {
    await pool.query('create table thing (id serial primary key, name text not null)');
  });
  beforeEach(async () => {
    await pool.query('truncate thing, idempotency_key');
  });

  const thing = z.object({ id: z.int(), name: z.string() });

  function request(body: unknown, key = 'k1', scope = 'POST /things', at = now()) {
    return { scope, key, requestHash: hashRequest(sealer, body), made: thing, sealer, now: at };
  }

  /** Stores a thing, slowly enough for duplicates to arrive meanwhile. */
  const makeThing = (body: { name: string }, at = request(body)) =>
    runOncePerKey(db, at, async (tx) => {
      const { rows } = await tx.execute<{ id: number }>(
        sql`insert into thing (name) values (${body.name}) returning id, pg_sleep(0.05)`,
      );
      return ok({ id: rows[0]?.id ?? 0, name: body.name });
    });

  const count = async () => (await pool.query('select from thing')).rowCount;

  test('a repeated request gets the first answer, and nothing is made again', async () => {
    const first = await makeThing({ name: 'a' });
    const second = await makeThing({ name: 'a' });
    expect(first).toEqual(ok({ made: { id: expect.any(Number), name: 'a' }, replayed: false }));
    expect(second).toEqual({ ...first, value: { ...(first.ok && first.value), replayed: true } });
    expect(await count()).toBe(1);
  });

  test('the same key with another request is told so', async () => {
    await makeThing({ name: 'a' });
    expect(await makeThing({ name: 'b' })).toEqual(refused('key_reused'));
    expect(await count()).toBe(1);
  });

  test('twenty duplicates at once make one thing and get one answer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => makeThing({ name: 'a' })));
    const bodies = answers.map((one) => JSON.stringify(one.ok && one.value.made));
    expect(new Set(bodies).size).toBe(1);
    expect(answers.filter((one) => one.ok && !one.value.replayed)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test('keys of different scopes have nothing to do with each other', async () => {
    await makeThing({ name: 'a' }, request({ name: 'a' }, 'k1', 'one'));
    await makeThing({ name: 'a' }, request({ name: 'a' }, 'k1', 'two'));
    expect(await count()).toBe(2);
  });

  test('a refusal stores nothing and frees the key', async () => {
    const done = await runOncePerKey(db, request({ name: 'a' }), async (tx) => {
      await tx.execute(sql`insert into thing (name) values ('a')`);
      return refused({ code: 'wrong_total', due: '94.00' });
    });
    expect(done).toEqual(refused({ code: 'wrong_total', due: '94.00' }));
    expect(await count()).toBe(0);
    expect(await makeThing({ name: 'b' })).toMatchObject({ ok: true, value: { replayed: false } });
  });

  test('after an exception the same request can be tried again', async () => {
    await expect(
      runOncePerKey(db, request({ name: 'a' }), async () => {
        throw new Error('out of paper');
      }),
    ).rejects.toThrow('out of paper');
    expect(await makeThing({ name: 'a' })).toMatchObject({ ok: true, value: { replayed: false } });
  });

  test('inside a transaction that is rolled back nothing is remembered', async () => {
    await db
      .transaction(async (tx) => {
        await runOncePerKey(tx, request({ name: 'a' }), async () => ok({ id: 1, name: 'a' }));
        tx.rollback();
      })
      .catch(() => undefined);
    expect(await makeThing({ name: 'a' })).toMatchObject({ value: { replayed: false } });
  });

  test('after a day the key is free again', async () => {
    await makeThing({ name: 'a' });
    const tomorrow = new Date(now().getTime() + 25 * 3600 * 1000);
    expect(
      await makeThing({ name: 'b' }, request({ name: 'b' }, 'k1', 'POST /things', tomorrow)),
    ).toMatchObject({
      value: { replayed: false },
    });
    expect(await deleteOldKeys(db, now())).toBe(0);
    expect(await deleteOldKeys(db, new Date(tomorrow.getTime() + 25 * 3600 * 1000))).toBe(1);
  });

  test('the order of fields makes no other request, a value does', () => {
    expect(hashRequest(sealer, { a: 1, b: { c: 2, d: [3] } })).toEqual(
      hashRequest(sealer, { b: { d: [3], c: 2 }, a: 1 }),
    );
    expect(hashRequest(sealer, { a: [1, 2] })).not.toEqual(hashRequest(sealer, { a: [2, 1] }));
  });

  test('what is stored does not show the answer', async () => {
    await makeThing({ name: 'Zeynep' });
    const { rows } = await pool.query<{ answer: Buffer }>('select answer from idempotency_key');
    expect(rows[0]?.answer.toString('latin1')).not.toContain('Zeynep');
  });
});
