import type { Readable } from 'node:stream';
import pg from 'pg';
import type { Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import {
  type Manifest,
  writeManifest,
  type LedgerLine,
  packFiles,
  writePart,
} from './manifest.server.ts';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Sealer } from '../crypto/seal.server.ts';
import type { FileStore } from '../files/file-store.server.ts';
import type { Database } from '../postgres/database.server.ts';

export type Table = { schema: string; name: string; columns: string[] };

/** A connection with a transaction in which nothing changes, and rows are written as text in one way only. */
async function beginSnapshot(client: pg.ClientBase): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(PLAIN_TEXT);
  // The snapshot is of the first statement that reads.
  await client.query('select count(*) from pg_class');
}

/** Settings by which values become text, and by which that takes its time. */
export const PLAIN_TEXT = `
  set local client_encoding = 'UTF8'; set local datestyle = 'ISO, YMD'; set local timezone = 'UTC';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex';
  set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;`;

/** Ours and the job queue's, without what the simulated partners store; which migrations have run is told by `readSchemaState`. */
const OURS = `n.nspname in ('public', 'graphile_worker')
  and not (n.nspname = 'graphile_worker' and c.relname = 'migrations')
  and c.relname <> 'simulated_document'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** Every table with rows of the service, and its columns; those that the database computes are left out. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname::text as schema, c.relname::text as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       order by a.attnum
     ) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and ${OURS} order by 1, 2`,
  );
  return rows;
}

/** Counters behind identity columns. They stand outside transactions: read after the rows, they are never behind them. */
export async function readSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname::text as schema, c.relname::text as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and ${OURS} order by 1, 2`,
  );
  const sequences: Manifest['sequences'] = [];
  for (const sequence of rows) {
    const { rows: found } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(sequence)}`,
    );
    sequences.push({ ...sequence, value: found[0]?.value ?? '1', isCalled: !!found[0]?.isCalled });
  }
  return sequences;
}

/** Which migrations have run. */
export async function readSchemaState(client: pg.ClientBase): Promise<Manifest['schema']> {
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at',
  );
  const { rows: queue } = await client.query<{ id: number }>(
    'select max(id) as id from graphile_worker.migrations',
  );
  return { migrations: rows.map(({ hash }) => hash), queue: queue[0]?.id ?? 0 };
}

/** The rows of a table as `copy … to stdout` writes them: lines of text, tabs between values. */
const copyTable = (client: pg.ClientBase, table: Table): Readable =>
  client.query(copyTo(`copy ${quoted(table)} (${quotedColumns(table)}) to stdout`));

export const quotedColumns = ({ columns }: Pick<Table, 'columns'>): string =>
  columns.map((name) => pg.escapeIdentifier(name)).join(', ');

export const quoted = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** How many rows a table has, and a sum of hashes over all their values, those that the database computes included. */
export async function tableDigest(
  client: pg.ClientBase,
  table: Pick<Table, 'schema' | 'name'>,
): Promise<{ rows: number; digest: string }> {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*)::text as rows, coalesce(sum(
       ('x' || encode(substr(sha256(convert_to(backup_row::text, 'UTF8')), 1, 7), 'hex'))::bit(56)::bigint
     ), 0)::text as digest from ${quoted(table)} as backup_row`,
  );
  return { rows: Number(rows[0]?.rows), digest: rows[0]?.digest ?? '' };
}

type BackupSource = {
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
    const schema = await readSchemaState(client);
    const ledger = await source.ledger(snapshot);
    const tables: Manifest['tables'] = [];
    for (const table of await readTables(client)) {
      const known = await tableDigest(client, table);
      const file = `${table.schema}.${table.name}.copy.gz.age`;
      tables.push({
        ...table,
        ...known,
        part: await writePart(place, file, copyTable(client, table)),
      });
    }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    onProgress(`${tables.length} tables with ${rows} rows are written.`);
    const sequences = await readSequences(client);
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
