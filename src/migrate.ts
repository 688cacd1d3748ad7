import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { ownerAddress } from './platform/config/database-address.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { grantService } from './platform/postgres/schema/grant.server.ts';
import { migrate } from './platform/postgres/schema/migrate.server.ts';

/**
 * `npm run database:migrate -- lale`: as the owner in DATABASE_URL, whose password may stand in DATABASE_OWNER_PASSWORD, updates the schema and grants the named role what
 * the service needs. MODE=test adds the table of the simulated partners.
 */
await runCommand(async () => {
  const [, , , role] = process.argv;
  const url = ownerAddress(process.env);
  if (!url) throw new ConfigError(['DATABASE_URL: the address of the owner is needed']);
  const { pool, close } = openDatabase(url, { poolSize: 3 });
  try {
    await migrate(pool, process.env.MODE === 'test' ? 'test' : 'live');
    if (role) await grantService(pool, role);
    console.log(role ? `Migrated; ${role} may run the service.` : 'Migrated.');
    return 0;
  } finally {
    await close();
  }
});
