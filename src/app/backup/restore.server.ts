import { BackupError, type LedgerLine, type Manifest } from '~/platform/backup/manifest.server.ts';
import { readIdentity } from '~/platform/backup/backup-keys.server.ts';
import { fillFromBackup, openBackup } from '~/platform/backup/restore-backup.server.ts';
import { ownerAddress } from '~/platform/config/database-address.ts';
import { readConfig, type Config } from '~/platform/config/config.server.ts';
import { makeSealer, UnsealError, type Sealer } from '~/platform/crypto/crypto.server.ts';
import { openFileStore } from '~/platform/files/open-store.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import {
  openDatabase,
  type Database,
  type Queryable,
} from '~/platform/postgres/database.server.ts';
import { openEmbedded } from '~/platform/postgres/embedded/open-embedded.server.ts';
import { migrate } from '~/platform/postgres/migrate.server.ts';
import { randomUUID } from 'node:crypto';
import { insertDeletionRecord, RESTORE } from '~/features/desk/privacy/deletions.server.ts';
import { and, gt, isNull } from 'drizzle-orm';
import { staffInvitation, staffReset, staffSession } from '~/features/staff/tables.server.ts';
import type { Pool } from 'pg';
import { reportLines, verifyTrail } from '~/features/staff/audit/audit-seal.server.ts';
import { firstDayOfAuditTrail } from '~/features/staff/accounts/jobs.server.ts';
import type { FileStore } from '~/platform/files/file-store.server.ts';
import { sealedFiles } from '~/platform/files/files.server.ts';
import { someValues, sealingContext } from '~/platform/backup/reencrypt.server.ts';
import { knownFiles, type KnownFile } from '../known-files-store.server.ts';
import { sealedColumns } from '~/features/desk/privacy/personal-tables.server.ts';
import { ledgerTotals } from './back-up.server.ts';

const AT_ONCE = 8;
/** Values of each sealed column that are opened, at most. */
const SAMPLE = 500;
/** Files that are named; of more only how many. */
const MAX_NAMED_FILES = 20;

type RestoreReport = {
  /** What was checked and holds. */
  held: string[];
  /** What differs, in a sentence each. */
  differing: string[];
};

/**
 * Compares what was restored with what the manifest says of the service at the moment of the backup: the books, the
 * audit trail as it was due then, some values of each sealed column, and every document, which has to open and be the one of its row. Rows were compared
 * before they were stored (`fillTables`).
 */
export async function checkRestored(
  manifest: Manifest,
  { db, pool, store, sealer }: { db: Database; pool: Pool; store: FileStore; sealer: Sealer },
): Promise<RestoreReport> {
  const report: RestoreReport = { held: [], differing: [] };
  compareLedgers(manifest.ledger, await ledgerTotals(db), report);
  const at = new Date(manifest.begunAt);
  const trail = await verifyTrail({ db, sealer, now: () => at }, firstDayOfAuditTrail(at));
  (trail.findings.length === 0 ? report.held : report.differing).push(...reportLines(trail));
  await checkSealed({ pool, sealer }, report);
  await checkDocuments(manifest.files, { db, store, sealer }, report);
  return report;
}

function compareLedgers(
  before: readonly LedgerLine[],
  after: readonly LedgerLine[],
  { held, differing }: RestoreReport,
): void {
  const found = new Map(after.map((line) => [line.name, line]));
  const names = new Set([...before, ...after].map(({ name }) => name));
  const expected = new Map(before.map((line) => [line.name, line]));
  const totalOf = (line: LedgerLine | undefined) => `${line?.count ?? 0} of ${line?.minor ?? 0}`;
  const wrong = [...names].filter(
    (name) => totalOf(found.get(name)) !== totalOf(expected.get(name)),
  );
  for (const name of wrong) {
    differing.push(
      `The books differ: ${name} are ${totalOf(found.get(name))} in minor units instead of ${totalOf(expected.get(name))}.`,
    );
  }
  if (wrong.length === 0) held.push(`The books are equal in all ${names.size} totals.`);
}

/** Opens some values of each sealed column with the configured keys. */
async function checkSealed(
  { pool, sealer }: { pool: Pool; sealer: Sealer },
  { held, differing }: RestoreReport,
): Promise<void> {
  let opened = 0;
  for (const column of sealedColumns) {
    let failed = 0;
    for (const { key, sealed } of await someValues(pool, column, SAMPLE)) {
      try {
        sealer.unseal(sealed, sealingContext(column, key));
        opened += 1;
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        failed += 1;
      }
    }
    if (failed > 0) {
      differing.push(`${failed} values of ${column.table}.${column.column} do not open.`);
    }
  }
  held.push(`${opened} values of ${sealedColumns.length} sealed columns open.`);
}

async function checkDocuments(
  { deletedMeanwhile }: Manifest['files'],
  { db, store, sealer }: { db: Database; store: FileStore; sealer: Sealer },
  { held, differing }: RestoreReport,
): Promise<void> {
  const files = sealedFiles(store, sealer);
  const deleted = new Set(deletedMeanwhile);
  const wrong: string[] = [];
  let checked = 0;
  const checkOne = async ({ id, size, holds }: KnownFile) => {
    if (deleted.has(id)) return;
    checked += 1;
    const bytes = await files
      .read(id)
      .then((found) => found?.bytes ?? null)
      .catch((error: unknown) => {
        if (error instanceof UnsealError) return 'damaged' as const;
        throw error;
      });
    if (bytes === null) wrong.push(`missing: ${id}`);
    else if (bytes === 'damaged') wrong.push(`does not open: ${id}`);
    else if (bytes.length !== size || !(holds?.(bytes) ?? true)) wrong.push(`differs: ${id}`);
  };
  let running: Promise<void>[] = [];
  for await (const file of knownFiles(db, sealer)) {
    running.push(checkOne(file));
    if (running.length < AT_ONCE) continue;
    await Promise.all(running);
    running = [];
  }
  await Promise.all(running);
  if (wrong.length > 0) {
    differing.push(
      `${wrong.length} of ${checked} documents are not as their rows say.`,
      ...wrong.slice(0, MAX_NAMED_FILES),
    );
  } else held.push(`All documents open and are those of their ${checked} rows.`);
  if (deleted.size > 0) {
    held.push(
      `${deleted.size} documents had been deleted while the backup was made; their rows are in it.`,
    );
  }
}

/**
 * Notes among the deletions that a backup was restored: what was erased on request since then is back. The desk's page
 * of privacy requests says so.
 */
export const recordRestore = (db: Database, at: Date): Promise<void> =>
  db.transaction((tx) =>
    insertDeletionRecord(tx, {
      id: randomUUID(),
      at,
      cause: RESTORE,
      deleted: {},
      changed: {},
      files: 0,
    }),
  );

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

type EndedAccess = { sessions: number; invitations: number; resets: number };

/**
 * Ends all sessions, invitations and password links of staff: one that was ended after a backup would be back with it.
 * Returns how many had neither ended nor expired.
 */
export async function endAccess(db: Queryable, now: Date): Promise<EndedAccess> {
  const ended = [];
  for (const table of [staffSession, staffInvitation, staffReset]) {
    const rows = await db
      .update(table)
      .set({ endedAt: now })
      .where(and(isNull(table.endedAt), gt(table.expiresAt, now)))
      .returning({ id: table.id });
    ended.push(rows.length);
  }
  const [sessions = 0, invitations = 0, resets = 0] = ended;
  return { sessions, invitations, resets };
}
