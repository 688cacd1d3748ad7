import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** How many tests passed, and the names of those that failed. */
export type Tally = { passed: number; failed: readonly string[] };

export const none: Tally = { passed: 0, failed: [] };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: [...a.failed, ...b.failed] };
}

/** A suite whose process failed counts as a failure even where its results name none. */
export const ended = (name: string, { code }: StepOutcome, tally: Tally): Tally =>
  code !== 0 && tally.failed.length === 0 ? { ...tally, failed: [name] } : tally;

export const root = join(import.meta.dirname, '..');

export type StepOutcome = { code: number; output: string; seconds: string };

/** Runs a Node program from `node_modules` with this Node. `live` shows its output as it comes. */
export async function step(
  program: string,
  args: readonly string[],
  { env = {}, live = false }: { env?: Record<string, string>; live?: boolean } = {},
): Promise<StepOutcome> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
  });
  const [out, err, code] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    new Promise<number>((resolve) => {
      child.once('error', () => resolve(127));
      child.once('close', (status) => resolve(status ?? 1));
    }),
  ]);
  return { code, output: out + err, seconds: ((performance.now() - began) / 1000).toFixed(1) };
}

/** One line for what went well, everything for what did not. */
export function report(name: string, isGood: boolean, { output, seconds }: StepOutcome): void {
  console.log(`${name}: ${isGood ? 'passed' : 'FAILED'} (${seconds} s)`);
  if (!isGood && output.trim()) console.log(output.trimEnd());
}
