import { z } from 'zod';
import type { Queryable } from '../postgres/database.server.ts';
import { FilesUnavailable, type FileStore } from './file-store.server.ts';
import { enqueue, type JobHandlers } from '../jobs/jobs.server.ts';

const REMOVE_FILES_JOB = 'platform.remove_files';

/** Files of one job: what was removed is removed again where a later one fails. */
const BATCH = 100;
/** After the first ten, a try every six hours: about three months, longer than any storage is away. */
const ATTEMPTS = 360;

/**
 * Has files removed that no row leads to any more, as part of the transaction that took the rows: after a rollback they
 * stay, and a storage that is away is asked until it has done it.
 */
export async function removeFilesLater(tx: Queryable, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    await enqueue(tx, REMOVE_FILES_JOB, { ids: batch }, { maxAttempts: ATTEMPTS });
  }
}

/**
 * Removes files that no row leads to: now, or by a job where the storage is away.
 * @throws AskedInsideTransaction
 */
export async function removeFiles(
  { db, files }: { db: Queryable; files: Pick<FileStore, 'remove'> },
  ids: readonly string[],
): Promise<void> {
  const left: string[] = [];
  for (const id of ids) {
    try {
      await files.remove(id);
    } catch (error) {
      if (!(error instanceof FilesUnavailable)) throw error;
      left.push(id);
    }
  }
  await removeFilesLater(db, left);
}

const payload = z.object({ ids: z.array(z.string()) });

/** Carries removals out; running one again does nothing. */
export const fileJobs = ({ files }: { files: Pick<FileStore, 'remove'> }): JobHandlers => ({
  [REMOVE_FILES_JOB]: async (job) => {
    for (const id of payload.parse(job).ids) await files.remove(id);
  },
});
