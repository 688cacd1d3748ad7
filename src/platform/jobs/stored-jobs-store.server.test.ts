import { beforeEach, expect, test } from 'vitest';
import { makeTestPlatform } from '../../../test/platform.ts';
import { storeTogether } from '../postgres/store-together.server.ts';
import { countJobs, enqueue, startJobs } from './jobs.server.ts';
import { jobRow, moveStoredJobs } from './stored-jobs-store.server.ts';

const { db, pool, log, runJobs } = await makeTestPlatform();

beforeEach(async () => {
  await pool.query('truncate stored_job; truncate graphile_worker._private_jobs');
});

const store = (...ids: number[]) =>
  storeTogether(db, { rows: ids.map((id) => jobRow('greet', { id })) });

test('jobs stored with other rows run once, like those put into the queue', async () => {
  await store(1, 2);
  await enqueue(db, 'greet', { id: 3 });
  expect(await countJobs(db)).toEqual({ waiting: 3, failed: 0 });
  const ran: string[] = [];
  const handlers = { greet: (payload: unknown) => void ran.push(JSON.stringify(payload)) };
  await runJobs(handlers);
  await runJobs(handlers);
  expect(ran.toSorted()).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
  expect(await countJobs(db)).toEqual({ waiting: 0, failed: 0 });
});

test('a working process takes stored jobs by itself', async () => {
  const ran = Promise.withResolvers<unknown>();
  const jobs = startJobs({ pool, log, handlers: { greet: (payload) => ran.resolve(payload) } });
  await store(4);
  expect(await ran.promise).toEqual({ id: 4 });
  await jobs.stop();
});

test('several processes move each job once', async () => {
  await store(...Array.from({ length: 1200 }, (_, id) => id));
  let moved = 0;
  for (let turn = 0; turn < 4; turn += 1) {
    const turns = await Promise.all(Array.from({ length: 4 }, () => moveStoredJobs(pool)));
    moved += turns.reduce((sum, count) => sum + count, 0);
  }
  expect(moved).toBe(1200);
  const { rows } = await pool.query(
    `select count(*)::int as jobs, count(distinct payload ->> 'id')::int as ids from graphile_worker._private_jobs`,
  );
  expect(rows).toEqual([{ jobs: 1200, ids: 1200 }]);
});

test('the queue is not told of a move of nothing', async () => {
  const client = await pool.connect();
  const notifications: unknown[] = [];
  client.on('notification', ({ payload }) => notifications.push(payload));
  await client.query('listen "jobs:insert"');
  expect(await moveStoredJobs(pool)).toBe(0);
  await store(5);
  expect(await moveStoredJobs(pool)).toBe(1);
  // Notifications arrive with the answer to the next statement at the latest.
  await client.query('select 1');
  expect(notifications).toHaveLength(1);
  client.release(true);
});

test('a job stays stored where the queue does not take it', async () => {
  await pool.query(
    'alter table graphile_worker._private_jobs add constraint none check (false) not valid',
  );
  await store(6);
  await expect(moveStoredJobs(pool)).rejects.toThrow('none');
  await pool.query('alter table graphile_worker._private_jobs drop constraint none');
  expect(await moveStoredJobs(pool)).toBe(1);
});
