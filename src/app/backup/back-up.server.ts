import type { Pool } from 'pg';
import { recordBackup } from '~/platform/backup/backup-store.server.ts';
import { writeBackup, type WrittenBackup } from '~/platform/backup/write-backup.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import type { FileStore } from '~/platform/files/file-store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { knownFileIds, stillKnown } from '../known-files-store.server.ts';
import { ledgerTotals } from './ledger-store.server.ts';

export type BackedUp = {
  config: Pick<Config, 'encryptionKeys'>;
  db: Database;
  pool: Pool;
  store: Pick<FileStore, 'read'>;
  sealer: Sealer;
  now: () => Date;
};

/**
 * Writes one backup of the service as a new folder below `parent`, and notes in the database that it was written.
 * @throws FilesUnavailable
 */
export async function backUp(
  { config, db, pool, store, sealer, now }: BackedUp,
  { parent, recipient }: { parent: string; recipient: string },
  onProgress?: (line: string) => void,
): Promise<WrittenBackup> {
  const written = await writeBackup(parent, {
    pool,
    store,
    sealer,
    recipient,
    dataKeys: config.encryptionKeys.map(({ id }) => id),
    now,
    ledger: ledgerTotals,
    fileIds: knownFileIds,
    stillKnown: (ids) => stillKnown(db, ids),
    onProgress,
  });
  const { begunAt, tables, files } = written.manifest;
  await recordBackup(db, {
    begunAt: new Date(begunAt),
    endedAt: now(),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.count,
    bytes: written.bytes,
    missingFiles: files.missing.length,
  });
  return written;
}
