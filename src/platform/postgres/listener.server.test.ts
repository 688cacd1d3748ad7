import { afterEach, describe, expect, it, vi } from 'vitest';
import { onServer, useDatabase } from '../../../test/database.ts';
import { openDatabase, type Database } from './database.server.ts';
import { makeLog } from '../log/log.server.ts';
import {
  cacheUntilChanged,
  followInvalidations,
  listenForInvalidations,
  type Invalidations,
} from './invalidations.server.ts';
import { CHANNEL, DESK_CHANNEL, deskTables, watchedTables } from './topics.ts';

const { db, pool, url } = await useDatabase();
const log = makeLog({ level: 'silent' });
const APPLICATION = 'listening_test';

let end = async () => {};
afterEach(() => end());

/** Listens under a name by which the server's view of it can be found and cut. */
function listen(checkMs = 50): Invalidations {
  const named = new URL(url);
  named.searchParams.set('application_name', APPLICATION);
  const own = openDatabase(named.href, { poolSize: 1 });
  const invalidations = listenForInvalidations(own.pool, log, { checkMs });
  end = async () => {
    await invalidations.close();
    await own.close();
  };
  return invalidations;
}

const heard = (invalidations: Invalidations) =>
  expect.poll(() => invalidations.mark('country'), { interval: 5 }).not.toBeNull();

const cut = () =>
  pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    APPLICATION,
  ]);

/** How many new connections are allowed, -1 for any number; those that exist stay. */
const allowConnections = (limit: number) =>
  onServer(`alter database ${new URL(url).pathname.slice(1)} with connection limit ${limit}`);

const notify = (topic: string) => pool.query('select pg_notify($1, $2)', [CHANNEL, topic]);

describe('listening', () => {
  it('hears of a change, and of no other topic', async () => {
    const invalidations = listen();
    await heard(invalidations);
    const before = invalidations.mark('country');
    const other = invalidations.mark('setting_change');
    await notify('country');
    await expect.poll(() => invalidations.mark('country'), { interval: 5 }).not.toBe(before);
    expect(invalidations.mark('setting_change')).toBe(other);
  });

  it('ends when it is closed before it is connected', async () => {
    const invalidations = listen();
    await expect(invalidations.close()).resolves.toBeUndefined();
  });

  it('hears nothing of what is rolled back', async () => {
    const invalidations = listen();
    await heard(invalidations);
    const before = invalidations.mark('payment_partner');
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`insert into payment_partner (provider) values ('x')`);
    await client.query('rollback');
    client.release();
    const country = invalidations.mark('country');
    await notify('country');
    await expect.poll(() => invalidations.mark('country'), { interval: 5 }).not.toBe(country);
    expect(invalidations.mark('payment_partner')).toBe(before);
  });

  it('trusts nothing while its connection is lost, and nothing of before once it is back', async () => {
    const invalidations = listen();
    await heard(invalidations);
    const before = watchedTables.map((table) => invalidations.mark(table));
    await cut();
    await expect.poll(() => invalidations.mark('country'), { interval: 1 }).toBeNull();
    await heard(invalidations);
    const after = watchedTables.map((table) => invalidations.mark(table));
    for (const [index, mark] of after.entries()) expect(mark).not.toBe(before[index]);
  });

  it('connects again after each of several losses', async () => {
    const invalidations = listen();
    for (let loss = 0; loss < 4; loss++) {
      await heard(invalidations);
      await cut();
      await expect.poll(() => invalidations.mark('country'), { interval: 1 }).toBeNull();
    }
    await heard(invalidations);
  });

  it('ends while it is connected, and while it cannot connect', async () => {
    const invalidations = listen();
    await heard(invalidations);
    await end();
    expect(invalidations.mark('country')).toBeNull();
    const nowhere = openDatabase('postgres://x:y@127.0.0.1:9/x', { poolSize: 1, waitMs: 200 });
    const connecting = vi.spyOn(nowhere.pool, 'connect');
    const lost = listenForInvalidations(nowhere.pool, log);
    await expect.poll(() => connecting.mock.settledResults.length).toBeGreaterThan(0);
    await lost.close();
    await nowhere.close();
    end = async () => {};
  });

  it('trusts nothing where notifications do not come through, as behind a pooler of transactions', async () => {
    const own = openDatabase(url, { poolSize: 1 });
    let checks = 0;
    // Such a pooler gives each statement another connection, so a notification does not reach the one that asked for
    // it.
    own.pool.on('connect', (client) => {
      const query = client.query.bind(client);
      Object.assign(client, {
        query: (text: unknown, ...more: unknown[]) => {
          const isListening = typeof text === 'string' && text.startsWith('listen');
          if (!isListening) checks += 1;
          return Reflect.apply(query, client, [isListening ? 'select 1' : text, ...more]);
        },
      });
    });
    const invalidations = listenForInvalidations(own.pool, log, { checkMs: 50 });
    end = async () => {
      await invalidations.close();
      await own.close();
    };
    await expect.poll(() => checks).toBeGreaterThan(0);
    expect(invalidations.mark('country')).toBeNull();
  });
});

describe('each watched table', () => {
  it.each(watchedTables)('%s notifies of whatever changes its rows', async (table) => {
    const { rows } = await pool.query<{ type: number; function: string }>(
      `select tgtype as type, proname as function from pg_trigger join pg_proc on pg_proc.oid = tgfoid
       where tgrelid = $1::regclass and proname = 'notify_changed'`,
      [table],
    );
    // PostgreSQL's bits: for each statement (not 1), after (not 2), insert 4, delete 8, update 16, truncate 32.
    expect(rows).toEqual([{ type: 4 | 8 | 16 | 32, function: 'notify_changed' }]);
  });
});

describe('open pages of the desk', () => {
  it('are told of a change by its kind, and after each loss that some may have been missed', async () => {
    const invalidations = listen();
    await heard(invalidations);
    const kinds: (string | null)[] = [];
    const stop = invalidations.onDeskChange((kind) => void kinds.push(kind));
    await pool.query('select pg_notify($1, $2)', [DESK_CHANNEL, 'queue']);
    await expect.poll(() => kinds, { interval: 5 }).toEqual(['queue']);
    await cut();
    await expect.poll(() => kinds, { interval: 5 }).toEqual(['queue', null]);
    stop();
    await pool.query('select pg_notify($1, $2)', [DESK_CHANNEL, 'queue']);
    const country = invalidations.mark('country');
    await notify('country');
    await expect.poll(() => invalidations.mark('country'), { interval: 5 }).not.toBe(country);
    expect(kinds).toEqual(['queue', null]);
  });

  it.each(Object.entries(deskTables))('are told of changes of %s as %s', async (table, kind) => {
    const { rows } = await pool.query<{ type: number; kind: string }>(
      `select tgtype as type, replace(encode(tgargs, 'escape'), '\\000', '') as kind
       from pg_trigger join pg_proc on pg_proc.oid = tgfoid
       where tgrelid = $1::regclass and proname = 'notify_desk'`,
      [table],
    );
    expect(rows).toEqual([{ type: 4 | 8 | 16 | 32, kind }]);
  });
});

describe('what is kept of a table', () => {
  let reads = 0;
  const partners = cacheUntilChanged({
    topic: 'payment_partner',
    read: async (from: Database) => {
      reads++;
      const { rows } = await from.execute<{ provider: string }>(
        'select provider from payment_partner',
      );
      return rows.map(({ provider }) => provider);
    },
  });
  const add = (provider: string) =>
    pool.query('insert into payment_partner (provider) values ($1)', [provider]);

  it('is read once while nothing of it changes, and anew after a change', async () => {
    const invalidations = listen();
    followInvalidations(invalidations, [db]);
    await heard(invalidations);
    reads = 0;
    for (let ask = 0; ask < 100; ask++) await partners.current(db);
    const country = invalidations.mark('country');
    await notify('country');
    await expect.poll(() => invalidations.mark('country'), { interval: 5 }).not.toBe(country);
    await partners.current(db);
    expect(reads).toBe(1);
    await add('a');
    await expect.poll(() => partners.current(db), { interval: 5 }).toContain('a');
    expect(reads).toBe(2);
  });

  it('is a second old at most while the connection is lost, and read anew once it is back', async () => {
    const invalidations = listen();
    followInvalidations(invalidations, [db]);
    await heard(invalidations);
    await partners.current(db);
    // Changes made while the connection is lost are not notified.
    await allowConnections(0);
    await cut();
    await add('b');
    await expect.poll(() => partners.current(db), { interval: 20, timeout: 1500 }).toContain('b');
    await allowConnections(-1);
    await heard(invalidations);
    const before = reads;
    await partners.current(db);
    expect(reads).toBe(before + 1);
  });

  it('is not kept where reading failed', async () => {
    let fails = true;
    const failing = cacheUntilChanged({
      topic: 'country',
      read: async () => {
        if (fails) throw new Error('away');
        return 'read';
      },
    });
    await expect(failing.current(db)).rejects.toThrow('away');
    fails = false;
    expect(await failing.current(db)).toBe('read');
  });

  it('is asked for again by those who ask while an old value is still being read', async () => {
    const invalidations = listen();
    followInvalidations(invalidations, [db]);
    await heard(invalidations);
    const gate = Promise.withResolvers<string>();
    const answers = [gate.promise, Promise.resolve('new')];
    const slow = cacheUntilChanged({
      topic: 'country',
      read: () => answers.shift() ?? gate.promise,
    });
    const first = slow.current(db);
    const mark = invalidations.mark('country');
    await notify('country');
    await expect.poll(() => invalidations.mark('country'), { interval: 5 }).not.toBe(mark);
    const second = slow.current(db);
    gate.resolve('old');
    expect(await first).toBe('old');
    expect(await second).toBe('new');
  });
});
