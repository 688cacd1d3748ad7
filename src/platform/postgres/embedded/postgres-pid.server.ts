import { readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type PidFile = { pid: number; isReady: boolean };

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

export function removePidFile(cluster: string): void {
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
