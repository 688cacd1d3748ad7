import { randomUUID } from 'node:crypto';
import { keptSince } from '~/base/retention-periods.ts';
import {
  isEmailHeldSql,
  keepHoldsAsTheyAre,
} from '~/features/application/retention/hold-store.server.ts';
import { deleteUnusedUploads } from '../application/uploads.server.ts';
import { deleteBatches } from '../several/batch.server.ts';
import { deleteUnsentDrafts } from '../application/draft.server.ts';
import { deleteClosedCases } from './case-store.server.ts';
import { deleteDeletionRecords, insertDeletionRecord } from './deletion-record-store.server.ts';
import { deleteErasedApplications } from './erased-application-store.server.ts';
import { deleteEmails } from '~/features/email/ledger/store.server.ts';
import { deleteExpiredDraftsWithPhotos } from '~/features/insurance/form/draft-photos.server.ts';
import { purgePayerDevices } from '~/features/order/payer/payer-store.server.ts';
import { deleteExpiredOfStaff } from '~/features/staff/accounts/jobs.server.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { deleteOldKeys } from '~/platform/postgres/idempotency.server.ts';
import { retryConflicts } from '~/platform/postgres/retry-conflicts.server.ts';
import {
  countDeletions,
  isNoDeletion,
  type DeletionCounts,
} from './deletion-counts-store.server.ts';
import { enforceRetention, type Deleting } from './enforce-retention.server.ts';

type Job = (deleting: Deleting) => Promise<unknown>;

/**
 * The jobs of `base/retention-periods.ts`. Each works on the connection it is given, so that a dry run is the job itself
 * in a transaction that is not committed.
 */
const jobs: Readonly<Record<string, Job>> = {
  'retention.enforce': enforceRetention,
  'email.delete_expired': ({ db, now }) =>
    deleteEmails(db, keptSince('communication', now()), isEmailHeldSql(now())),
  'form.delete_drafts': deleteExpiredDraftsWithPhotos,
  'order.purge_payer_devices': ({ db, now }) => purgePayerDevices(db, now()),
  'desk.delete_uploads': async (deleting) => {
    await deleteUnsentDrafts(deleting);
    await deleteUnusedUploads(deleting);
    const now = deleting.now();
    await deleteBatches(deleting.db, { before: keptSince('deskUpload', now), now });
  },
  'desk.delete_privacy_cases': async ({ db, now }) => {
    const before = keptSince('privacyCase', now());
    await deleteClosedCases(db, before);
    await deleteDeletionRecords(db, before);
    await deleteErasedApplications(db, before);
  },
  'staff.delete_expired': deleteExpiredOfStaff,
  'platform.delete_keys': ({ db, now }) => deleteOldKeys(db, now()),
};

/** Counts are exact only where the transaction sees nothing of others; legal holds wait until it ends. */
const REPEATABLE = { isolationLevel: 'repeatable read' } as const;

/**
 * The same jobs for the job runner: each run is one transaction, which also stores how much went (`deletion_record`).
 * One that meets a change of others is run again.
 */
export const recordedRetentionJobs = (platform: Platform): JobHandlers =>
  Object.fromEntries(
    Object.entries(jobs).map(([name, job]) => [
      name,
      () =>
        platform.db.transaction(async (tx) => {
          await keepHoldsAsTheyAre(tx);
          const counts = await countDeletions(tx, () => job({ ...platform, db: tx }));
          if (isNoDeletion(counts)) return;
          const at = platform.now();
          await insertDeletionRecord(tx, { id: randomUUID(), at, cause: name, ...counts });
        }, REPEATABLE),
    ]),
  );

/** What one job would delete. */
export type DryRun = { job: string; counts: DeletionCounts };

class NotCommitted extends Error {
  override name = 'NotCommitted';
}

/**
 * What each job would delete at a moment, today or later: it is run with a clock that says so, counted and rolled back.
 * Meanwhile it locks the rows that are due, which nobody else uses. The audit trail is the exception to later moments: the
 * database itself refuses to delete what is not due today.
 */
export async function dryRunRetention(platform: Platform, at: Date): Promise<DryRun[]> {
  const log = makeLog({ level: 'silent' });
  const runs: DryRun[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    let counts: DeletionCounts | undefined;
    const run = () =>
      platform.db.transaction(async (tx) => {
        await keepHoldsAsTheyAre(tx);
        counts = await countDeletions(tx, () =>
          job({ ...platform, log, db: tx, now: () => new Date(at) }),
        );
        throw new NotCommitted();
      }, REPEATABLE);
    await retryConflicts(run).catch((error: unknown) => {
      if (!(error instanceof NotCommitted)) throw error;
    });
    if (counts && !isNoDeletion(counts)) runs.push({ job: name, counts });
  }
  return runs;
}
