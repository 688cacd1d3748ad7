import { makeResetLink, RESET_MINUTES } from './features/staff/reset/reset.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { visitDatabase } from './platform/postgres/embedded/visit-database.server.ts';

const refusals = {
  not_found: 'There is no account with this e-mail address.',
  deactivated: 'This account is deactivated: an administrator has to reactivate it first.',
  no_password:
    'STAFF_PASSWORD_SIGN_IN does not take the password of this account: add its address.',
} as const;

/**
 * `npm run staff:reset -- <email> [--second-factor]`: prints a link to a new password, for when no administrator can
 * sign in to send one. With the option the account's second factor is removed, too.
 */
await runCommand(async () => {
  const [, , , ...words] = process.argv;
  const email = words.find((word) => !word.startsWith('--'));
  const unknown = words.filter((word) => word.startsWith('--') && word !== '--second-factor');
  if (!email || unknown.length > 0) {
    throw new ConfigError(['usage: npm run staff:reset -- <e-mail> [--second-factor]']);
  }
  const config = readConfig(process.env);
  const visited = await visitDatabase(config);
  const { db, close } = openDatabase(visited.url, { poolSize: 1 });
  try {
    const secondFactor = words.includes('--second-factor');
    const platform = { db, config, now: () => new Date() };
    const made = await makeResetLink(platform, { email, secondFactor });
    if (!made.ok) {
      console.error(refusals[made.error]);
      return 1;
    }
    console.log(`A new password is chosen here, once, within ${RESET_MINUTES} minutes:`);
    console.log(made.value);
    if (secondFactor)
      console.log('The second factor is removed; set it up again after signing in.');
    return 0;
  } finally {
    await close();
    await visited.leave();
  }
});
