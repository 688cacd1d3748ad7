import { expect, test } from 'vitest';
import { useDatabase } from '../../../../test/database.ts';
import { readFilter } from './list-filter.ts';
import { readList } from './list.server.ts';

const { db, pool } = await useDatabase();
const looking = {
  staffId: '00000000-0000-4000-8000-000000000000',
  now: new Date('2026-11-23T10:00:00Z'),
};
const read = (limitMs: number) =>
  readList(db, readFilter(new URLSearchParams(), 'visa', null), looking, {
    pageSize: 50,
    mostCounted: 1001,
    limitMs,
  });

test('a list that does not answer in time is given up, and answers again once it can', async () => {
  const client = await pool.connect();
  await client.query('begin; lock table application in access exclusive mode');
  expect(await read(50)).toBeNull();
  await client.query('rollback');
  client.release();
  expect(await read(5000)).toMatchObject({ rows: [], total: 0 });
});
