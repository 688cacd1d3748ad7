import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { allocatorVariables, heapFlags } from '../scripts/heap-flags.mjs';

const root = join(import.meta.dirname, '..');
const START_LIMIT_MS = 60_000;

/**
 * The production build on a database of its own, unless `variables` name one. `stop` removes everything. `prefix`: a
 * program that starts it, with arguments.
 */
export async function startBuild(
  port: number,
  variables: Record<string, string> = {},
  prefix: readonly string[] = [],
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lale-bench-'));
  const built = join(root, 'build', 'server', 'server.js');
  const [program, ...args] = [...prefix, process.execPath, ...heapFlags, built];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...allocatorVariables,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...variables,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const until = Date.now() + START_LIMIT_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error('The build did not start');
    }
    await wait(100);
  }
  return { url, pid: child.pid ?? 0, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}
