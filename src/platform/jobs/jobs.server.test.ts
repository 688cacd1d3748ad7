import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, describe, afterAll, vi } from 'vitest';
import { makeTestPlatform } from '../../../test/platform.ts';
import { useDatabase } from '../../../test/database.ts';
import { enqueue, startJobs, type JobHandlers, type Jobs } from './jobs.server.ts';
import { MERGED_MS, mergeAnnouncements, releaseOnce } from './job-runner.server.ts';

describe('jobs', async () => {
  const { db, pool, log, runJobs } = await makeTestPlatform();

  /** The queue goes by the database's clock, which no test sets. */
  const LATER = new Date('2999-01-01T00:00:00Z');

  let jobs: Jobs | undefined;
  beforeEach(async () => {
    await pool.query('truncate graphile_worker._private_jobs');
  });
  afterEach(async () => {
    await jobs?.stop();
    jobs = undefined;
  });

  async function start(handlers: JobHandlers) {
    jobs = startJobs({ pool, handlers, log });
    await jobs.ready;
  }

  const waiting = async () =>
    (await pool.query<{ n: string }>('select count(*) n from graphile_worker.jobs')).rows[0]?.n;

  test('a job of a committed transaction runs, with its payload, within milliseconds', async () => {
    const ran = Promise.withResolvers<unknown>();
    await start({ greet: (payload) => ran.resolve(payload) });
    const began = performance.now();
    await db.transaction((tx) => enqueue(tx, 'greet', { id: 7 }));
    expect(await ran.promise).toEqual({ id: 7 });
    // Without a notification the worker polls every two seconds.
    expect(performance.now() - began).toBeLessThan(1_900);
  });

  test('of a transaction that is rolled back neither row nor job remains', async () => {
    await db
      .transaction(async (tx) => {
        await enqueue(tx, 'greet', { id: 7 });
        tx.rollback();
      })
      .catch(() => undefined);
    expect(await waiting()).toBe('0');
  });

  test('of several waiting jobs with one key the last stays', async () => {
    await enqueue(db, 'greet', { id: 1 }, { key: 'same', runAt: LATER });
    await enqueue(db, 'greet', { id: 2 }, { key: 'same', runAt: LATER });
    expect(await waiting()).toBe('1');
  });

  test('a job for later does not run now', async () => {
    const ran: unknown[] = [];
    await enqueue(db, 'greet', { id: 1 }, { runAt: LATER });
    await enqueue(db, 'greet', { id: 2 }, { runAt: new Date('2020-01-01T00:00:00Z') });
    await runJobs({ greet: (payload) => void ran.push(payload) });
    expect(ran).toEqual([{ id: 2 }]);
  });

  test('a failed job is tried again, and what is kept about it holds no values', async () => {
    const attempts: number[] = [];
    await enqueue(db, 'fail', { id: 1 });
    await runJobs({
      fail: async (_payload, job) => {
        attempts.push(job.attempt);
        await db.execute(sql`select ${'Zeynep'}::int`);
      },
    });
    const { rows } = await pool.query<{
      last_error: string;
      attempts: number;
      run_at: Date;
      now: Date;
    }>('select last_error, attempts, run_at, now() from graphile_worker.jobs');
    expect(attempts).toEqual([1]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.last_error).toBe('fail failed: 22P02');
    expect(rows[0]?.run_at.getTime()).toBeGreaterThan(rows[0]?.now.getTime() ?? Infinity);
  });

  test('the last attempt is told that it is', async () => {
    const last: boolean[] = [];
    await enqueue(db, 'fail', {}, { maxAttempts: 1 });
    await runJobs({
      fail: (_payload, job) => {
        last.push(job.isLastAttempt);
        throw new Error('no');
      },
    });
    expect(last).toEqual([true]);
  });

  test('stopping waits for the job that runs', async () => {
    const began = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const ends: string[] = [];
    await start({
      slow: async () => {
        began.resolve();
        await end.promise;
        ends.push('job');
      },
    });
    await enqueue(db, 'slow');
    await began.promise;
    const stopped = jobs?.stop().then(() => ends.push('queue'));
    await waiting();
    expect(ends).toEqual([]);
    end.resolve();
    await stopped;
    expect(ends).toEqual(['job', 'queue']);
    expect(await waiting()).toBe('0');
  });

  test('recurring jobs are known to the queue by their name', async () => {
    const handlers = { sweep: () => undefined };
    jobs = startJobs({ pool, handlers, log, schedule: [{ cron: '*/5 * * * *', name: 'sweep' }] });
    await jobs.ready;
    const known = async () =>
      (
        await pool.query<{ identifier: string }>(
          'select identifier from graphile_worker._private_known_crontabs',
        )
      ).rows;
    await expect.poll(known).toEqual([{ identifier: 'sweep' }]);
  });

  test('jobs of a process that died are done by the next one at once', async () => {
    const ran = Promise.withResolvers<unknown>();
    await enqueue(db, 'greet', { id: 3 });
    await pool.query(
      `update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now() - interval '5 seconds'`,
    );
    await start({ greet: (payload) => ran.resolve(payload) });
    expect(await ran.promise).toEqual({ id: 3 });
  });

  test('jobs of a living process are left to it', async () => {
    const began = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    let runs = 0;
    const handlers = {
      slow: async () => {
        runs++;
        began.resolve();
        await end.promise;
      },
    };
    await start(handlers);
    await enqueue(db, 'slow');
    await began.promise;
    await pool.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`,
    );
    // Only the other one can do the younger job, and would have taken the older one before.
    const younger = Promise.withResolvers<void>();
    const other = startJobs({
      pool,
      handlers: { ...handlers, younger: () => younger.resolve() },
      log,
    });
    await other.ready;
    await enqueue(db, 'younger');
    await younger.promise;
    end.resolve();
    await other.stop();
    expect(runs).toBe(1);
  });

  test('after its connections are cut it goes on', async () => {
    const ran = Promise.withResolvers<unknown>();
    await start({ greet: (payload) => ran.resolve(payload) });
    // Waits for their ends: the pool would give a connection that is about to end to the next test.
    await pool.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await enqueue(db, 'greet', { id: 4 });
    expect(await ran.promise).toEqual({ id: 4 });
  });

  test('it goes on after the ends of two jobs could not be written down', async () => {
    const { refusing, refuse, accept } = refusingPool();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waits = gates.values();
    const ran = Promise.withResolvers<void>();
    let begun = 0;
    const wait = () => {
      begun += 1;
      return waits.next().value?.promise;
    };
    jobs = startJobs({
      pool: refusing,
      log,
      concurrency: 2,
      handlers: { wait, greet: () => ran.resolve() },
    });
    await jobs.ready;
    await enqueue(db, 'wait');
    await enqueue(db, 'wait');
    await expect.poll(() => begun).toBe(2);
    const asked = refuse();
    for (const [index, gate] of gates.entries()) {
      gate.resolve();
      // To write down the end, and to get the next job.
      await expect.poll(asked).toBe(2 * (index + 1));
    }
    accept();
    await enqueue(db, 'greet');
    await ran.promise;
  });

  /** The same pool, which keeps whoever asks for a connection waiting for a while and then gives none. */
  function refusingPool() {
    let refusal: PromiseWithResolvers<never> | undefined;
    let asked = 0;
    const refusing = new Proxy(pool, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          if (name !== 'connect' || !refusal) return Reflect.apply(value, target, given);
          asked += 1;
          return refusal.promise;
        };
      },
    });
    return {
      refusing,
      refuse() {
        refusal = Promise.withResolvers<never>();
        return () => asked;
      },
      accept() {
        refusal?.reject(new Error('no connection'));
        refusal = undefined;
      },
    };
  }
});

describe('merge announcements', async () => {
  const { pool } = await useDatabase();
  const client = await pool.connect();
  afterAll(() => client.release(true));
  const merging = mergeAnnouncements(client);
  let heard: unknown[] = [];
  const listener = ({ channel, payload = '' }: { channel: string; payload?: string }) =>
    void heard.push(channel === 'jobs:insert' ? JSON.parse(payload) : [channel, payload]);
  await merging.query('listen "jobs:insert"; listen other');

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => {
    vi.useRealTimers();
    merging.removeListener('notification', listener);
    heard = [];
  });

  const announce = (payload: string, channel = 'jobs:insert') =>
    merging.query('select pg_notify($1, $2)', [channel, payload]);

  test('the first announcement of new jobs is heard at once, those that follow it as one with their sum', async () => {
    merging.on('notification', listener);
    for (const count of [1, 2, 3]) await announce(`{"r":${Math.random()},"count":${count}}`);
    await announce('{"count":-1}');
    expect(heard).toEqual([expect.objectContaining({ count: 1 })]);
    vi.advanceTimersByTime(MERGED_MS * 2);
    expect(heard.slice(1)).toEqual([{ count: 5 }]);
    // Nothing waits any more: the next one is a first one.
    vi.advanceTimersByTime(MERGED_MS * 2);
    await announce('{"count":7}');
    expect(heard.slice(2)).toEqual([{ count: 7 }]);
  });

  test('other notifications are heard one by one', async () => {
    merging.on('notification', listener);
    await announce('a', 'other');
    await announce('b', 'other');
    expect(heard).toEqual([
      ['other', 'a'],
      ['other', 'b'],
    ]);
  });

  test('who stopped listening hears nothing of what was waiting', async () => {
    merging.on('notification', listener);
    await announce('{"count":1}');
    await announce('{"count":1}');
    merging.removeListener('notification', listener);
    vi.advanceTimersByTime(MERGED_MS * 2);
    expect(heard).toEqual([{ count: 1 }]);
    expect(client.listenerCount('notification')).toBe(0);
  });
});

describe('job runner', async () => {
  const { pool } = await useDatabase();

  test('a client that is given back twice is given back once', async () => {
    const forgiving = releaseOnce(pool);
    const release = await new Promise<() => void>((resolve, reject) => {
      forgiving.connect((error, _client, done) => (error ? reject(error) : resolve(done)));
    });
    release();
    expect(release).not.toThrow();
    const { rows } = await forgiving.query<{ one: number }>('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
  });
});
