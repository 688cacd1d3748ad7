import type { Pool } from 'pg';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { checkDatabase } from '~/platform/postgres/schema/check-database.server.ts';
import { schemaState } from '~/platform/postgres/schema/migrate.server.ts';
import { accountRights, archiving } from './setup-store.server.ts';
import {
  checked,
  command,
  guide,
  minuteOf,
  mistakesFound,
  variable,
  type Check,
} from './setup-check.ts';

const MIGRATE = command('npm run database:migrate -- <account of the service>');

/** Whether the database answers, is new enough and has the schema of this release. `url`: for messages, without its password. */
export async function databaseCheck(pool: Pool, url: string): Promise<Check> {
  try {
    await checkDatabase(pool, url);
    return (await schemaState(pool)) === 'current'
      ? checked('database', 'ok', { code: 'databaseGood' })
      : checked('database', 'missing', { code: 'schemaOld' }, MIGRATE);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return checked('database', 'missing', mistakesFound(error.mistakes), variable('DATABASE_URL'));
  }
}

/** Whether the service's account owns nothing, so that it cannot switch the audit trail's triggers off. */
export async function accountsCheck(db: Database): Promise<Check> {
  const { role, hasSchema, ownsTables, changesTrail } = await accountRights(db);
  const values = { role };
  if (!hasSchema) return checked('accounts', 'missing', { code: 'schemaOld' }, MIGRATE);
  if (ownsTables) {
    const accounts = guide('docs/operations.md, “The database’s accounts”');
    return checked('accounts', 'missing', { code: 'accountOwns', values }, MIGRATE, accounts);
  }
  return changesTrail
    ? checked('accounts', 'missing', { code: 'accountChanges', values }, MIGRATE)
    : checked('accounts', 'ok', { code: 'accountGood', values });
}

/**
 * Whether the database archives its log of changes. Copies made in another way, those of files and keys, and whether
 * anything can be restored from them cannot be seen from here.
 */
export async function backupsCheck(db: Database): Promise<Check> {
  const { mode, archivedAt, failedAt } = await archiving(db);
  const mend = guide('docs/going-live.md, “Backups”');
  if (mode === 'off') return checked('backups', 'unknown', { code: 'backupsOff' }, mend);
  if (failedAt && (!archivedAt || failedAt > archivedAt)) {
    const values = { moment: minuteOf(failedAt) };
    return checked('backups', 'missing', { code: 'backupsFail', values }, mend);
  }
  return archivedAt
    ? checked('backups', 'ok', { code: 'backupsGood', values: { moment: minuteOf(archivedAt) } })
    : checked('backups', 'unknown', { code: 'backupsNone' }, mend);
}
