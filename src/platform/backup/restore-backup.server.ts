import pg from 'pg';
import type { Pool } from 'pg';
import type { Sealer } from '../crypto/seal.server.ts';
import type { FileStore } from '../files/file-store.server.ts';
import {
  BackupError,
  readManifest,
  type Manifest,
  type TableContent,
  unpackFiles,
  checkPart,
  readPart,
} from './manifest.server.ts';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import {
  quotedColumns,
  tableDigest,
  PLAIN_TEXT,
  quoted,
  readSchemaState,
  readTables,
} from './write-backup.server.ts';

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

/**
 * Whether a migrated database may be filled from a backup.
 * @throws BackupError where its schema is another, or a table has rows.
 */
async function requireFit(client: pg.ClientBase, manifest: Manifest): Promise<void> {
  const here = await readSchemaState(client);
  const isSame =
    JSON.stringify(here.migrations) === JSON.stringify(manifest.schema.migrations) &&
    here.queue === manifest.schema.queue;
  if (!isSame) {
    throw new BackupError(
      `The backup has another schema (${manifest.schema.migrations.length} migrations, job queue ${manifest.schema.queue}) than this release (${here.migrations.length}, ${here.queue}); restore it with the release that made it, then start the newer one`,
    );
  }
  const tables = await readTables(client);
  const named = (list: readonly { schema: string; name: string; columns: string[] }[]) =>
    list.map((table) => `${quoted(table)}(${quotedColumns(table)})`).join();
  if (named(tables) !== named(manifest.tables)) {
    throw new BackupError('The backup has other tables or columns than this release');
  }
  for (const table of tables) {
    const { rows } = await client.query<{ filled: boolean }>(
      `select exists (select from ${quoted(table)}) as filled`,
    );
    if (rows[0]?.filled) {
      throw new BackupError(
        `The database is not empty: ${table.name} has rows. A backup is restored into an empty one only`,
      );
    }
  }
}

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Fills all tables in one transaction, by the owner of the tables, with foreign keys checked in the end. Nothing is stored where anything fails, or where the rows are not those of the backup.
 * @throws BackupError
 */
async function fillTables(
  client: pg.ClientBase,
  { tables, sequences }: Pick<Manifest, 'tables' | 'sequences'>,
  open: (table: TableContent) => Promise<Readable>,
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(PLAIN_TEXT);
    const keys = await foreignKeys(client);
    for (const { table, name } of keys) {
      await client.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`);
    }
    for (const table of tables) {
      await pipeline(
        await open(table),
        client.query(copyFrom(`copy ${quoted(table)} (${quotedColumns(table)}) from stdin`)),
      );
    }
    // Once all are filled: a trigger of one could have changed another.
    for (const table of tables) await requireEqual(client, table);
    for (const sequence of sequences) {
      const { value, isCalled } = sequence;
      await client.query('select setval($1, $2::bigint, $3)', [quoted(sequence), value, isCalled]);
    }
    for (const { table, name, definition } of keys) {
      const constraint = pg.escapeIdentifier(name);
      await client.query(`alter table ${table} add constraint ${constraint} ${definition}`);
    }
    await freeJobs(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  await client.query('analyze');
}

async function requireEqual(client: pg.ClientBase, table: TableContent): Promise<void> {
  const { rows, digest } = await tableDigest(client, table);
  if (rows !== table.rows) {
    throw new BackupError(`${table.name} has ${rows} rows instead of ${table.rows}`);
  }
  if (digest !== table.digest) throw new BackupError(`The rows of ${table.name} differ`);
}

async function foreignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  return rows;
}

/** Jobs that were locked when the snapshot was made: their runner does not exist here. */
async function freeJobs(client: pg.ClientBase): Promise<void> {
  for (const table of ['_private_jobs', '_private_job_queues']) {
    await client.query(
      `update graphile_worker.${table} set locked_at = null, locked_by = null where locked_at is not null`,
    );
  }
}
