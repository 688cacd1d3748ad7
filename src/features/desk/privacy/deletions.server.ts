import { sql, and, asc, desc, eq, gte, lt } from 'drizzle-orm';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import { deletionRecord, erasedApplication } from './tables.server.ts';
import { readNumber } from '~/features/application/number.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';

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

/** The cause of a record that says that a backup was restored: deletions since the backup are undone by that. */
export const RESTORE = 'restore';

type DeletionRecord = typeof deletionRecord.$inferSelect;

/** Proof of a deletion, in the transaction that deletes. */
export async function insertDeletionRecord(
  tx: Transaction,
  row: typeof deletionRecord.$inferInsert,
): Promise<void> {
  await tx.insert(deletionRecord).values(row);
}

/** The newest records first. */
export const latestDeletions = (db: Queryable, limit: number): Promise<DeletionRecord[]> =>
  db
    .select()
    .from(deletionRecord)
    .orderBy(desc(deletionRecord.at), desc(deletionRecord.id))
    .limit(limit);

/** When a backup was restored last, at a moment or after it. */
export async function lastRestoreMoment(db: Queryable, since: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: deletionRecord.at })
    .from(deletionRecord)
    .where(and(eq(deletionRecord.cause, RESTORE), gte(deletionRecord.at, since)))
    .orderBy(desc(deletionRecord.at))
    .limit(1);
  return row?.at ?? null;
}

export async function deletionByCase(
  db: Queryable,
  caseId: string,
): Promise<DeletionRecord | null> {
  // Of one that was done again after a restore, the first has what there was.
  const [row] = await db
    .select()
    .from(deletionRecord)
    .where(eq(deletionRecord.caseId, caseId))
    .orderBy(asc(deletionRecord.at))
    .limit(1);
  return row ?? null;
}

export async function deleteDeletionRecords(db: Queryable, before: Date): Promise<void> {
  await db.delete(deletionRecord).where(lt(deletionRecord.at, before));
}

/** Under which heading the desk counts rows of a table; texts are `privacy:group.<name>`. */
export const groups = {
  applications: [
    'application',
    'visa_application',
    'insurance_application',
    'application_event',
    'application_earlier_passport',
    'desk_claim',
    'desk_look',
    'desk_put_off',
    'desk_for_you',
    'desk_second_look',
    'legal_hold',
  ],
  documents: ['application_document', 'download_link', 'insurance_photo'],
  emails: ['email', 'application_email', 'case_message', 'case_message_file'],
  notes: ['desk_note', 'desk_email_correction', 'desk_dismissal', 'application_correction'],
  drafts: ['draft', 'draft_device', 'draft_link', 'draft_party'],
  orders: [
    'purchase_order',
    'order_line',
    'order_cancellation',
    'order_payer_device',
    'order_refund',
    'order_refund_line',
  ],
  receipts: ['order_receipt'],
  payments: [
    'payment_attempt',
    'payment_refund',
    'payment_event',
    'payment_alert',
    'reconciliation_row',
  ],
  uploads: ['desk_upload', 'desk_draft', 'desk_decision'],
  staff: ['staff_session', 'staff_reset', 'staff_account_change', 'audit_entry'],
  requests: ['privacy_case', 'deletion_record', 'erased_application'],
  technical: ['idempotency_key', 'job'],
} as const;

type TableGroup = keyof typeof groups;
export type GroupCount = { group: TableGroup; count: number };

const groupNames = Object.keys(groups) as TableGroup[];

/** The group of a table; what is in none is technical. */
const groupOf = (table: string): TableGroup =>
  groupNames.find((name) => groups[name].some((one) => one === table)) ?? 'technical';

/** The tables of which a row is one of what the heading names; of other groups every row counts. */
const counted: Readonly<Partial<Record<TableGroup, readonly string[]>>> = {
  applications: ['application'],
  documents: ['application_document', 'insurance_photo'],
  emails: ['email', 'case_message'],
  drafts: ['draft'],
  orders: ['purchase_order'],
  payments: ['payment_attempt'],
};

/**
 * Counts by table as counts by group, in the order of the groups: one application is one, however many rows it has.
 * Where a group has other rows alone, these are counted; without any it is left out.
 */
export function countByGroup(counts: Readonly<Record<string, number>>): GroupCount[] {
  const sums = new Map<TableGroup, { named: number; all: number }>();
  for (const [table, count] of Object.entries(counts)) {
    const group = groupOf(table);
    const sum = sums.get(group) ?? { named: 0, all: 0 };
    sum.all += count;
    if (counted[group]?.includes(table)) sum.named += count;
    sums.set(group, sum);
  }
  return groupNames.flatMap((group) => {
    const { named, all } = sums.get(group) ?? { named: 0, all: 0 };
    const count = named || all;
    return count > 0 ? [{ group, count }] : [];
  });
}

type Hashing = Pick<Sealer, 'keyedHash'>;

const hashOf = (sealer: Hashing, number: string): Buffer =>
  sealer.keyedHash(number, 'erased_application.number');

/** Notes which applications an erasure takes; one that is repeated after a restore changes nothing of what is there. */
export async function insertErasedApplications(
  tx: Transaction,
  sealer: Hashing,
  { numbers, erasedAt }: { numbers: readonly string[]; erasedAt: Date },
): Promise<void> {
  if (numbers.length === 0) return;
  const rows = numbers.map((number) => ({ numberHash: hashOf(sealer, number), erasedAt }));
  await tx.insert(erasedApplication).values(rows).onConflictDoNothing();
}

/** When the application with the number that somebody typed was erased on request; null where it was not. */
export async function erasureMoment(
  db: Queryable,
  sealer: Hashing,
  typed: string,
): Promise<Date | null> {
  const read = readNumber(typed);
  if (!read.ok) return null;
  const [row] = await db
    .select({ erasedAt: erasedApplication.erasedAt })
    .from(erasedApplication)
    .where(eq(erasedApplication.numberHash, hashOf(sealer, read.number)));
  return row?.erasedAt ?? null;
}

export async function deleteErasedApplications(db: Queryable, before: Date): Promise<void> {
  await db.delete(erasedApplication).where(lt(erasedApplication.erasedAt, before));
}
