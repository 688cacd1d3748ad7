// Runs the production build in this process, so that signals and the exit code are its own. Only where this Node is too
// old (the file was called directly) a second process is started.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { allocatorVariables, heapFlags } from './heap-flags.mjs';
import { findNode, NEEDED_NODE, root } from './node.mjs';

const PARENT_WATCH_MS = 250;
const entry = join(root, 'build', 'server', `${process.argv[2] ?? 'server'}.js`);
const node = findNode();

if (!existsSync(entry) || !node) fail('Nothing is built yet. Start with: npm start');
// React and others read it once, while they are loaded.
process.env.NODE_ENV = 'production';
if (node === process.execPath) {
  if (process.env.npm_lifecycle_event) stopWithParent();
  stopWithTerminal();
  module.enableCompileCache?.(join(root, 'node_modules', '.cache', 'node'));
  await import(pathToFileURL(entry).href);
} else {
  forwardSignals(
    spawn(node, [...heapFlags, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...process.env, ...allocatorVariables },
    }),
  );
}

/** A killed npm cannot pass a signal on, and its next start would find port and database in use. */
function stopWithParent() {
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

/** Closing the terminal stops the service like Ctrl-C, except under nohup. */
function stopWithTerminal() {
  if (!isHangupIgnored()) process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
}

function isHangupIgnored() {
  try {
    const [, mask] =
      /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${mask}`) & 1n) === 1n;
  } catch {
    return false;
  }
}

function forwardSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`Node ${NEEDED_NODE} does not start: ${error.message}`));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
