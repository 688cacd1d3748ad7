import { and, eq, inArray, lt, not, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { deleteApplicationEmails } from './change-email.server.ts';
import { isHeldSql } from './holds.server.ts';
import { deleteCorrections } from './correction/correction-store.server.ts';
import {
  application,
  applicationDocument,
  applicationEarlierPassport,
  applicationEvent,
  downloadLink,
} from './tables.server.ts';
import { removeFilesLater } from '~/platform/files/files.server.ts';

/**
 * Deletes what the visa or the insurance feature stores of these applications; returns the files that belong to them.
 */
type DeleteAnswers = (tx: Transaction, applicationIds: string[]) => Promise<string[]>;

type ExpiredApplication = {
  kind: 'visa' | 'insurance';
  /** Their last event lies before this moment. */
  before: Date;
  /** Legal holds that stand now keep theirs. */
  now: Date;
  /** Most applications in one transaction. */
  limit: number;
};

/** Whether the last event of the application of the row lies before a moment. */
function isExpiredSql({ kind, before }: Pick<ExpiredApplication, 'kind' | 'before'>) {
  return and(
    eq(application.kind, kind),
    lt(application.createdAt, before),
    sql`${lastEventSql} < ${before.toISOString()}::timestamptz`,
  );
}

const lastEventSql = sql<string>`coalesce((select max(${applicationEvent.at}) from ${applicationEvent}
  where ${applicationEvent.applicationId} = ${application.id}), ${application.createdAt})`;

/** An application whose period is over, with the day of its last event; kept where a legal hold stands on it. */
export type DueApplication = { number: string; lastEvent: string; isHeld: boolean };

/** The applications that `deleteExpiredRows` takes, and those that only a legal hold keeps, by number. */
export const dueApplications = (
  db: Queryable,
  { kind, before, now }: Omit<ExpiredApplication, 'limit'>,
): Promise<DueApplication[]> =>
  db
    .select({
      number: application.number,
      lastEvent: sql<string>`to_char(${lastEventSql} at time zone 'UTC', 'YYYY-MM-DD')`,
      isHeld: sql<boolean>`${isHeldSql(now)}`,
    })
    .from(application)
    .where(isExpiredSql({ kind, before }))
    .orderBy(application.number);

/**
 * Deletes applications with their answers, documents and history, but none under a legal hold; returns how many, and the files that now belong to
 * nothing.
 */
async function deleteExpiredRows(
  tx: Transaction,
  { kind, before, now, limit }: ExpiredApplication,
  deleteAnswers: DeleteAnswers,
): Promise<{ applications: number; files: string[] }> {
  const rows = await tx
    .select({ id: application.id })
    .from(application)
    .where(and(isExpiredSql({ kind, before }), not(isHeldSql(now))))
    .limit(limit)
    .for('no key update', { skipLocked: true });
  const ids = rows.map(({ id }) => id);
  return { applications: ids.length, files: await deleteApplications(tx, ids, deleteAnswers) };
}

/** Deletes these applications with all that is stored of them; returns the files that now belong to nothing. */
export async function deleteApplications(
  tx: Transaction,
  ids: string[],
  deleteAnswers: DeleteAnswers,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const files = await deleteAnswers(tx, ids);
  const documents = await tx
    .select({ id: applicationDocument.id, fileId: applicationDocument.fileId })
    .from(applicationDocument)
    .where(inArray(applicationDocument.applicationId, ids));
  if (documents.length > 0) {
    const documentIds = documents.map(({ id }) => id);
    await tx.delete(downloadLink).where(inArray(downloadLink.documentId, documentIds));
    await tx.delete(applicationDocument).where(inArray(applicationDocument.id, documentIds));
  }
  await deleteApplicationEmails(tx, ids);
  await tx
    .delete(applicationEarlierPassport)
    .where(inArray(applicationEarlierPassport.applicationId, ids));
  await deleteCorrections(tx, ids);
  await tx.delete(applicationEvent).where(inArray(applicationEvent.applicationId, ids));
  await tx.delete(application).where(inArray(application.id, ids));
  return [...files, ...documents.map(({ fileId }) => fileId)];
}

const BATCH = 100;

/**
 * Deletes the applications of one kind whose last event lies before a moment, with answers, documents and history; the
 * ledger keeps their number. A job deletes their files afterwards. Returns how many applications were deleted.
 */
export async function deleteExpiredApplications(
  { db, now }: { db: Queryable; now: () => Date },
  kind: 'visa' | 'insurance',
  before: Date,
  deleteAnswers: DeleteAnswers,
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await db.transaction(async (tx) => {
      const taken = await deleteExpiredRows(
        tx,
        { kind, before, now: now(), limit: BATCH },
        deleteAnswers,
      );
      await removeFilesLater(tx, taken.files);
      return taken;
    });
    forgotten += batch.applications;
    if (batch.applications < BATCH) return forgotten;
  }
}
