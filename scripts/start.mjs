// Runs an entry of the production build, the service where none is named: `start.mjs [worker | cli <command> …]`.
import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { allocatorVariables, heapFlags } from './heap-flags.mjs';
import { fail, findNode, root, runProgram, stopWithParent } from './node.mjs';

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
  await runProgram(node, fileURLToPath(import.meta.url), process.argv.slice(2), {
    flags: heapFlags,
    env: allocatorVariables,
  });
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
