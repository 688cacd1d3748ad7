import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  realpathSync,
  rmSync,
  closeSync,
  openSync,
  readFileSync,
  statSync,
  existsSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../config/config-error.server.ts';
import pg from 'pg';
import { type Log, makeLog } from '../../log/log.server.ts';
import { freePort } from '../../config/port.server.ts';
import {
  findPostgres,
  type PostgresBinaries,
  ensureCluster,
  OWNER,
  readAccess,
  RUNTIME,
  saveAccess,
  SERVICE,
  type ClusterAccess,
  environment,
  lastLines,
  databaseUser,
  asSystemUser,
  type SystemUser,
} from './postgres-cluster.server.ts';
import { spawn, spawnSync } from 'node:child_process';
import type { Config } from '../../config/config.server.ts';
import { openDatabase } from '../database.server.ts';
import { grantService, migrate } from '../migrate.server.ts';

type InstanceLock = {
  /** Tells a process that waits for the folder that it will be free soon. */
  announceStop(): void;
  release(): Promise<void>;
};

type Holder = { pid: number; isStopping: boolean };

/** A holder whose parent was just killed needs a moment to notice (see `scripts/start.mjs`). */
const PATIENCE_MS = 2000;
/** As long as a process takes to end, at most (`processes/process.server.ts`), without a grace that only proxies need. */
const STOP_PATIENCE_MS = 75_000;

/**
 * One service per data folder. The lock is a listening socket: the system takes it away with the process, whatever
 * way that ends, so it never goes stale.
 * @throws ConfigError when another process holds it.
 */
export async function lockInstance(folder: string): Promise<InstanceLock> {
  const address = addressOf(realpathSync(folder));
  const began = Date.now();
  for (;;) {
    const lock = await tryLock(address);
    if (lock) return lock;
    const holder = await askHolder(address);
    const patience = holder?.isStopping ? STOP_PATIENCE_MS : PATIENCE_MS;
    if (Date.now() - began > patience) {
      const who = holder ? ` (process ${holder.pid})` : '';
      throw new ConfigError([
        `DATA_DIR: ${folder} is in use by a service that already runs${who}; stop it first, or choose another folder`,
      ]);
    }
    // Only a file can be left over; the other kinds vanish with their process.
    if (!holder && isFile(address)) rmSync(address, { force: true });
    await sleep(100);
  }
}

/** A name without a file on Linux (abstract) and Windows (pipe), elsewhere a short path: those are limited to 104 bytes. */
function addressOf(folder: string): string {
  const name = `service-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

function isFile(address: string): boolean {
  return address.startsWith('/');
}

async function tryLock(address: string): Promise<InstanceLock | undefined> {
  let isStopping = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${process.pid} ${isStopping ? 'stopping' : 'running'}`);
  });
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  // It guards the folder as long as the process lives, but does not keep it alive.
  server.unref();
  return {
    announceStop: () => void (isStopping = true),
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function askHolder(address: string): Promise<Holder | undefined> {
  const socket = connect(address);
  socket.setTimeout(1000, () => socket.destroy());
  try {
    const [pid = '', state] = (await text(socket)).split(' ');
    return { pid: Number(pid), isStopping: state === 'stopping' };
  } catch {
    return undefined;
  }
}

type PidFile = { pid: number; isReady: boolean };

const NAME = 'postmaster.pid';

/** What the server of a cluster wrote about itself: line 1 its process, line 8 its state. */
export function readPidFile(cluster: string): PidFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(cluster, NAME), 'utf8');
  } catch {
    return undefined;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : undefined;
}

function removePidFile(cluster: string): void {
  rmSync(join(cluster, NAME), { force: true });
}

/**
 * Whether a process is a living PostgreSQL. Its number alone does not say: after a kill it may stay as a zombie where
 * nobody collects it (containers), and after a restart of the machine it may be another program's.
 */
export function isPostgresAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Alive, but another user's: a database that this process may not stop.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  if (process.platform === 'linux') return isLivePostgres(readStat(pid));
  if (process.platform === 'win32') return true;
  return /postgres/.test(
    spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout,
  );
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** `123 (postgres) S …`; setpriv becomes postgres a moment after the start. */
function isLivePostgres(stat: string): boolean {
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? [];
  return (name === 'postgres' || name === 'setpriv') && state !== 'Z' && state !== 'X';
}

/** Waits until a process is gone; false when the time is over. */
export async function waitForEnd(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (isPostgresAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

type ServerOptions = {
  cluster: string;
  binaries: PostgresBinaries;
  user: SystemUser | undefined;
  settings: Readonly<Record<string, string>>;
};

/** Nobody but this machine reaches it, and its log holds no values of statements. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  jit: 'off',
};

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Long enough to replay the log after a crash. */
const READY_DEADLINE_MS = 60_000;

class ServerDied extends Error {
  override name = 'ServerDied';
}

/** Starts the server, detached from this process and its terminal, and waits until it is ready. */
async function launch(
  { cluster, binaries, user, settings }: ServerOptions,
  port: number,
): Promise<void> {
  const logPath = `${cluster}.log`;
  if ((statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) rmSync(logPath);
  const all = { ...SETTINGS, ...settings, port: String(port) };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { prefix, ...identity } = asSystemUser(user, [binaries.folder, cluster]);
  const [program = '', ...args] = [...prefix, binaries.postgres, '-D', cluster, ...options];
  const log = openSync(logPath, 'a', 0o600);
  const start = statSync(logPath).size;
  let ended: string | undefined;
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: environment(),
  });
  child.once('exit', (code, signal) => (ended = `ended with ${signal ?? code}`));
  child.once('error', (error) => (ended = error.message));
  child.unref();
  closeSync(log);

  const deadline = Date.now() + READY_DEADLINE_MS;
  for (;;) {
    if (ended)
      throw new ServerDied(
        `${ended}: ${lastLines(readFileSync(logPath).subarray(start).toString())}`,
      );
    const file = readPidFile(cluster);
    if (file?.pid === child.pid && file?.isReady) return;
    if (Date.now() > deadline)
      throw new ServerDied(`not ready after ${READY_DEADLINE_MS / 1000} s, see ${logPath}`);
    await sleep(10);
  }
}

/** Ends connections, writes everything down and waits for the end. */
export async function shutDown({
  cluster,
  binaries,
}: Pick<ServerOptions, 'cluster' | 'binaries'>): Promise<void> {
  const pid = readPidFile(cluster)?.pid;
  if (!pid || !isPostgresAlive(pid)) return;
  if (process.platform === 'win32') {
    // Signals do not exist there; a kill would be a crash.
    spawnSync(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w'], { env: environment() });
    return;
  }
  process.kill(pid, 'SIGINT');
  if (await waitForEnd(pid, 30_000)) return;
  process.kill(pid, 'SIGQUIT');
  await waitForEnd(pid, 10_000);
}

type PostgresOptions = {
  /** Folder of the cluster; made when missing. */
  dataDir: string;
  log: Log;
  /** Server settings on top of the defaults, as `name: value`. */
  settings?: Readonly<Record<string, string>>;
};

export type RunningPostgres = {
  /** For migrations: owner of the service's database and nothing else. */
  url: string;
  /** For the running service: may read and write, and owns nothing (`grantService` says what exactly). */
  serviceUrl: string;
  /** The superuser, for tests that make databases. */
  ownerUrl: string;
  /** Whether it was already running. */
  adopted: boolean;
  stop(): Promise<void>;
};

const ADOPTION_DEADLINE_MS = 60_000;
const START_ATTEMPTS = 40;
const WATCH_MS = 300;
const RETRY_MS = 2000;

/**
 * Runs the PostgreSQL that came with the packages. One that already runs on the folder (the service was killed, its
 * database was not) is adopted. If it ends later, it is started again on the same port.
 * @throws ConfigError when it cannot run here.
 */
export async function startPostgres({
  dataDir,
  log,
  settings = {},
}: PostgresOptions): Promise<RunningPostgres> {
  const cluster = resolve(dataDir);
  const binaries = findPostgres();
  const user = databaseUser(cluster);
  await ensureCluster(cluster, binaries, user).catch(refuse(cluster));
  const server: ServerOptions = { cluster, binaries, user, settings };

  const adopted = await adopt(cluster);
  if (!adopted) await start(server);
  const access = readAccess(cluster);
  await ensureDatabase(access);
  const guard = keepAlive(server, log);
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(access, SERVICE, access.servicePassword, SERVICE),
    serviceUrl: urlOf(access, RUNTIME, access.runtimePassword, SERVICE),
    ownerUrl: urlOf(access, OWNER, access.ownerPassword, 'postgres'),
    adopted,
    stop: () => (stopped ??= guard.stop().then(() => shutDown(server))),
  };
}

/** The address of the running server of this cluster, for a command that leaves it running; null where none runs. */
export async function adoptedUrls(
  cluster: string,
): Promise<Pick<RunningPostgres, 'url' | 'serviceUrl'> | null> {
  if (!(await adopt(cluster))) return null;
  const access = readAccess(cluster);
  return {
    url: urlOf(access, SERVICE, access.servicePassword, SERVICE),
    serviceUrl: urlOf(access, RUNTIME, access.runtimePassword, SERVICE),
  };
}

/** Causes that the operator has to remove: a full or read-only disk, a volume without owners. */
function refuse(cluster: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error;
    throw new ConfigError([
      `DATA_DIR: the built-in database could not be set up in ${cluster} (${String(error.syscall)}: ${String(error.code)})`,
    ]);
  };
}

/** True when a server of this very folder runs and answers; false when there is none (any more). */
async function adopt(cluster: string): Promise<boolean> {
  const deadline = Date.now() + ADOPTION_DEADLINE_MS;
  for (;;) {
    const file = readPidFile(cluster);
    if (!file) return false;
    if (!isPostgresAlive(file.pid)) {
      removePidFile(cluster);
      return false;
    }
    if (await isServing(cluster)) return true;
    if (Date.now() > deadline) {
      throw new ConfigError([
        `The built-in database (process ${file.pid}) runs but does not answer; stop that process and start again`,
      ]);
    }
    await sleep(50);
  }
}

async function isServing(cluster: string): Promise<boolean> {
  const access = readAccess(cluster);
  try {
    const folder = await ask(
      urlOf(access, OWNER, access.ownerPassword, 'postgres'),
      async (client) => {
        const { rows } = await client.query<{ data_directory: string }>('show data_directory');
        return rows[0]?.data_directory;
      },
    );
    return folder !== undefined && realpathSync(folder) === realpathSync(cluster);
  } catch {
    // Starting up, shutting down, or something else on that port.
    return false;
  }
}

/**
 * After a kill of the server its children need a moment to notice and go, and until then a new one refuses to start;
 * a port can be taken between looking and listening. Both pass.
 */
async function start(server: ServerOptions, fixedPort?: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const access = readAccess(server.cluster);
    const port = fixedPort ?? (await freePort(access.port));
    if (port !== access.port) saveAccess(server.cluster, { ...access, port });
    try {
      return await launch(server, port);
    } catch (error) {
      if (!(error instanceof ServerDied)) throw error;
      const passes = /shared memory block|could not bind|Address already in use|lock file/i.test(
        error.message,
      );
      if (!passes || attempt >= START_ATTEMPTS)
        throw new ConfigError([`The built-in database does not start: ${error.message}`]);
      const file = readPidFile(server.cluster);
      if (file && !isPostgresAlive(file.pid)) removePidFile(server.cluster);
      await sleep(250);
    }
  }
}

/** Watches by its process, whether it was started here or adopted. */
function keepAlive(server: ServerOptions, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { port } = readAccess(server.cluster);

  async function watch() {
    while (!stopping.signal.aborted) {
      await sleep(WATCH_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      const file = readPidFile(server.cluster);
      if (stopping.signal.aborted || (file && isPostgresAlive(file.pid))) continue;
      log.error('the built-in database died, starting it again');
      try {
        if (file) removePidFile(server.cluster);
        await start(server, port);
      } catch (err) {
        log.error({ err }, 'the built-in database did not start');
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  const watching = watch();
  return {
    stop() {
      stopping.abort();
      return watching;
    },
  };
}

/** First start only: the service's two accounts and its database, which is made last and so tells that all is there. */
async function ensureDatabase(access: ClusterAccess): Promise<void> {
  await ask(urlOf(access, OWNER, access.ownerPassword, 'postgres'), async (client) => {
    const database = await client.query('select from pg_database where datname = $1', [SERVICE]);
    if (database.rowCount) return;
    const accounts = [
      [SERVICE, access.servicePassword],
      [RUNTIME, access.runtimePassword],
    ] as const;
    for (const [name, password] of accounts) {
      const role = await client.query('select from pg_roles where rolname = $1', [name]);
      const secret = client.escapeLiteral(password);
      await client.query(
        `${role.rowCount ? 'alter' : 'create'} role ${name} login password ${secret}`,
      );
    }
    await client.query(`create database ${SERVICE} owner ${SERVICE}`);
  });
}

async function ask<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf({ port }: ClusterAccess, user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Takes the data folder for this process, starts the embedded database and brings its schema up to date. What has to be
 * undone goes onto `stack`.
 * @throws ConfigError when another process holds the folder, or the database does not run here.
 */
export async function openEmbedded(
  config: Config,
  {
    log,
    stack,
    settings,
    beforeStart = async () => undefined,
  }: {
    log: Log;
    stack: AsyncDisposableStack;
    settings?: Readonly<Record<string, string>>;
    /** Once the folder is taken. */
    beforeStart?: () => Promise<void>;
  },
): Promise<{ url: string; ownerUrl: string; announceStop: () => void }> {
  const lock = await lockInstance(config.dataDir);
  stack.defer(lock.release);
  await beforeStart();
  const dataDir = join(config.dataDir, 'postgres');
  const postgres = await startPostgres({ dataDir, log, settings });
  stack.defer(postgres.stop);
  await prepare(postgres.url, config.mode);
  const { url: ownerUrl, serviceUrl: url } = postgres;
  return { url, ownerUrl, announceStop: lock.announceStop };
}

/** The embedded database is migrated by its owner; the service then runs with an account that owns nothing. */
async function prepare(ownerUrl: string, mode: Config['mode']): Promise<void> {
  const { pool, close } = openDatabase(ownerUrl, { poolSize: 3 });
  try {
    await migrate(pool, mode);
    await grantService(pool, RUNTIME);
  } finally {
    await close();
  }
}

type VisitedDatabase = {
  /** With the account of the running service, which owns nothing in an embedded database. */
  url: string;
  leave(): Promise<void>;
};

/**
 * The service's database for a command beside it: the configured one, the embedded one that its service runs, or, where
 * no service runs, the embedded one for as long as the visit lasts. Nothing is made and nothing is migrated.
 * @throws ConfigError where there is no database yet.
 */
export async function visitDatabase(config: Config): Promise<VisitedDatabase> {
  const { databaseUrl: url } = config;
  if (url) return { url, leave: async () => undefined };
  const cluster = resolve(config.dataDir, 'postgres');
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    throw new ConfigError([`DATA_DIR: there is no database in ${cluster}`]);
  }
  const running = await adoptedUrls(cluster);
  if (running) return { url: running.serviceUrl, leave: async () => undefined };
  const lock = await lockInstance(config.dataDir);
  try {
    const log = makeLog({ level: 'error' });
    const postgres = await startPostgres({ dataDir: cluster, log });
    return {
      url: postgres.serviceUrl,
      leave: async () => {
        await postgres.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
