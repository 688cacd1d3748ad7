import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sql } from 'drizzle-orm';
import { country } from '~/features/catalog/tables.server.ts';
import { onServer, useDatabase } from '../../../test/database.ts';
import { makeLog } from '../log/log.server.ts';
import { countCost } from '../../../test/statements/count-statements.ts';
import {
  openDatabase,
  type Database,
  isConnectionUnavailable,
  type OpenDatabase,
} from './database.server.ts';
import {
  cacheUntilChanged,
  followInvalidations,
  listenForInvalidations,
  type Invalidations,
} from './invalidations.server.ts';
import { CHANNEL, DESK_CHANNEL, deskTables, watchedTables } from './topics.ts';

describe('listener', async () => {
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
    pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [APPLICATION],
    );

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
});

describe('follow', async () => {
  const { url } = await useDatabase();
  const log = makeLog({ level: 'silent' });

  /** A machine on the way to the tests' server, that can lose its power (`cut`) or its network (`vanish`). */
  class Machine {
    readonly #server: Server;
    readonly #sockets = new Set<Socket>();
    #isThere = true;
    connections = 0;

    constructor() {
      const target = new URL(url);
      this.#server = createServer((near) => {
        this.connections += 1;
        const far = connect(Number(target.port), target.hostname);
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          this.#sockets.add(from);
          from.on('data', (bytes) => this.#isThere && to.write(bytes));
          from.on('close', () => to.destroy());
          from.on('error', () => to.destroy());
        }
      });
    }

    async start(): Promise<this> {
      this.#server.listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
      return this;
    }

    get host(): string {
      return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    vanish(): void {
      this.#isThere = false;
    }

    cut(): void {
      this.#server.close();
      for (const socket of this.#sockets) socket.destroy();
    }
  }

  const begun: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of begun.splice(0).toReversed()) await end();
  });

  async function twoMachines(): Promise<[Machine, Machine]> {
    const both: [Machine, Machine] = [await new Machine().start(), await new Machine().start()];
    begun.push(() => both.forEach((one) => one.cut()));
    return both;
  }

  const addressOf = (hosts: readonly string[], parameters = '') =>
    `${url.replace(new URL(url).host, hosts.join(','))}?target_session_attrs=read-write${parameters}`;

  function open(
    hosts: readonly string[],
    options: Parameters<typeof openDatabase>[1] = {},
  ): OpenDatabase {
    const database = openDatabase(addressOf(hosts), options);
    begun.push(() => database.close());
    return database;
  }

  const write = ({ pool }: OpenDatabase) =>
    pool.query(`insert into payment_partner (provider) values (gen_random_uuid()::text)`);

  const readOnly = (isOn: boolean) =>
    onServer(
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${isOn ? 'on' : 'off'}`,
    );

  describe('of several hosts', () => {
    it('the first that answers is taken, and kept', async () => {
      const [there, other] = await twoMachines();
      const database = open(['127.0.0.1:9', there.host, other.host]);
      for (let times = 0; times < 5; times += 1) await write(database);
      expect(other.connections).toBe(0);
    });

    it('the other one is taken once the first has lost its power, by the same pool', async () => {
      const [first, second] = await twoMachines();
      const database = open([first.host, second.host]);
      await Promise.all(Array.from({ length: 5 }, () => write(database)));
      first.cut();
      await Promise.all(Array.from({ length: 5 }, () => write(database).catch(() => undefined)));
      await write(database);
      expect(second.connections).toBeGreaterThan(0);
    });

    it('a machine that vanished without a word is left within seconds, and nobody goes on waiting for it', async () => {
      const [first, second] = await twoMachines();
      const database = open([first.host, second.host], { poolSize: 3 });
      await write(database);
      first.vanish();
      const began = performance.now();
      const waiting = database.pool.query('select 1').catch((error: Error) => error);
      await write(database);
      expect(await waiting).toBeInstanceOf(Error);
      expect(performance.now() - began).toBeLessThan(6000);
      await write(database);
    });

    it('one that is set to read only is not taken, until it is writable again', async () => {
      const [first, second] = await twoMachines();
      await readOnly(true);
      begun.push(() => readOnly(false));
      const database = open([first.host, second.host], { waitMs: 500 });
      const refused = await write(database).catch((error: unknown) => error);
      expect(isConnectionUnavailable(refused)).toBe(true);
      expect(String(refused)).toContain('is not the primary');
      expect(first.connections).toBeGreaterThan(0);
      expect(second.connections).toBeGreaterThan(0);
      await readOnly(false);
      await write(database);
    });

    it('a connection that says that it is read only is thrown away', async () => {
      const [first, second] = await twoMachines();
      const database = open([first.host, second.host], { poolSize: 1 });
      const pid = async () => {
        const { rows } = await database.pool.query<{ pid: number }>(
          'select pg_backend_pid() as pid',
        );
        return rows[0]?.pid;
      };
      const before = await pid();
      await database.pool.query('set session characteristics as transaction read only');
      await expect(write(database)).rejects.toMatchObject({ code: '25006' });
      await write(database);
      expect(await pid()).not.toBe(before);
    });

    it('a wrong password is said at once', async () => {
      const [first, second] = await twoMachines();
      const wrong = addressOf([first.host, second.host]).replace(/:[^:@/]*@/, ':wrong@');
      const database = openDatabase(wrong);
      begun.push(() => database.close());
      const began = performance.now();
      await expect(database.pool.query('select 1')).rejects.toMatchObject({ code: '28P01' });
      expect(performance.now() - began).toBeLessThan(1500);
    });

    it('whoever listens hears of changes from the new one', async () => {
      const [first, second] = await twoMachines();
      const database = open([first.host, second.host], { poolSize: 3 });
      const invalidations = listenForInvalidations(database.pool, log, { checkMs: 50 });
      begun.push(() => invalidations.close());
      followInvalidations(invalidations, [database.db]);
      await expect.poll(() => invalidations.mark('country')).not.toBeNull();
      first.cut();
      await expect.poll(() => invalidations.mark('country'), { interval: 5 }).toBeNull();
      await expect.poll(() => invalidations.mark('country')).not.toBeNull();
      const before = invalidations.mark('payment_partner');
      await write(database);
      await expect.poll(() => invalidations.mark('payment_partner')).not.toBe(before);
    });
  });
});

describe('cache until changed', async () => {
  const { db } = await useDatabase();

  it('sends a query once, however many wait for it and however it is made', async () => {
    const builder = cacheUntilChanged({
      topic: 'country',
      read: (one) => one.select().from(country),
    });
    const statement = cacheUntilChanged({
      topic: 'country',
      read: (one) => one.execute(sql`select 1 from ${country}`),
    });
    for (const { current } of [builder, statement]) {
      const { cost } = await countCost(() => Promise.all([current(db), current(db), current(db)]));
      expect(cost.statements).toHaveLength(1);
    }
  });
});
