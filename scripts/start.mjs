// Runs the production build in this very process, so that signals and the exit code are its own. Only a Node that is
// too old (somebody called this file directly) starts a second process.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findNode, NEEDED_NODE, root } from './node.mjs';

const PARENT_WATCH_MS = 250;
const entry = join(root, 'build', 'server', `${process.argv[2] ?? 'server'}.js`);
const node = findNode();

if (!existsSync(entry) || !node) fail('Nothing is built yet. Start with: npm start');
// React and others decide once, while they are loaded.
process.env.NODE_ENV = 'production';
if (node === process.execPath) {
  if (process.env.npm_lifecycle_event) stopWithParent();
  module.enableCompileCache?.(join(root, 'node_modules', '.cache', 'node'));
  await import(pathToFileURL(entry).href);
} else {
  passOn(
    spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' }),
  );
}

/** An npm that is killed cannot pass a signal on, and its next start would find everything in use. */
function stopWithParent() {
  const began = parents();
  const timer = setInterval(() => {
    if (parents() === began) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_WATCH_MS);
  timer.unref();
}

/** The process above and the one above that: npm starts a shell, and not every shell makes room for the program. */
function parents() {
  try {
    const [, above] =
      /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8')) ?? [];
    return `${process.ppid} ${above}`;
  } catch {
    return `${process.ppid}`;
  }
}

function passOn(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`Node ${NEEDED_NODE} does not start: ${error.message}`));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
