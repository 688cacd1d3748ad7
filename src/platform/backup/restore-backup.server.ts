import type { Pool } from 'pg';
import type { Sealer } from '../crypto/seal.server.ts';
import type { FileStore } from '../files/file-store.server.ts';
import { BackupError } from './backup-error.server.ts';
import { fillTables, requireFit } from './fill-database.server.ts';
import { readManifest, type Manifest } from './manifest.server.ts';
import { unpackFiles } from './pack-files.server.ts';
import { checkPart, readPart } from './part.server.ts';

type Place = { folder: string; identity: string };

/**
 * Opens a backup and reads all of it without writing anything: every part is there, and is what the manifest names.
 * @throws BackupError
 */
export async function openBackup(
  place: Place,
  { sealer, dataKeys }: { sealer: Pick<Sealer, 'keyedHash'>; dataKeys: readonly string[] },
): Promise<Manifest> {
  const manifest = await readManifest(place, sealer);
  const lacking = manifest.dataKeys.filter((id) => !dataKeys.includes(id));
  if (lacking.length > 0) {
    throw new BackupError(
      `ENCRYPTION_KEYS lacks ${lacking.join(', ')}, which the service of this backup had: what it sealed would not open`,
    );
  }
  for (const { part } of [...manifest.tables, manifest.files]) await checkPart(place.folder, part);
  return manifest;
}

/**
 * Fills an empty file store and an empty, migrated database, whose owner the pool connects as: files first, then all
 * rows in one transaction. Where something fails, the files that were written are removed and nothing is left.
 * @throws BackupError
 */
export async function fillFromBackup(
  place: Place,
  manifest: Manifest,
  { pool, store }: { pool: Pool; store: FileStore },
): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await requireFit(client, manifest);
    for await (const id of store.list()) {
      throw new BackupError(
        `${store.name} is not empty: it has ${id}. A backup is restored into an empty file store only; a restore that was interrupted may have left some`,
      );
    }
    try {
      const count = await unpackFiles(await readPart(place, manifest.files.part), store);
      if (count !== manifest.files.count) {
        throw new BackupError(`${count} files instead of ${manifest.files.count}`);
      }
      await fillTables(client, manifest, ({ part }) => readPart(place, part));
    } catch (error) {
      for await (const id of store.list()) await store.remove(id);
      throw error;
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}
