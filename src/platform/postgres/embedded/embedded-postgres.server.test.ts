import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, describe, expect, test, afterEach, vi } from 'vitest';
import { makeLog } from '../../log/log.server.ts';
import { ConfigError } from '../../config/config-error.server.ts';
import {
  startPostgres,
  type RunningPostgres,
  isPostgresAlive,
  readPidFile,
  lockInstance,
} from './open-embedded.server.ts';
import { databaseUser, asSystemUser } from './postgres-cluster.server.ts';

describe('embedded postgres', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-cluster-'));
  const dataDir = join(folder, 'postgres');
  const log = makeLog({ level: 'silent' });
  // A killed process loses nothing that the system has taken; only a power cut would.
  const settings = { fsync: 'off' };
  let running: RunningPostgres | undefined;

  /** The server of these tests, started unless it runs. */
  const start = async () => (running ??= await startPostgres({ dataDir, log, settings }));
  async function stop() {
    await running?.stop();
    running = undefined;
  }
  const pid = () => readPidFile(dataDir)?.pid ?? 0;

  async function ask<T>(url: string, statement: string): Promise<T | undefined> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<Record<string, T>>(statement).finally(() => client.end());
    return Object.values(rows[0] ?? {})[0];
  }

  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  // Each test finds what the one before it left; a cluster for each would take two seconds of a processor.
  describe('one cluster through its whole life', { shuffle: false }, () => {
    test('the first start makes a cluster, with a database for an account that owns nothing else', async () => {
      const { url, adopted } = await start();
      expect(adopted).toBe(false);
      expect(await ask(url, `select current_setting('is_superuser')`)).toBe('off');
      expect(
        await ask(
          url,
          `select concat(datlocprovider, ' ', datlocale) from pg_database where datname = 'service'`,
        ),
      ).toBe('b C.UTF-8');
      await ask(url, 'create table kept (n int)');
      await ask(url, 'insert into kept values (7)');
    });

    test('nobody gets in without the password, and only this machine can try', async () => {
      const { url } = await start();
      const without = new URL(url);
      without.password = 'guess';
      await expect(ask(without.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
      expect(await ask(url, 'show listen_addresses')).toBe('127.0.0.1');
      expect(Number(without.port)).toBeLessThan(32_768);
      expect(statSync(join(dataDir, 'access.json')).mode & 0o777).toBe(0o600);
      expect(statSync(dataDir).mode & 0o077).toBe(0);
    });

    test('one that is killed is started again at the same address', async () => {
      const { url } = await start();
      const before = pid();
      process.kill(before, 'SIGKILL');
      await expect
        .poll(() => ask(url, 'select n from kept').catch(() => 0), { timeout: 10_000 })
        .toBe(7);
      expect(pid()).not.toBe(before);
    });

    test('stopping ends the server and leaves no lock', async () => {
      const before = pid();
      await stop();
      expect(isPostgresAlive(before)).toBe(false);
      expect(readPidFile(dataDir)).toBeUndefined();
    });

    test('the lock of a server that died, or of another program with its number, is passed over', async () => {
      for (const stale of [process.pid, 4_194_303]) {
        writeFileSync(
          join(dataDir, 'postmaster.pid'),
          `${stale}\n${dataDir}\n0\n1\n\n127.0.0.1\n\nready   \n`,
        );
        const { adopted, url } = await start();
        expect(adopted).toBe(false);
        expect(await ask(url, 'select n from kept')).toBe(7);
        await stop();
      }
    });

    test('a server outlives the killed process that started it; the next one adopts it, and does not start a second', async () => {
      const module = JSON.stringify(join(import.meta.dirname, 'open-embedded.server.ts'));
      const logModule = JSON.stringify(join(import.meta.dirname, '../../log/log.server.ts'));
      const program = `
    const { startPostgres } = await import(${module});
    const { makeLog } = await import(${logModule});
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: makeLog({ level: 'silent' }) });
    console.log('started');
    setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      const before = pid();
      child.kill('SIGKILL');
      await text(child.stdout);
      expect(isPostgresAlive(before)).toBe(true);
      const { adopted } = await start();
      expect(adopted).toBe(true);
      expect(pid()).toBe(before);
    });

    test('killed while it writes, it comes back with what was committed', async () => {
      const { url } = await start();
      let last = 0;
      const writing = (async () => {
        const client = new pg.Client({ connectionString: url });
        client.on('error', () => undefined);
        await client.connect();
        for (let n = 100; ; n++) {
          await client.query('insert into kept values ($1)', [n]);
          last = n;
        }
      })().catch(() => undefined);
      await expect.poll(() => last, { timeout: 10_000 }).toBeGreaterThan(120);
      process.kill(pid(), 'SIGKILL');
      await writing;
      await expect
        .poll(() => ask(url, 'select max(n) from kept').catch(() => 0), { timeout: 10_000 })
        .toBeGreaterThanOrEqual(last);
    });

    test('its log holds no values of statements', async () => {
      const { url } = await start();
      await ask(url, 'create table p (name text primary key)');
      await ask(url, `insert into p values ('Zeynep')`);
      await expect(ask(url, `insert into p values ('Zeynep')`)).rejects.toMatchObject({
        code: '23505',
      });
      expect(readFileSync(`${dataDir}.log`, 'utf8')).not.toContain('Zeynep');
    });
  });
});

describe('instance lock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-lock-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function lockElsewhere() {
    const module = JSON.stringify(join(import.meta.dirname, 'open-embedded.server.ts'));
    const program = `
    const { lockInstance } = await import(${module});
    await lockInstance(${JSON.stringify(folder)});
    console.log('held');
    setInterval(() => {}, 1000);`;
    return spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  afterEach(() => void vi.restoreAllMocks());

  /** The clock goes on by so many minutes at each reading; the returned function says how often it was read. */
  function advanceClock(minutes: number): () => number {
    const began = Date.now();
    const looks = vi.spyOn(Date, 'now');
    looks.mockImplementation(() => began + (looks.mock.calls.length - 1) * minutes * 60_000);
    return () => looks.mock.calls.length;
  }

  test('a second process is refused and told which one holds the folder', async () => {
    const holder = lockElsewhere();
    await once(holder.stdout, 'data');
    advanceClock(1);
    const refusal = await lockInstance(folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toContain(`(process ${holder.pid})`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  });

  test('a killed holder leaves nothing behind', async () => {
    const holder = lockElsewhere();
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lock = await lockInstance(folder);
    await lock.release();
  });

  test('who waits for a stopping holder gets the folder after it', async () => {
    const first = await lockInstance(folder);
    first.announceStop();
    // Ten seconds at each reading: longer than the wait for a holder that does not stop.
    const looks = advanceClock(1 / 6);
    const second = lockInstance(folder);
    await expect.poll(looks).toBeGreaterThan(2);
    await first.release();
    await (await second).release();
  });
});

describe('postgres user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-user-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const isRoot = process.getuid?.() === 0;

  test.skipIf(isRoot)('an ordinary user runs the database itself', () => {
    expect(databaseUser(folder)).toBeUndefined();
    expect(asSystemUser(undefined, [folder])).toEqual({ prefix: [] });
  });

  test.runIf(isRoot)(
    'root runs it as somebody else, without any right of its own where folders are open',
    () => {
      const user = databaseUser(join(folder, 'none'));
      expect(user?.uid).toBeGreaterThan(0);
      chmodSync(folder, 0o755);
      expect(asSystemUser(user, [folder])).toEqual({ prefix: [], ...user });
    },
  );

  test.runIf(isRoot)('below a folder that only root may enter it still runs', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const { prefix } = asSystemUser(databaseUser(closed), [closed]);
    expect(prefix[0]).toMatch(/setpriv$/);
    const { stop } = await startPostgres({
      dataDir: join(closed, 'postgres'),
      log: makeLog({ level: 'silent' }),
      settings: { fsync: 'off' },
    });
    await stop();
  });

  test.runIf(isRoot)('without setpriv the message names the closed folder and the ways out', () => {
    const closed = join(folder, 'closed-too');
    mkdirSync(closed, { mode: 0o700 });
    const find = () => undefined;
    expect(() => asSystemUser({ uid: 65_534, gid: 65_534 }, [closed], find)).toThrow(
      `${closed} is closed to other users`,
    );
  });
});
