/** What the tests that kill processes share: options, folder, clean-up, comparison of the books, exit code. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { readOurs, readTheirs } from './books.ts';
import { findings, type Findings } from './findings.ts';
import type { Rows } from './ledger.ts';
import type { Purchase } from './purchase.ts';
import { settle } from './settle.ts';

/** Signals that end a run, with the exit codes that shells give them. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type Driver<NumberName extends string, PathName extends string = never> = {
  /** Names the folder. */
  name: string;
  /** Options that take a number, with their defaults; `--seed` always exists. */
  numbers: Record<NumberName, number>;
  /** Options that take a path, without default. */
  paths?: readonly PathName[];
  drive: (run: Run<NumberName, PathName>) => Promise<Findings>;
};

export type Run<NumberName extends string, PathName extends string> = {
  numbers: Record<NumberName | 'seed', number>;
  paths: Partial<Record<PathName, string>>;
  /** Removed at the end, unless a fault was found. */
  folder: string;
  /** Of the service. */
  ourFolder: string;
  /** Of the payment providers. */
  theirFolder: string;
  /** Registers a clean-up for the end of the run; the last registered runs first. */
  undo: (work: () => unknown) => void;
  /** Since the run began. */
  seconds: () => number;
};

/**
 * Runs a driver to its end, or until a signal, cleans up, and ends this process: exit code 0 where no fault was found.
 */
export async function runDriver<NumberName extends string, PathName extends string = never>(
  driver: Driver<NumberName, PathName>,
): Promise<never> {
  const options = readOptions(driver);
  const began = Date.now();
  const begun = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), `lale-${driver.name}-`));
  let isFolderKept = false;
  begun.defer(() => {
    if (!isFolderKept) rmSync(folder, { recursive: true, force: true });
  });

  const drive = async (): Promise<number> => {
    const [ourFolder, theirFolder] = [join(folder, 'service'), join(folder, 'partners')];
    mkdirSync(ourFolder);
    mkdirSync(theirFolder);
    const { figures, faults } = await driver.drive({
      ...options,
      folder,
      ourFolder,
      theirFolder,
      undo: (work) => begun.defer(async () => void (await work())),
      seconds: () => Math.round((Date.now() - began) / 1000),
    });
    console.log(JSON.stringify(figures));
    for (const fault of faults) console.error(`FAULT: ${fault}`);
    isFolderKept = faults.length > 0;
    if (isFolderKept) console.error(`The data is kept in ${folder}`);
    console.log(`${faults.length === 0 ? 1 : 0} passed, ${faults.length} failed`);
    return faults.length === 0 ? 0 : 1;
  };

  let exitCode = 1;
  try {
    exitCode = await Promise.race([drive(), stopAsked()]);
  } catch (error) {
    console.error('The run was given up:', error);
  } finally {
    await begun.disposeAsync();
  }
  process.exit(exitCode);
}

/** Lets sweep and jobs finish, then compares our books with the providers'. */
export async function compareBooks(
  ledger: Rows,
  theirs: Pool,
  done: readonly Purchase[],
): Promise<Findings> {
  const unsettled = await settle(ledger, theirs);
  const found = findings(await readOurs(ledger), await readTheirs(theirs), done);
  if (unsettled) found.faults.push(`not settled: ${unsettled}`);
  return found;
}

/**
 * Reads the command's options.
 * @throws Error for one that is unknown or no number.
 */
function readOptions<NumberName extends string, PathName extends string>(
  driver: Driver<NumberName, PathName>,
): Pick<Run<NumberName, PathName>, 'numbers' | 'paths'> {
  const numbers: Record<NumberName | 'seed', number> = {
    seed: Date.now() % 100_000,
    ...driver.numbers,
  };
  const paths: Partial<Record<PathName, string>> = {};
  const names = [...Object.keys(numbers), ...(driver.paths ?? [])];
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const takesNumber = (name: string): name is NumberName | 'seed' => name in numbers;
  for (const [name, given] of Object.entries(values)) {
    if (!takesNumber(name)) continue;
    if (!Number.isFinite(Number(given))) throw new Error(`--${name} takes a number`);
    numbers[name] = Number(given);
  }
  for (const name of driver.paths ?? []) paths[name] = values[name];
  return { numbers, paths };
}

/** Resolves with an exit code once a signal asks the run to end. Later signals are ignored, as it is cleaning up. */
function stopAsked(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(signals)) {
      process.on(signal, () => {
        console.error(`${signal}: cleaning up`);
        resolve(code);
      });
    }
  });
}
