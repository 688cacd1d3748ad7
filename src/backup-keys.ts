import { makeIdentity } from './platform/backup/backup-keys.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';

/**
 * `npm run backup:keys -- <file>`, on another machine than the service's: writes the key that opens backups to a new
 * file, and prints the line with its public half for the service's variables.
 */
await runCommand(async () => {
  const [, , , file, ...more] = process.argv;
  if (!file || more.length > 0) throw new ConfigError(['usage: npm run backup:keys -- <file>']);
  console.log(`BACKUP_RECIPIENT=${await makeIdentity(file)}`);
  return 0;
});
