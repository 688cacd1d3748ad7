import { ConfigError } from './config-error.server.ts';
import { describeError } from '../log/log.server.ts';

/**
 * A command that does one thing and ends with the code that `work` returns. What the operator has to put right is
 * printed as one message, with exit code 78; what fails otherwise ends with 70, so that no failure looks like an answer.
 */
export async function runCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const isMistake = error instanceof ConfigError;
    process.stderr.write(`${isMistake ? error.message : JSON.stringify(describeError(error))}\n`);
    process.exitCode = isMistake ? error.exitCode : 70;
  }
}
