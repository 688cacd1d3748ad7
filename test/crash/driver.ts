import { setTimeout as sleep } from 'node:timers/promises';
import { playScenario } from '~/lab/partner.server.ts';
import type { PartnerDoubles } from './doubles.ts';
import { type Ledger, readOurs, readTheirs, type Rows, settle } from './books.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgres } from '~/platform/postgres/embedded/postgres-cluster.server.ts';
import { shutDown } from '~/platform/postgres/embedded/open-embedded.server.ts';
import { call } from './retrying-client.ts';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { findings, type Findings } from './findings.ts';
import type { Purchase } from './purchase.ts';

/**
 * Points at which the service is killed on purpose. `ask`: while it asks about a captured payment. `notified`: after it
 * has committed, before it answers.
 */
const killPoints = [
  'card create',
  'card ask',
  'card notified',
  'card refund',
  'paypal create',
  'paypal capture',
  'paypal notified',
  'paypal refund',
] as const;
type KillPoint = (typeof killPoints)[number];

/** Kills at random moments. */
const randomKills = ['service', 'database'] as const;
type Kill = KillPoint | (typeof randomKills)[number];

/**
 * One kill point at a time is armed. The first to get there takes it, and reports when it is reached: the provider has
 * done its work, and the service has not stored it yet.
 */
export class ArmedPoint {
  #armed: KillPoint | null = null;
  #taken: KillPoint | null = null;
  #reached = Promise.withResolvers<void>();

  /** Resolves when the point is reached. */
  arm(point: KillPoint): Promise<void> {
    this.#armed = point;
    this.#taken = null;
    this.#reached = Promise.withResolvers();
    return this.#reached.promise;
  }

  /** True for the first one to get to the armed point. */
  take(point: KillPoint): boolean {
    if (this.#armed !== point) return false;
    this.#taken = point;
    this.#armed = null;
    return true;
  }

  /** Arms it again when the one who took it did not reach it. */
  rearm(): void {
    this.#armed ??= this.#taken;
    this.#taken = null;
  }

  reach(): void {
    this.#taken = null;
    this.#reached.resolve();
  }
}

/** Every point as often as asked, mixed with random kills, in an order that the seed repeats. */
export function killPlan(rounds: number, randomCount: number, random: () => number): Kill[] {
  const plan: Kill[] = Array.from({ length: rounds }, () => killPoints).flat();
  for (let count = 0; count < randomCount; count += 1)
    plan.push(randomKills[count % randomKills.length] ?? 'service');
  for (let last = plan.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [plan[last], plan[other]];
    if (a && b) [plan[last], plan[other]] = [b, a];
  }
  return plan;
}

/** Recovering a database takes long on a busy machine. */
const START_DEADLINE_MS = 5 * 60_000;
/** Milliseconds for an ordinary stop. */
const END_MS = 45_000;

/** The built service with its embedded database, to be killed and started again. */
export class ServiceProcess {
  readonly address: string;
  readonly #dataDir: string;
  readonly #variables: Record<string, string>;
  readonly #port: number;
  /** Its output, kept beside its data when a fault was found. */
  readonly #log: number;
  #process: ChildProcess | undefined;
  #isOver = false;

  constructor(dataDir: string, port: number, variables: Record<string, string>) {
    this.#variables = variables;
    this.#dataDir = dataDir;
    this.#port = port;
    this.#log = openSync(join(dataDir, 'service.log'), 'a');
    this.address = `http://127.0.0.1:${port}`;
  }

  /** Whether the process started last is running. */
  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async start(): Promise<void> {
    if (this.#isOver) throw new Error('The run is over');
    const child = spawn(process.execPath, ['build/server/server.js'], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(this.#port),
        DATA_DIR: this.#dataDir,
        GATEWAY_PROCESSING_MS: '0',
        LOG_LEVEL: 'error',
        TRUST_PROXY: 'yes',
        ...this.#variables,
      },
      stdio: ['ignore', this.#log, this.#log],
    });
    this.#process = child;
    await this.#untilReady(child);
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + START_DEADLINE_MS;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) {
        const logEnd = readFileSync(join(this.#dataDir, 'service.log'), 'utf8').slice(-1000);
        throw new Error(`The service ended with ${child.exitCode}: ${logEnd}`);
      }
      const ready = await call(`${this.address}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return;
      await sleep(50);
    }
    throw new Error('The service did not become ready');
  }

  /** Sends SIGKILL. */
  async kill(target: 'service' | 'database'): Promise<void> {
    if (target === 'database') {
      const file = readFileSync(join(this.#dataDir, 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number(file.split('\n')[0]), 'SIGKILL');
      return;
    }
    const child = this.#process;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Starts the service again if it has ended, and waits until it answers. */
  async revive(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) await this.start();
    else await this.#untilReady(child);
  }

  /** Stops the service, by force if it does not end, and a database that outlived it. Nothing starts afterwards. */
  async end(): Promise<void> {
    this.#isOver = true;
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const late = sleep(END_MS, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') {
        child.kill('SIGKILL');
        await ended;
      }
    }
    await shutDown({ cluster: join(this.#dataDir, 'postgres'), binaries: findPostgres() });
    closeSync(this.#log);
  }
}

/** A point not reached in so many purchases can never be: the run itself is wrong, however busy the machine is. */
const UNREACHED_PURCHASES = 400;
/** Without a purchase in this time the run has stopped. */
const STANDSTILL_MS = 15 * 60_000;
const LOOK_MS = 2000;

/** The call of PayPal's double that is held for a point; the others are watched where they happen. */
const heldAtPaypal = {
  'paypal create': 'create',
  'paypal capture': 'capture',
  'paypal refund': 'refund',
} as const satisfies Partial<Record<KillPoint, string>>;

type Options = {
  victim: ServiceProcess;
  armedPoint: ArmedPoint;
  doubles: PartnerDoubles;
  ledger: Ledger;
  random: () => number;
  /** Purchases finished so far. */
  done: () => number;
};

/** Kills as planned, one after the other, and restarts. */
export class Killer {
  isDone = false;
  /** Kills so far, by target. */
  readonly counts: Record<string, number> = {};
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** `progress`, from 0 to 1: the kills are spread over the whole run, whatever its speed. */
  async run(plan: readonly Kill[], progress: () => number): Promise<void> {
    for (const [index, kill] of plan.entries()) {
      while (progress() < index / plan.length) await sleep(20);
      await this.#strike(kill);
      this.counts[kill] = (this.counts[kill] ?? 0) + 1;
      console.log(`kill ${index + 1} of ${plan.length}: ${kill}`);
      await this.#options.victim.revive();
    }
    this.isDone = true;
  }

  async #strike(kill: Kill): Promise<void> {
    const { victim, random } = this.#options;
    if (kill === 'service' || kill === 'database') {
      await sleep(random() * 400);
      return victim.kill(kill);
    }
    await this.#reached(kill);
    return victim.kill('service');
  }

  async #reached(point: KillPoint): Promise<void> {
    const { armedPoint, doubles, ledger, done } = this.#options;
    let isReached = false;
    const reached = armedPoint.arm(point).then(() => void (isReached = true));
    const call = Object.entries(heldAtPaypal).find(([held]) => held === point)?.[1];
    if (call) await playScenario(doubles.paypal, call, 'held');
    const before = done();
    let last = { purchases: before, at: Date.now() };
    for (;;) {
      await Promise.race([reached, sleep(LOOK_MS, undefined, { ref: false })]);
      if (isReached) return;
      const purchases = done();
      if (purchases > last.purchases) last = { purchases, at: Date.now() };
      if (purchases - before > UNREACHED_PURCHASES) throw new Error(`Nobody came to "${point}"`);
      if (Date.now() - last.at > STANDSTILL_MS) throw new Error(`Nothing moves before "${point}"`);
      // The sweep would only ask two minutes after a payment.
      if (point === 'card ask') await askNow(ledger);
    }
  }
}

/** Has the service ask about every undecided payment now. */
async function askNow(ledger: Ledger): Promise<void> {
  await ledger.rows('update payment_attempt set ask_at = now() where ask_at > now()');
  await ledger.rows(`select graphile_worker.add_job('payment.sweep', job_key => 'crash:sweep')`);
}

/** What the tests that kill processes share: options, folder, clean-up, comparison of the books, exit code. */

/** Signals that end a run, with the exit codes that shells give them. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Driver<NumberName extends string, PathName extends string = never> = {
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
