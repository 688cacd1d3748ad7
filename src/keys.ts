import { dateOf, UTC } from './base/dates/dates.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { freshKeys } from './platform/config/fresh-keys.server.ts';
import { rotationLines } from './platform/config/rotate-keys.server.ts';

/**
 * `npm run keys`: prints fresh passwords, secrets and keys as lines of an environment file; with `-- --rotate
 * ENCRYPTION_KEYS` the steps that replace one of the configured secrets. It stores nothing.
 */
await runCommand(async () => {
  const [, , , option, name, ...more] = process.argv;
  const day = dateOf(new Date(), UTC);
  if (option === undefined) {
    for (const line of freshKeys(day)) console.log(line);
    return 0;
  }
  if (option !== '--rotate' || name === undefined || more.length > 0) {
    throw new ConfigError(['usage: npm run keys [-- --rotate <variable>]']);
  }
  for (const line of rotationLines(name, readConfig(process.env), day)) console.log(line);
  return 0;
});
