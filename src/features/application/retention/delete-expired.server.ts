import { removeFilesLater } from '~/platform/files/remove-files.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { deleteExpiredRows, type DeleteAnswers } from './delete-expired-store.server.ts';

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
