import {
  existsSync,
  readdirSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import {
  databaseUser,
  asSystemUser,
} from '~/platform/postgres/embedded/postgres-cluster.server.ts';
import { processFamily } from '../../bench/service/processor.ts';

/** PostgreSQL's programs for a primary and its standby; the embedded one comes without the second. */
const NEEDED = ['initdb', 'pg_basebackup', 'pg_ctl', 'postgres'] as const;
export type Programs = Record<(typeof NEEDED)[number], string>;

const DEBIAN = '/usr/lib/postgresql';

/**
 * PostgreSQL as Debian installs it, the newest; or the folder in PG_BIN.
 * @throws Error that says what is missing and how to install it.
 */
function findPrograms(): Programs {
  const folders = process.env.PG_BIN
    ? [process.env.PG_BIN]
    : (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIAN, version, 'bin'));
  const missingIn = (folder: string) =>
    NEEDED.filter((program) => !existsSync(join(folder, program)));
  const folder = folders.find((one) => missingIn(one).length === 0);
  if (folder === undefined) {
    const missing = folders[0] === undefined ? NEEDED : missingIn(folders[0]);
    throw new Error(
      `A primary with a standby takes PostgreSQL 15 or newer with ${missing.join(', ')}, which ${folders[0] ?? DEBIAN} does not hold: "apt-get install postgresql" installs it, or PG_BIN names its folder`,
    );
  }
  return {
    initdb: join(folder, 'initdb'),
    pg_basebackup: join(folder, 'pg_basebackup'),
    pg_ctl: join(folder, 'pg_ctl'),
    postgres: join(folder, 'postgres'),
  };
}

const PATIENCE_MS = 60_000;

/** Retries until it is answered, because the server is killed now and then. */
export const persistentRows = (pool: pg.Pool) => ({
  async rows<T extends pg.QueryResultRow>(query: string, values: unknown[] = []): Promise<T[]> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return (await pool.query<T>(query, values)).rows;
      } catch (error) {
        const isConnection =
          !(error instanceof pg.DatabaseError) || /^(57|08|53|25006)/.test(error.code ?? '');
        if (!isConnection || Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  },
});

const PASSWORD = 'only-for-this-run';
const STANDBY = 'lale_standby';
const READY_MS = 60_000;

type Node = { folder: string; port: number; process: ChildProcess };

/** A primary and a synchronous standby on this machine. */
export class Pair {
  readonly #programs = findPrograms();
  readonly #folder: string;
  readonly #ports: readonly [number, number];
  readonly #user = databaseUser('/nowhere');
  #primary: Node | undefined;
  #standby: Node | undefined;
  readonly #dead: string[] = [];
  #made = 0;

  constructor(folder: string, ports: readonly [number, number]) {
    this.#folder = folder;
    this.#ports = ports;
  }

  /** An address with both servers. */
  get url(): string {
    const hosts = this.#ports.map((port) => `127.0.0.1:${port}`).join(',');
    return `postgres://lale:${PASSWORD}@${hosts}/lale?target_session_attrs=read-write`;
  }

  get version(): string {
    return execFileSync(this.#programs.postgres, ['--version']).toString().trim();
  }

  async start(): Promise<void> {
    const [port] = this.#ports;
    const folder = this.#newFolder();
    const secret = join(this.#folder, 'password');
    writeFileSync(secret, PASSWORD);
    this.#own(secret);
    this.#run(this.#programs.initdb, [
      `--pgdata=${folder}`,
      '--username=owner',
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    writeFileSync(
      join(folder, 'pg_hba.conf'),
      'host all all 127.0.0.1/32 scram-sha-256\nhost replication owner 127.0.0.1/32 scram-sha-256\n',
    );
    this.#primary = await this.#launch(folder, port);
    await this.#ask(port, 'postgres', `create role lale login password '${PASSWORD}'`);
    await this.#ask(port, 'postgres', 'create database lale owner lale');
    await this.addStandby();
  }

  /** A copy of the primary on the other port, for which every commit waits from now on. */
  async addStandby(): Promise<void> {
    for (const folder of this.#dead.splice(0)) rmSync(folder, { recursive: true, force: true });
    const primary = needed(this.#primary);
    const port = needed(this.#ports.find((one) => one !== primary.port));
    const folder = this.#newFolder();
    const from = `host=127.0.0.1 port=${primary.port} user=owner password=${PASSWORD} application_name=${STANDBY}`;
    // --write-recovery-conf stores this address; the standby then follows the primary with it.
    this.#run(this.#programs.pg_basebackup, [
      `--dbname=${from}`,
      `--pgdata=${folder}`,
      '--wal-method=stream',
      '--checkpoint=fast',
      '--write-recovery-conf',
      '--no-sync',
    ]);
    this.#standby = await this.#launch(folder, port);
    await this.#ask(
      primary.port,
      'postgres',
      `alter system set synchronous_standby_names = '${STANDBY}'`,
    );
    await this.#ask(primary.port, 'postgres', 'select pg_reload_conf()');
    await this.#until(async () => {
      const rows = await this.#ask<{ sync_state: string }>(
        primary.port,
        'postgres',
        'select sync_state from pg_stat_replication',
      );
      return rows.some(({ sync_state }) => sync_state === 'sync');
    }, 'The standby does not follow');
  }

  /** Sends SIGKILL to all processes of the primary at once, like a power failure. */
  async killPrimary(): Promise<void> {
    const { process: child, folder } = needed(this.#primary);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    for (const pid of processFamily(needed(child.pid))) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended together with its parent.
      }
    }
    await ended;
    this.#primary = undefined;
    this.#dead.push(folder);
  }

  /** Promotes the standby; returns the milliseconds until it accepts changes. */
  async promote(): Promise<number> {
    const standby = needed(this.#standby);
    const began = performance.now();
    await this.#ask(standby.port, 'postgres', 'select pg_promote(true, 60)');
    this.#primary = standby;
    this.#standby = undefined;
    return performance.now() - began;
  }

  async stop(): Promise<void> {
    for (const node of [this.#standby, this.#primary]) {
      const child = node?.process;
      if (!child || child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGQUIT');
      await ended;
    }
  }

  #newFolder(): string {
    this.#made += 1;
    const folder = join(this.#folder, `server-${this.#made}`);
    mkdirSync(folder, { mode: 0o700 });
    this.#own(folder);
    return folder;
  }

  /** PostgreSQL refuses to run as root. */
  #own(path: string): void {
    if (this.#user) chownSync(path, this.#user.uid, this.#user.gid);
  }

  #run(program: string, args: readonly string[]): void {
    const { prefix, ...identity } = asSystemUser(this.#user, [dirname(program), this.#folder]);
    const [first = program, ...rest] = [...prefix, program, ...args];
    execFileSync(first, rest, { ...identity, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  }

  async #launch(folder: string, port: number): Promise<Node> {
    const { prefix, ...identity } = asSystemUser(this.#user, [
      dirname(this.#programs.postgres),
      folder,
    ]);
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      wal_level: 'replica',
      max_wal_senders: '5',
      hot_standby: 'on',
      log_min_messages: 'fatal',
      timezone: 'UTC',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [program = '', ...args] = [...prefix, this.#programs.postgres, '-D', folder, ...options];
    const log = openSync(`${folder}.log`, 'a');
    const child = spawn(program, args, { ...identity, cwd: '/', stdio: ['ignore', log, log] });
    closeSync(log);
    await this.#until(async () => {
      if (child.exitCode !== null) {
        throw new Error(`PostgreSQL ended: ${readFileSync(`${folder}.log`, 'utf8').slice(-1000)}`);
      }
      return this.#ask(port, 'postgres', 'select 1').then(
        () => true,
        () => false,
      );
    }, 'PostgreSQL does not start');
    return { folder, port, process: child };
  }

  async #ask<T extends pg.QueryResultRow>(
    port: number,
    database: string,
    statement: string,
  ): Promise<T[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'owner',
      password: PASSWORD,
      database,
      connectionTimeoutMillis: 2000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return (await client.query<T>(statement).finally(() => client.end())).rows;
  }

  async #until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(otherwise);
      await sleep(50);
    }
  }
}

function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is none now');
  return value;
}
