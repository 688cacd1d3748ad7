import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { TookTooLong, withinTime } from './time-limit.server.ts';

const { db } = await useDatabase({ poolSize: 1 });

test('a statement that takes too long is given up, and the connection serves the next', async () => {
  const slow = withinTime(db, 50, (tx) => tx.execute(sql`select pg_sleep(20)`));
  await expect(slow).rejects.toThrow(TookTooLong);
  const { rows } = await db.execute(sql`select current_setting('statement_timeout') as allowed`);
  expect(rows).toEqual([{ allowed: '0' }]);
});

test('what is in time is answered, and other mistakes stay what they are', async () => {
  const read = (statement: string) => withinTime(db, 5000, (tx) => tx.execute(sql.raw(statement)));
  expect((await read('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await expect(read('select 1 / 0')).rejects.not.toThrow(TookTooLong);
});
