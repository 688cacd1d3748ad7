// Plain JavaScript for any Node from 18 on, as it runs before anything is installed.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const NEEDED_NODE = 24;

/** The Node that runs the service: this one if it is new enough, otherwise the one in the packages. */
export function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_NODE) return process.execPath;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const packaged = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', program);
  return existsSync(packaged) ? packaged : undefined;
}
