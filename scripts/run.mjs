import { spawnSync } from 'node:child_process';
import { root } from './node.mjs';

/**
 * Prints one line on what is being done, for people who run `npm start` for the first time. It goes to the error output,
 * because the output of a command may be kept: `npm run --silent lale -- keys >> .env`.
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a program in this terminal; what it says goes to the error output as well.
 * @throws Error when it cannot start or fails.
 */
export function run(program, args, { env = {}, what = program, quiet = false } = {}) {
  const { status, error, signal, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    stdio: quiet ? 'pipe' : ['inherit', 2, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...env },
  });
  if (error) throw new Error(`${what} could not be started: ${error.message}`);
  if (status === 0) return;
  if (quiet) process.stderr.write(`${stdout}${stderr}`);
  throw new Error(`${what} failed (${signal ?? `exit code ${status}`}).`);
}

/** Seconds since a moment, formatted. */
export function since(began) {
  return `${((Date.now() - began) / 1000).toFixed(1)} s`;
}
