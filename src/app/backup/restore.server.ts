import { checkRestored } from './check-restored.server.ts';
import { endAccess } from './end-access-store.server.ts';
import { recordRestore } from './record-restore.server.ts';
import { BackupError } from '~/platform/backup/backup-error.server.ts';
import { readIdentity } from '~/platform/backup/backup-keys.server.ts';
import { fillFromBackup, openBackup } from '~/platform/backup/restore-backup.server.ts';
import { ownerAddress } from '~/platform/config/database-address.ts';
import { readConfig, type Config } from '~/platform/config/config.server.ts';
import { makeSealer } from '~/platform/crypto/crypto.server.ts';
import { openFileStore } from '~/platform/files/open-store.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { openEmbedded } from '~/platform/postgres/embedded/open-embedded.server.ts';
import { migrate } from '~/platform/postgres/schema/migrate.server.ts';

/**
 * Fills an empty database and an empty file store from the folder of one backup, checks what was restored and prints what
 * it found. DATABASE_URL names the owner, whose password may stand in DATABASE_OWNER_PASSWORD. Returns the exit code: 0:
 * all is as it was; 1: something differs, or nothing was restored.
 */
export async function restore(environment: NodeJS.ProcessEnv, folder: string): Promise<number> {
  const variables = { ...environment, DATABASE_URL: ownerAddress(environment) };
  const config = readConfig({ ...variables, DATABASE_OWNER_PASSWORD: undefined });
  const identity = await readIdentity(environment.BACKUP_IDENTITY_FILE);
  const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
  const place = { folder, identity };
  const stack = new AsyncDisposableStack();
  try {
    const dataKeys = config.encryptionKeys.map(({ id }) => id);
    const manifest = await openBackup(place, { sealer, dataKeys });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `The backup of ${manifest.begunAt} is whole: ${manifest.tables.length} tables, ${rows} rows, ${manifest.files.count} files.`,
    );
    const store = openFileStore(config);
    stack.defer(() => store.close());
    await store.check();
    const { db, pool, close } = openDatabase(await openTarget(config, stack), { poolSize: 3 });
    stack.defer(close);
    await fillFromBackup(place, manifest, { pool, store });
    console.log('All rows and files are restored.');
    const { held, differing } = await checkRestored(manifest, { db, pool, store, sealer });
    for (const line of [...held, ...differing]) console.log(line);
    const { sessions, invitations, resets } = await endAccess(db, new Date());
    console.log(
      `Ended, because they may have been ended since: ${sessions} sessions, ${invitations} invitations and ${resets} password links of staff.`,
    );
    await recordRestore(db, new Date());
    console.log(
      `What was erased on request after ${manifest.begunAt} is back. Erase it again before the service is opened: npm run lale -- erasures --repeat <list of erasures, or the log of the service>.`,
    );
    console.log(
      differing.length === 0
        ? 'Everything is as it was when the backup was made.'
        : 'What was restored differs from what the backup says.',
    );
    return differing.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    process.stderr.write(`${error.message}.\n`);
    return 1;
  } finally {
    await stack.disposeAsync();
  }
}

/** The address of the owner of a database that is up to date and, unless it was filled before, empty. */
async function openTarget(config: Config, stack: AsyncDisposableStack): Promise<string> {
  if (config.databaseUrl) {
    await migrate(config.databaseUrl, config.mode);
    return config.databaseUrl;
  }
  const log = makeLog({ level: 'error' });
  return (await openEmbedded(config, { log, stack })).ownerUrl;
}
