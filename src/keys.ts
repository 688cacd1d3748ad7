import { dateOf, UTC } from './base/dates/dates.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { freshKeys, type KeyHolder } from './platform/config/fresh-keys.server.ts';
import { rotationLines } from './platform/config/rotate-keys.server.ts';

const holders = new Map<string, KeyHolder>([
  ['--store', 'store'],
  ['--owner', 'owner'],
]);

/**
 * `npm run keys`: prints fresh passwords, secrets and keys as lines of an environment file, with `-- --store` those of
 * the file store of compose.yaml as well, with `-- --owner` the password of the database's owner alone; with `--
 * --rotate ENCRYPTION_KEYS` the steps that replace one of the configured secrets. It stores nothing.
 */
await runCommand(async () => {
  const [, , , option, name, ...more] = process.argv;
  const day = dateOf(new Date(), UTC);
  const holder = option === undefined ? 'service' : holders.get(option);
  if (holder && name === undefined) {
    for (const line of freshKeys(day, holder)) console.log(line);
    return 0;
  }
  if (option !== '--rotate' || name === undefined || more.length > 0) {
    throw new ConfigError(['usage: npm run keys [-- --store | --owner | --rotate <variable>]']);
  }
  for (const line of rotationLines(name, readConfig(process.env), day)) console.log(line);
  return 0;
});
