import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useDatabase } from '../../test/database.ts';
import { isReachable, openDatabase } from './database.server.ts';
import { isUniqueViolation } from './database-error.server.ts';
import { migrate } from './migrate.server.ts';

const { db, pool, url } = await useDatabase();
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
  const cut = failure(
    db.transaction(async (tx) => {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx.execute(sql`select 1`);
    }),
  );
  expect(await cut).toBeInstanceOf(Error);
  expect(await isReachable(db)).toBe(true);
});

test('migrating again changes nothing, three processes at once take turns', async () => {
  await Promise.all([migrate(url), migrate(url), migrate(pool)]);
  expect(await isReachable(db)).toBe(true);
});

test('a database that is not there is not reachable', async () => {
  const { db: none, close } = openDatabase('postgres://nobody@127.0.0.1:1/none');
  expect(await isReachable(none)).toBe(false);
  await close();
});
