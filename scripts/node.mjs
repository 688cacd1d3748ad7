// Plain JavaScript for any Node from 18 on, as it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const NEEDED_NODE = 24;
const PARENT_WATCH_MS = 250;

/** The Node that runs the service: this one if it is new enough, otherwise the one in the packages. */
export function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_NODE) return process.execPath;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const packaged = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', program);
  return existsSync(packaged) ? packaged : undefined;
}

/**
 * Runs a program: in this process where its Node is the one that is wanted, so that signals and the exit code are its own,
 * else in a second one.
 */
export async function runProgram(node, file, args, { flags = process.execArgv, env = {} } = {}) {
  if (node === process.execPath) {
    process.argv = [node, file, ...args];
    await import(pathToFileURL(file).href);
    return;
  }
  if (process.env.npm_lifecycle_event) stopWithParent();
  const child = spawn(node, [...flags, file, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`Node ${NEEDED_NODE} does not start: ${error.message}`));
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** A killed npm cannot pass a signal on, and its next start would find port and database in use. */
export function stopWithParent() {
  const began = parents();
  const timer = setInterval(() => {
    if (parents() === began) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_WATCH_MS);
  timer.unref();
}

/** The parents up to npm: npm starts a shell, which may stay as a process of its own. */
function parents() {
  const chain = [process.ppid];
  try {
    for (;;) {
      const stat = readFileSync(`/proc/${chain.at(-1)}/stat`, 'utf8');
      const [, name, above] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
      if (!/^(ba|da|a|z|k)?sh$|^busybox$/.test(name)) break;
      chain.push(above);
    }
  } catch {
    // Ended in between, or not Linux.
  }
  return chain.join(' ');
}

export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
