import type { Pool } from 'pg';
import { lastBackup, type BackupRecord } from '~/platform/backup/backup-store.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { checkDatabase, schemaState } from '~/platform/postgres/migrate.server.ts';
import { accountRights, archiving, type Archiving } from './setup-store.server.ts';
import {
  checked,
  command,
  guide,
  minuteOf,
  mistakesFound,
  variable,
  type Check,
  type CheckState,
  type Finding,
} from './setup-check.ts';

const MIGRATE = command('npm run lale -- migrate <account of the service>');

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

/** Older than a night and a while. */
const BACKUP_HOURS = 26;
/** On another machine than the server, as the guide says. */
const MAKE_KEYS = command('npm run lale -- backup-keys lale-backups.txt');
const BACKUPS = guide('docs/operations.md, “Backups”');

/**
 * Whether `npm run lale -- backup` wrote all there is in the last night, and whether the database archives its log of changes:
 * one of them at least. Copies made in another way, and whether anything can be restored, cannot be seen from here.
 */
export async function backupsCheck(
  db: Database,
  { recipient, now }: { recipient: string | undefined; now: () => Date },
): Promise<Check> {
  const archive = archiveFound(await archiving(db));
  const own = recipient ? ownFound(await lastBackup(db), now()) : null;
  if (!own) {
    const unset = { code: 'backupUnset' } as const;
    if (archive.state === 'ok') return checked('backups', 'ok', archive.found);
    const mend = [MAKE_KEYS, variable('BACKUP_RECIPIENT'), BACKUPS, ARCHIVE];
    return checked('backups', archive.state, [unset, archive.found], ...mend);
  }
  const states = [own.state, archive.state];
  const state = states.includes('missing') ? 'missing' : own.state;
  const found = archive.state === 'unknown' ? own.found : [own.found, archive.found];
  return checked('backups', state, found, command('npm run lale -- backup <folder>'), BACKUPS);
}

type StateAndFinding = { state: CheckState; found: Finding };

function ownFound(last: BackupRecord | null, now: Date): StateAndFinding {
  if (!last) return { state: 'missing', found: { code: 'backupNone' } };
  const values = { moment: minuteOf(last.begunAt), hours: BACKUP_HOURS };
  if (now.getTime() - last.begunAt.getTime() > BACKUP_HOURS * 3600_000) {
    return { state: 'missing', found: { code: 'backupOld', values } };
  }
  return last.missingFiles > 0
    ? { state: 'missing', found: { code: 'backupIncomplete', values } }
    : { state: 'ok', found: { code: 'backupGood', values } };
}

const ARCHIVE = guide('docs/going-live.md, “Backups”');

function archiveFound({ mode, archivedAt, failedAt }: Archiving): StateAndFinding {
  if (mode === 'off') return { state: 'unknown', found: { code: 'backupsOff' } };
  if (failedAt && (!archivedAt || failedAt > archivedAt)) {
    const values = { moment: minuteOf(failedAt) };
    return { state: 'missing', found: { code: 'backupsFail', values } };
  }
  return archivedAt
    ? { state: 'ok', found: { code: 'backupsGood', values: { moment: minuteOf(archivedAt) } } }
    : { state: 'unknown', found: { code: 'backupsNone' } };
}
