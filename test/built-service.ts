import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { freePort } from '../src/platform/config/port.server.ts';
import { readPidFile, waitForEnd } from '../src/platform/postgres/embedded/open-embedded.server.ts';

const root = join(import.meta.dirname, '..');

export const isBuilt = existsSync(join(root, 'build', 'server', 'server.js'));

export type StartedService = {
  child: ChildProcess;
  /** Its output so far. */
  output(): string;
  exit: Promise<number | null>;
};

/** Starts the production build, or another command, with these variables besides the test's own. */
function startBuilt(
  variables: Record<string, string>,
  command: readonly string[] = [process.execPath, 'scripts/start.mjs'],
): StartedService {
  const [program = '', ...args] = command;
  const env = { ...process.env, NODE_ENV: '', LOG_LEVEL: 'warn', ...variables };
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, 'exit').then(([code]): number | null => code);
  return { child, output: () => output, exit };
}

/**
 * A data folder and a port, and services of the production build that use them; all are removed after the test file.
 * Call it at the top of a test file.
 */
export async function builtServices(fixed: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'test-built-'));
  const dataDir = join(folder, 'var');
  const port = await freePort();
  const started: StartedService[] = [];

  function start(
    variables: Record<string, string> = {},
    command?: readonly string[],
  ): StartedService {
    const own = { DATA_DIR: dataDir, PORT: String(port), ...fixed };
    const service = startBuilt({ ...own, ...variables }, command);
    started.push(service);
    return service;
  }

  const databasePid = () => readPidFile(join(dataDir, 'postgres'))?.pid ?? 0;

  afterAll(async () => {
    for (const { child } of started) child.kill('SIGTERM');
    await Promise.all(started.map(({ exit }) => exit));
    await waitForEnd(databasePid(), 20_000);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);
  return { databasePid, dataDir, folder, port, start };
}

export const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/**
 * Waits until the service answers.
 * @throws Error with its output when it ends instead.
 */
export async function untilReady(service: StartedService, port: number): Promise<StartedService> {
  while (!(await isReady(port))) {
    if (service.child.exitCode !== null) throw new Error(`It ended: ${service.output()}`);
    await sleep(50);
  }
  return service;
}

/** Ids of the processes that this one started and that run this program (Linux). */
export function childProcesses(pid: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(stat) ?? [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        const isChild =
          Number(parent) === pid && state !== 'Z' && /start\.mjs|server\.js/.test(command);
        return isChild ? [Number(name)] : [];
      } catch {
        // It ended in between.
        return [];
      }
    })
    .toSorted((a, b) => a - b);
}
