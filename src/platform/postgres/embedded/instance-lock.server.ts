import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../config/config-error.server.ts';

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
