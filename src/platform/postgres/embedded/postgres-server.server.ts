import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './postgres-binaries.server.ts';
import { environment, lastLines } from './postgres-cluster.server.ts';
import { isPostgresAlive, readPidFile, waitForEnd } from './postgres-pid.server.ts';
import { runAs, type SystemUser } from './postgres-user.server.ts';

export type ServerOptions = {
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

export class ServerDied extends Error {
  override name = 'ServerDied';
}

/** Starts the server, detached from this process and its terminal, and waits until it is ready. */
export async function launch(
  { cluster, binaries, user, settings }: ServerOptions,
  port: number,
): Promise<void> {
  const logPath = `${cluster}.log`;
  if ((statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) rmSync(logPath);
  const all = { ...SETTINGS, ...settings, port: String(port) };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { prefix, ...identity } = runAs(user, [binaries.folder, cluster]);
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
