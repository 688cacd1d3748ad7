import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { Sealer } from '../crypto/seal.server.ts';
import type { FileStore } from '../files/file-store.server.ts';
import type { Database } from '../postgres/database.server.ts';
import {
  writeManifest,
  type LedgerLine,
  type Manifest,
  packFiles,
  writePart,
} from './manifest.server.ts';
import {
  beginSnapshot,
  copyOut,
  digestOf,
  schemaOf,
  sequencesOf,
  tablesOf,
} from './snapshot.server.ts';

export type BackupSource = {
  pool: Pool;
  store: Pick<FileStore, 'read'>;
  sealer: Pick<Sealer, 'keyedHash'>;
  /** age recipients, with commas between them. */
  recipient: string;
  /** Ids of the configured data keys, newest first. */
  dataKeys: readonly string[];
  now: () => Date;
  /** Totals of money, read in the snapshot. */
  ledger: (snapshot: Database) => Promise<LedgerLine[]>;
  /** Every file that rows lead to, each once, read in the snapshot. */
  fileIds: (snapshot: Database) => AsyncIterable<string>;
  /** Those of these files that a row refers to by now. */
  stillKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  onProgress?: (line: string) => void;
};

export type WrittenBackup = { folder: string; manifest: Manifest; bytes: number };

/**
 * Writes one backup as a new folder below `parent`. The database comes first, all of it in one snapshot; then the files
 * that rows of this snapshot name. A file never changes, so one that is copied later is the same; one that was stored
 * later is not in the snapshot; one that was removed with its row meanwhile is named in the manifest. The folder has its
 * name only once everything in it is on the disk; until then it ends in `.part`.
 * @throws FilesUnavailable where the file store does not answer.
 */
export async function writeBackup(parent: string, source: BackupSource): Promise<WrittenBackup> {
  const { pool, store, sealer, recipient, now, onProgress = () => undefined } = source;
  const begunAt = now();
  const folder = join(parent, `lale-${begunAt.toISOString().slice(0, 19).replaceAll(':', '')}Z`);
  const draft = `${folder}.part`;
  await mkdir(draft, { mode: 0o700 });
  const place = { folder: draft, recipient };
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await beginSnapshot(client);
    const snapshot = drizzle({ client });
    const schema = await schemaOf(client);
    const ledger = await source.ledger(snapshot);
    const tables: Manifest['tables'] = [];
    for (const table of await tablesOf(client)) {
      const known = await digestOf(client, table);
      const file = `${table.schema}.${table.name}.copy.gz.age`;
      tables.push({
        ...table,
        ...known,
        part: await writePart(place, file, copyOut(client, table)),
      });
    }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    onProgress(`${tables.length} tables with ${rows} rows are written.`);
    const sequences = await sequencesOf(client);
    const { archive, packed } = packFiles(store, source.fileIds(snapshot));
    const part = await writePart(place, 'files.tar.age', archive);
    onProgress(`${packed.count} files are written.`);
    await client.query('commit');
    const known = await source.stillKnown(packed.absent);
    const manifest: Manifest = {
      format: 1,
      begunAt: begunAt.toISOString(),
      schema,
      dataKeys: [...source.dataKeys],
      tables,
      sequences,
      ledger,
      files: {
        count: packed.count,
        bytes: packed.bytes,
        part,
        deletedMeanwhile: packed.absent.filter((id) => !known.has(id)),
        missing: packed.absent.filter((id) => known.has(id)),
      },
    };
    const own = await writeManifest(place, manifest, sealer);
    await flush(draft);
    await rename(draft, folder);
    await flush(parent);
    const bytes = tables.reduce((sum, table) => sum + table.part.bytes, own + part.bytes);
    return { folder, manifest, bytes };
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    // After a failure in the middle of a copy the connection is of no use.
    client.release(failure);
  }
}

/** A rename survives a power cut only once its folder is flushed; not every platform can. */
async function flush(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
