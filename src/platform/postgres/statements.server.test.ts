import { eq, inArray, like, sql } from 'drizzle-orm';
import { integer, pgTable, text, customType } from 'drizzle-orm/pg-core';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { prepareOnce, prepareOnceForEach } from './prepare-once.server.ts';
import { openDatabase, type Queryable } from './database.server.ts';
import {
  isOutdatedPlan,
  StatementNames,
  UNNAMED,
  knownChanges,
  knownStatement,
} from './statements.server.ts';
import { TookTooLong, readWithinTime } from './transactions.server.ts';

const { url } = await useDatabase();
const thing = pgTable('thing', { id: integer().primaryKey(), name: text().notNull() });

/** A pool of one connection, so that every statement meets what was prepared before. */
async function one() {
  const opened = openDatabase(url, { poolSize: 1 });
  await opened.pool.query('drop table if exists thing');
  await opened.pool.query('create table thing (id integer primary key, name text not null)');
  await opened.db.insert(thing).values({ id: 1, name: 'one' });
  onTestFinished(opened.close);
  return opened;
}

async function prepared(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ statement: string }>(
    sql.raw('select statement from pg_prepared_statements order by prepare_time'),
  );
  return rows.map(({ statement }) => statement).filter((each) => each.includes('thing'));
}

const named = (db: Queryable, id: number) => db.select().from(thing).where(eq(thing.id, id));

async function times(count: number, work: () => Promise<unknown>) {
  for (let n = 0; n < count; n += 1) await work();
}

describe('a statement that recurs', () => {
  it('is prepared once, inside transactions and outside', async () => {
    const { db } = await one();
    await times(2, () => named(db, 1));
    expect(await prepared(db)).toEqual([]);
    await times(5, () => named(db, 1));
    await times(3, () => db.transaction((tx) => named(tx, 1)));
    expect(await prepared(db)).toEqual([
      'select "id", "name" from "thing" where "thing"."id" = $1',
    ]);
    expect(await named(db, 1)).toEqual([{ id: 1, name: 'one' }]);
    expect(await named(db, 2)).toEqual([]);
  });

  it('is prepared like any other where its query is built once', async () => {
    const { db } = await one();
    let built = 0;
    const byId = prepareOnce((of: Queryable) => {
      built += 1;
      return of
        .select()
        .from(thing)
        .where(eq(thing.id, sql.placeholder('id')))
        .prepare(UNNAMED);
    });
    await times(4, () => byId(db).execute({ id: 2 }));
    expect(await byId(db).execute({ id: 1 })).toEqual([{ id: 1, name: 'one' }]);
    expect({ built, prepared: (await prepared(db)).length }).toEqual({ built: 1, prepared: 1 });
    await times(3, () => db.transaction((tx) => byId(tx).execute({ id: 1 })));
    // For all transactions of a connection, and here there is one.
    expect(built).toBe(2);
  });

  it('reads what its transaction has written, where it is built once', async () => {
    const { db } = await one();
    const byId = prepareOnce((of: Queryable) =>
      of
        .select()
        .from(thing)
        .where(eq(thing.id, sql.placeholder('id')))
        .prepare(UNNAMED),
    );
    const undone = db.transaction(async (tx) => {
      await tx.insert(thing).values({ id: 7, name: 'seven' });
      expect(await byId(tx).execute({ id: 7 })).toEqual([{ id: 7, name: 'seven' }]);
      return tx.rollback();
    });
    await expect(undone).rejects.toThrow();
    expect(await byId(db).execute({ id: 7 })).toEqual([]);
    await db.transaction(async (tx) => expect(await byId(tx).execute({ id: 7 })).toEqual([]));
  });

  it('is built once for each form', async () => {
    const { db } = await one();
    const built: string[] = [];
    const named = prepareOnceForEach((of: Queryable, { name }: { name: string }) => {
      built.push(name);
      return of.select().from(thing).where(eq(thing.name, name)).prepare(UNNAMED);
    });
    await times(3, () => named(db, { name: 'one' }).execute());
    expect(await named(db, { name: 'none' }).execute()).toEqual([]);
    expect(await named(db, { name: 'one' }).execute()).toEqual([{ id: 1, name: 'one' }]);
    expect(built).toEqual(['one', 'none']);
  });

  it('is prepared anew on a connection that replaces a lost one', async () => {
    const { db, pool } = await one();
    await times(4, () => named(db, 1));
    await pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    expect(await named(db, 1)).toEqual([{ id: 1, name: 'one' }]);
    expect(await prepared(db)).toHaveLength(1);
  });

  it('fails as it would without a name, and works afterwards', async () => {
    const { db } = await one();
    const store = () => db.insert(thing).values({ id: 1, name: 'one' });
    await times(6, () => expect(store()).rejects.toThrow('Failed query'));
    await db.delete(thing).where(eq(thing.id, 1));
    await store();
    expect(await named(db, 1)).toHaveLength(1);
  });
});

test.each([
  [
    'a list of any length',
    (db: Queryable) =>
      db
        .select()
        .from(thing)
        .where(inArray(thing.id, [1, 2])),
  ],
  ['a search', (db: Queryable) => db.select().from(thing).where(like(thing.name, 'o%'))],
  ['what comes twice', (db: Queryable) => db.select().from(thing).limit(1), 2],
])('%s is not prepared', async (_, ask, count = 6) => {
  const opened = await one();
  await times(count, async () => ask(opened.db));
  expect(await prepared(opened.db)).toEqual([]);
});

describe('a migration that changes what a prepared statement answers', () => {
  const alter = (db: Queryable) =>
    db.execute(sql`alter table thing alter column id type bigint using id`);

  it('is not noticed outside a transaction', async () => {
    const { db } = await one();
    await times(4, () => named(db, 1));
    await alter(db);
    expect(await named(db, 1)).toEqual([{ id: 1, name: 'one' }]);
  });

  it('has a transaction done again from its beginning', async () => {
    const { db } = await one();
    await times(4, () => named(db, 1));
    await alter(db);
    let begun = 0;
    const found = await db.transaction(async (tx) => {
      begun += 1;
      await tx.insert(thing).values({ id: 2, name: 'two' });
      return named(tx, 2);
    });
    expect({ begun, found }).toEqual({ begun: 2, found: [{ id: 2, name: 'two' }] });
    expect(await db.$count(thing)).toBe(2);
  });

  it('is told apart from other failures', async () => {
    const { db } = await one();
    const failure = await db.execute(sql`select 1/0`).catch((error: unknown) => error);
    expect(isOutdatedPlan(failure)).toBe(false);
    expect(isOutdatedPlan(undefined)).toBe(false);
  });
});

describe('names', () => {
  const recurring = (names: StatementNames, statement: string) => {
    names.nameOf(statement);
    names.nameOf(statement);
    return names.nameOf(statement);
  };

  it('are of one text each, and bounded', () => {
    const names = new StatementNames();
    const given = Array.from({ length: 1000 }, (_, n) => recurring(names, `select ${n}`));
    const known = given.filter((name) => name !== undefined);
    expect(known).toHaveLength(400);
    expect(new Set(known).size).toBe(400);
    expect(names.nameOf('select 7')).toBe(given[7]);
  });

  it('are given to what PostgreSQL can prepare', () => {
    const names = new StatementNames();
    for (const statement of [
      'begin',
      'commit',
      'savepoint sp1',
      'lock table a',
      'select 1; select 2',
    ])
      expect(recurring(names, statement)).toBeUndefined();
    expect(recurring(names, 'select count(*) from a;')).toBeDefined();
  });

  it('are other ones after a renewal, and none after too many', () => {
    let now = 0;
    const { performance } = globalThis;
    const clock = performance.now.bind(performance);
    performance.now = () => (now += 2000);
    onTestFinished(() => void (performance.now = clock));
    const names = new StatementNames();
    const first = recurring(names, 'select 1');
    names.renew();
    expect(names.nameOf('select 1')).toBeUndefined();
    expect(recurring(names, 'select 1')).not.toBe(first);
    for (let n = 0; n < 10; n += 1) names.renew();
    expect(recurring(names, 'select 1')).toBeUndefined();
  });
});

describe('statement text', async () => {
  const { db } = await useDatabase();
  const upper = customType<{ data: string; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => value.toUpperCase(),
  });
  const words = pgTable('words', { word: upper(), note: text() });

  test('a statement is built once and sent with other values each time, written as their columns are', async () => {
    let times = 0;
    const statement = knownStatement(() => {
      times += 1;
      const word = sql.param(sql.placeholder('word'), words.word);
      return sql`select ${word}::text as word, ${sql.placeholder('note')}::text as note, ${7}::int as seven`;
    });
    const first = await db.execute(statement({ word: 'one', note: 'a' }));
    const second = await db.execute(statement({ word: null, note: null }));
    expect([first.rows, second.rows, times]).toEqual([
      [{ word: 'ONE', note: 'a', seven: 7 }],
      [{ word: null, note: null, seven: 7 }],
      1,
    ]);
  });

  test('a value that is missing is a mistake, never null', () => {
    const found = knownStatement(
      () => sql`select 1 where ${eq(words.note, sql.placeholder('note'))}`,
    );
    expect(() => found({})).toThrow('No value for note');
  });

  test('changes are made of the given columns of the rows that are meant, and an undefined value changes nothing', async () => {
    await db.execute(sql`create table words (word text, note text)`);
    await db.execute(sql`insert into words values ('A', 'first'), ('B', 'second')`);
    const change = knownChanges(words, eq(words.note, sql.placeholder('note')));
    const both = await db.execute(change({ word: 'c', note: 'third' }, { note: 'second' }));
    const one = await db.execute(change({ word: undefined, note: null }, { note: 'first' }));
    const none = await db.execute(change({ note: null }, { note: 'nobody' }));
    expect([both.rowCount, one.rowCount, none.rowCount]).toEqual([1, 1, 0]);
    const { rows } = await db.execute(sql`select word, note from words order by word`);
    expect(rows).toEqual([
      { word: 'A', note: null },
      { word: 'C', note: 'third' },
    ]);
  });
});

describe('time limit', async () => {
  const { db } = await useDatabase({ poolSize: 1 });

  test('a statement that takes too long is given up, and the connection serves the next', async () => {
    const slow = readWithinTime(db, 50, (tx) => tx.execute(sql`select pg_sleep(20)`));
    await expect(slow).rejects.toThrow(TookTooLong);
    const { rows } = await db.execute(sql`select current_setting('statement_timeout') as allowed`);
    expect(rows).toEqual([{ allowed: '0' }]);
  });

  test('what is in time is answered, and other mistakes stay what they are', async () => {
    const read = (statement: string) =>
      readWithinTime(db, 5000, (tx) => tx.execute(sql.raw(statement)));
    expect((await read('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await expect(read('select 1 / 0')).rejects.not.toThrow(TookTooLong);
  });
});
