import type { Pool } from 'pg';
import { sealedHead, type DataKey } from '~/platform/crypto/seal.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import type { FileStore } from '~/platform/files/file-store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { countStale, countStaleJobs } from '~/platform/reencrypt/column-store.server.ts';
import { reencryptColumn } from '~/platform/reencrypt/reencrypt-columns.server.ts';
import { reencryptFiles } from '~/platform/reencrypt/reencrypt-files.server.ts';
import type { Unopened } from '~/platform/reencrypt/sealed-column.ts';
import { knownFileIds, stillKnown } from '../known-files-store.server.ts';
import { sealedColumns } from '~/features/desk/privacy/personal-tables.server.ts';

export type ReencryptReport = {
  /** Sealed with the newest key by this run: values and files. */
  done: { values: number; files: number };
  /** Sealed with another key still, by where they are; only those of which there are some. */
  left: Record<string, number>;
  /** What no configured key opens. */
  unopened: Unopened[];
};

/**
 * Seals everything with the newest data key that is sealed with another one, or, with `isCheck`, says how much that is.
 * @throws FilesUnavailable
 */
export async function reencrypt(
  {
    db,
    pool,
    store,
    sealer,
    dataKeys,
  }: { db: Database; pool: Pool; store: FileStore; sealer: Sealer; dataKeys: readonly DataKey[] },
  { isCheck, onProgress }: { isCheck: boolean; onProgress: (line: string) => void },
): Promise<ReencryptReport> {
  const [newest] = dataKeys;
  if (!newest) throw new Error('At least one data key is needed');
  const head = sealedHead(newest.id);
  const report: ReencryptReport = { done: { values: 0, files: 0 }, left: {}, unopened: [] };
  const leave = (where: string, count: number) => {
    if (count > 0) report.left[where] = count;
  };
  for (const column of sealedColumns) {
    const name = `${column.table}.${column.column}`;
    if (!isCheck) {
      const { done, unopened } = await reencryptColumn(pool, sealer, column, {
        head,
        onProgress: (count) => count > 0 && onProgress(`${name}: ${count} done`),
      });
      report.done.values += done;
      report.unopened.push(...unopened);
    }
    leave(name, (await countStale(pool, column, head)).stale);
  }
  const files = await reencryptFiles({
    store,
    sealer,
    ids: knownFileIds(db),
    stillKnown: (ids) => stillKnown(db, ids),
    isCheck,
    onProgress: (count) => count > 0 && onProgress(`files: ${count} done`),
  });
  report.done.files = files.done;
  report.unopened.push(...files.unopened);
  leave('files', files.stale - files.done);
  leave('waiting jobs', await countStaleJobs(pool, head));
  return report;
}

/** For people: what was done, what is left, and what that means. */
export function reencryptLines({ done, left, unopened }: ReencryptReport): string[] {
  const places = Object.entries(left);
  return [
    `${done.values} values and ${done.files} files were sealed with the newest key.`,
    ...unopened.map(({ where, id }) => `no configured key opens ${where} of ${id}`),
    ...places.map(([where, count]) => `left: ${where}, ${count}`),
    places.length === 0
      ? 'Nothing is left that another key seals: the keys after the first may go.'
      : 'Something is left that another key seals: keep all keys, and run this again. Waiting jobs end by themselves.',
  ];
}
