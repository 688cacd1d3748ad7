import cluster from 'node:cluster';
import { readConfig, ConfigError, type Config } from '../config/config.server.ts';
import { describeError } from '../log/log.server.ts';
import { fromParent } from './messages.server.ts';

/**
 * How a process is to end. `at once`: stopped from a terminal (Ctrl-C). `leave`: it first says that it is not ready, so
 * that requests are sent to other processes. `retire`: another process of the same parent has taken its place already.
 */
export type Ending = 'at once' | 'leave' | 'retire';

export type Running = {
  /** Finishes what is in flight, then closes everything. */
  stop(ending: Ending): Promise<void>;
  /** Resolves when it cannot go on: it is stopped then, and the process ends with 1. */
  failed?: Promise<string>;
};

/** The reason has been printed already; the process ends with this code. */
export class EndWith extends Error {
  override name = 'EndWith';
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`ends with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Longer than answers, jobs and a parent's processes take to end, on top of the configured grace. */
const STOP_DEADLINE_MS = 75_000;

type Stop = { why: string; ending: Ending };

/**
 * The life of a process: reads the configuration, starts, and stops on SIGINT or SIGTERM, also when one arrives
 * while it is still starting. What the operator has to put right is printed as one message, with exit code 78.
 */
export async function runProcess(start: (config: Config) => Promise<Running>): Promise<void> {
  const stopRequested = Promise.withResolvers<Stop>();
  // A terminal sends Ctrl-C to npm as well, which passes it on: the second signal is ignored.
  process.on('SIGINT', () => stopRequested.resolve({ why: 'SIGINT', ending: 'at once' }));
  process.on('SIGTERM', () => stopRequested.resolve({ why: 'SIGTERM', ending: 'leave' }));
  // A parent of several processes restarts them at this; it would end a single one.
  process.on('SIGUSR2', () => undefined);
  if (cluster.isWorker) {
    process.on('message', (message) => {
      if (fromParent.safeParse(message).data?.type !== 'retire') return;
      stopRequested.resolve({ why: 'replaced', ending: 'retire' });
    });
  }
  process.on('unhandledRejection', (reason) => {
    printError('unhandled rejection', reason);
    process.exitCode = 1;
    stopRequested.resolve({ why: 'an unhandled rejection', ending: 'leave' });
  });

  let config: Config;
  let running: Running;
  try {
    config = readConfig(process.env);
    running = await start(config);
  } catch (error) {
    if (error instanceof EndWith) process.exit(error.exitCode);
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else printError('start failed', error);
    process.exit(error instanceof ConfigError ? error.exitCode : 1);
  }
  const { why, ending } = await Promise.race([stopRequested.promise, failureOf(running)]);
  say(`Stopping (${why}).`);
  const deadline = STOP_DEADLINE_MS + config.drainGraceMs;
  setTimeout(() => {
    process.stderr.write(`Not everything ended within ${deadline / 1000} s.\n`);
    process.exit(1);
  }, deadline).unref();
  try {
    await running.stop(ending);
    say('Stopped.');
  } catch (error) {
    printError('stop failed', error);
    process.exitCode = 1;
  }
  process.exit();
}

/** Resolves when the process cannot go on, otherwise never. */
async function failureOf({ failed = new Promise<never>(() => undefined) }: Running): Promise<Stop> {
  const why = await failed;
  process.exitCode = 1;
  return { why, ending: 'at once' };
}

/** Printed by a parent, or a single process; the processes of a parent print nothing. */
function say(line: string): void {
  if (!cluster.isWorker) process.stdout.write(`${line}\n`);
}

function printError(what: string, error: unknown): void {
  process.stderr.write(
    `${JSON.stringify({ level: 'fatal', msg: what, err: describeError(error) })}\n`,
  );
}
