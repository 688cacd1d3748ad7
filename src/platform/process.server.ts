import { readConfig, ConfigError, type Config } from './config.server.ts';
import { describeError } from './log.server.ts';

export type Running = {
  /** Finishes what is in flight, then closes everything. */
  stop(): Promise<void>;
};

const STOP_DEADLINE_MS = 60_000;

/**
 * The life of a process: reads the configuration, starts, and stops on SIGINT or SIGTERM, also when one arrives
 * while it is still starting. What the operator has to put right is printed as one message, with exit code 78.
 */
export async function runProcess(start: (config: Config) => Promise<Running>): Promise<void> {
  const stopAsked = Promise.withResolvers<string>();
  // A terminal sends Ctrl-C to npm as well, which passes it on: the second one means nothing.
  process.on('SIGINT', () => stopAsked.resolve('SIGINT'));
  process.on('SIGTERM', () => stopAsked.resolve('SIGTERM'));
  process.on('unhandledRejection', (reason) => {
    printError('unhandled rejection', reason);
    process.exitCode = 1;
    stopAsked.resolve('an unhandled rejection');
  });

  let running: Running;
  try {
    running = await start(readConfig(process.env));
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else printError('start failed', error);
    process.exit(error instanceof ConfigError ? error.exitCode : 1);
  }
  const reason = await stopAsked.promise;
  process.stdout.write(`Stopping (${reason}).\n`);
  setTimeout(() => {
    process.stderr.write(`Not everything ended within ${STOP_DEADLINE_MS / 1000} s.\n`);
    process.exit(1);
  }, STOP_DEADLINE_MS).unref();
  try {
    await running.stop();
    process.stdout.write('Stopped.\n');
  } catch (error) {
    printError('stop failed', error);
    process.exitCode = 1;
  }
  process.exit();
}

function printError(what: string, error: unknown): void {
  process.stderr.write(
    `${JSON.stringify({ level: 'fatal', msg: what, err: describeError(error) })}\n`,
  );
}
