import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { onServer, useDatabase } from '../../../test/database.ts';
import { gotNoConnection, openDatabase, type OpenDatabase } from './database.server.ts';
import { followInvalidations, listenForInvalidations } from './invalidations.server.ts';
import { makeLog } from '../log/log.server.ts';

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
    expect(gotNoConnection(refused)).toBe(true);
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
      const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
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
