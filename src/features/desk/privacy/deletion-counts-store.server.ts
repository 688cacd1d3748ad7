import { sql } from 'drizzle-orm';
import type { Transaction } from '~/platform/postgres/database.server.ts';

/** Rows by table, and files. */
export type DeletionCounts = {
  deleted: Record<string, number>;
  changed: Record<string, number>;
  files: number;
};

export const isNoDeletion = ({ deleted, files }: DeletionCounts): boolean =>
  Object.keys(deleted).length === 0 && files === 0;

/**
 * Does some work in a transaction and counts what it deleted and changed, by PostgreSQL's own count: with what foreign
 * keys took along, whatever statements did it. The transaction has to read repeatably, as the files are counted by the
 * jobs that will remove them.
 */
export async function countDeletions(
  tx: Transaction,
  work: () => Promise<unknown>,
): Promise<DeletionCounts> {
  const before = await rowCounts(tx);
  const filesBefore = await filesToRemove(tx);
  await work();
  const after = await rowCounts(tx);
  const difference = (which: 'deleted' | 'changed') =>
    Object.fromEntries(
      [...after].flatMap(([table, counts]) => {
        const count = counts[which] - (before.get(table)?.[which] ?? 0);
        return count > 0 ? [[table, count]] : [];
      }),
    );
  return {
    deleted: difference('deleted'),
    changed: difference('changed'),
    files: (await filesToRemove(tx)) - filesBefore,
  };
}

/**
 * PostgreSQL may not have written down yet what earlier transactions of the connection did, hence the difference.
 */
async function rowCounts(tx: Transaction) {
  const { rows } = await tx.execute<{ table: string; deleted: string; changed: string }>(sql`
    select case schemaname when 'public' then relname else 'job' end as table,
      sum(n_tup_del) as deleted, sum(n_tup_upd) filter (where schemaname = 'public') as changed
    from pg_stat_xact_user_tables
    where schemaname = 'public' or (schemaname = 'graphile_worker' and relname = '_private_jobs')
    group by 1`);
  return new Map(
    rows.map(({ table, deleted, changed }) => [
      table,
      { deleted: Number(deleted), changed: Number(changed) },
    ]),
  );
}

async function filesToRemove(tx: Transaction): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    select coalesce(sum(json_array_length(job.payload -> 'ids')), 0)::int as count
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = 'platform.remove_files'`);
  return rows[0]?.count ?? 0;
}
