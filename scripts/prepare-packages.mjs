import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNode, root } from './node.mjs';
import { run, say, since } from './run.mjs';

const lockfile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.installed-lock');

/** Installs exactly what the lockfile lists, when it changed or something is missing. */
export function preparePackages() {
  const hash = createHash('sha256').update(readFileSync(lockfile)).digest('hex');
  if (isInstalled(hash)) return;
  const began = Date.now();
  say('Installing packages (npm ci); the first time this takes a moment.');
  // Tests and builds need the development packages, whatever NODE_ENV is.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    // Install scripts are third-party code that nobody has reviewed. An older npm does not know `allowScripts`.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const options = { what: 'npm ci', env: { NODE_ENV: '' } };
  if (npm && /\.c?js$/.test(npm)) run(process.execPath, [npm, ...args], options);
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
  writeFileSync(stamp, hash);
  say(`Packages are installed (${since(began)}).`);
}

function isInstalled(hash) {
  if (!existsSync(installed) || !isComplete()) return false;
  const known = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
  if (known === hash) return true;
  // For packages installed by hand: npm writes its own copy after the lockfile.
  return statSync(lockfile).mtimeMs <= statSync(installed).mtimeMs + 1000;
}

function isComplete() {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return (
    findNode() !== undefined && names.every((name) => existsSync(join(root, 'node_modules', name)))
  );
}
