import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The service runs on the first processor, PostgreSQL and the client on the second. */
export const placing = { web: '0', rest: '1' } as const;

/** The command that starts a program on one processor; empty where the system cannot do that. */
export const onProcessor = (processor: string): readonly string[] =>
  canPin() ? ['taskset', '-c', processor] : [];

/** Moves a running program to a processor, with its threads and future children. */
export function moveTo(processor: string, pid: number): void {
  if (canPin()) execFileSync('taskset', ['-a', '-c', '-p', processor, String(pid)]);
}

/**
 * Runs an idle-priority loop (`SCHED_IDLE`) on the second processor, so that it does not enter a sleep state: on a virtual
 * machine a wake-up costs the sender up to a fifth of a page. Returns a function that ends the loop.
 */
export function preventIdle(): () => void {
  if (!canPin()) return () => undefined;
  const idle = spawn(
    'chrt',
    [
      '--idle',
      '0',
      'taskset',
      '-c',
      placing.rest,
      process.execPath,
      '-e',
      'const parent = process.ppid; while (process.ppid === parent);',
    ],
    {
      stdio: 'ignore',
    },
  );
  // Without `chrt` the figures are a little higher.
  idle.once('error', () => undefined);
  return () => void idle.kill('SIGKILL');
}

let isPinning: boolean | undefined;
export function canPin(): boolean {
  isPinning ??= works(() => execFileSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' }));
  return isPinning;
}

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** Fields of /proc/<pid>/stat: parent, own time, and that of ended children, in ticks. */
type Stat = { pid: number; parent: number; own: number; ended: number };

function statOf(pid: number): Stat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name is in brackets and may contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return { pid, parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}

/** A process and all its descendants. */
export function processFamily(pid: number): number[] {
  return family(pid).map((one) => one.pid);
}

function family(pid: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const found = all.filter((one) => one.pid === pid);
  for (const one of found) found.push(...all.filter((other) => other.parent === one.pid));
  return found;
}

/**
 * Processor time, user and system, of a process and all its descendants so far, in milliseconds, in steps of ten.
 * @throws Error where there is no such process, or no /proc.
 */
export function processorMs(pid: number): number {
  const all = family(pid);
  if (all.length === 0) throw new Error(`There is no process ${pid} to be measured`);
  return all.reduce((sum, { own, ended }) => sum + own + ended, 0) * TICK_MS;
}

/** Memory of a process and its descendants, in MB (2^20 bytes); shared memory counts for each. */
export function memoryMb(pid: number): number {
  const kilobytes = processFamily(pid).map((one) => {
    const status = readFileSync(`/proc/${one}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}
