import { randomUUID } from 'node:crypto';
import { retentionStart, subtractYears } from '~/base/retention-periods.ts';
import { isHeldSql, lockHolds } from '~/features/application/holds.server.ts';
import { application, applicationEmail, legalHold } from '~/features/application/tables.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { deleteUnusedUploads } from '../application/uploads.server.ts';
import { deleteUnsentDrafts } from '../application/draft.server.ts';
import {
  deleteDeletionRecords,
  insertDeletionRecord,
  deleteErasedApplications,
  countDeletions,
  isNoDeletion,
  type DeletionCounts,
} from './deletions.server.ts';
import { deleteEmails } from '~/features/email/ledger/store.server.ts';
import { deleteExpiredDraftsWithPhotos } from '~/features/insurance/form/draft-photos.server.ts';
import { purgePayerDevices } from '~/features/order/payer/payer.server.ts';
import { deleteExpiredOfStaff } from '~/features/staff/accounts/jobs.server.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import type { Platform, WithoutPool } from '~/platform/platform.server.ts';
import { deleteOldKeys } from '~/platform/postgres/idempotency.server.ts';
import { rehearse, retryConflicts } from '~/platform/postgres/transactions.server.ts';
import {
  deleteExpiredApplications,
  dueApplications,
  type DueApplication,
} from '~/features/application/delete-expired.server.ts';
import { deleteInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { retentionInForce } from '~/features/site/retention.server.ts';
import { deleteVisaDetails } from '~/features/visa/store/store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { deleteMessages } from '~/features/application/messages/messages.server.ts';
import { and, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { privacyCase } from './tables.server.ts';

type Job = (deleting: Deleting) => Promise<unknown>;

/**
 * The jobs of `base/retention-periods.ts`. Each works on the connection it is given, so that a dry run is the job itself
 * in a transaction that is not committed.
 */
const jobs: Readonly<Record<string, Job>> = {
  'retention.enforce': enforceRetention,
  'email.delete_expired': ({ db, now }) =>
    deleteEmails(
      db,
      retentionStart('communication', now()),
      // Of an application on which a hold stands.
      sql`exists (select 1 from ${applicationEmail} join ${application} on ${application.id} = ${applicationEmail.applicationId}
        where ${applicationEmail.emailId} = ${email.id} and ${isHeldSql(now())})`,
    ),
  'form.delete_drafts': deleteExpiredDraftsWithPhotos,
  'order.purge_payer_devices': ({ db, now }) => purgePayerDevices(db, now()),
  'desk.delete_uploads': async (deleting) => {
    await deleteUnsentDrafts(deleting);
    await deleteUnusedUploads(deleting);
  },
  'desk.delete_privacy_cases': async ({ db, now }) => {
    const before = retentionStart('privacyCase', now());
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
          await lockHolds(tx);
          const counts = await countDeletions(tx, () => job({ ...platform, db: tx }));
          if (isNoDeletion(counts)) return;
          const at = platform.now();
          await insertDeletionRecord(tx, { id: randomUUID(), at, cause: name, ...counts });
        }, REPEATABLE),
    ]),
  );

/** What one job would delete. */
type DryRun = { job: string; counts: DeletionCounts };

/**
 * What each job would delete at a moment, today or later: it is run with a clock that says so, counted and rolled back.
 * Meanwhile it locks the rows that are due, which nobody else uses. The audit trail is the exception to later moments: the
 * database itself refuses to delete what is not due today.
 */
export async function dryRunRetention(platform: Platform, at: Date): Promise<DryRun[]> {
  const log = makeLog({ level: 'silent' });
  const runs: DryRun[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    const counts = await retryConflicts(() =>
      rehearse(platform.db, async (tx) => {
        await lockHolds(tx);
        const deleting = { ...platform, log, db: tx, now: () => new Date(at) };
        return countDeletions(tx, () => job(deleting));
      }),
    );
    if (!isNoDeletion(counts)) runs.push({ job: name, counts });
  }
  return runs;
}

/** What a job that deletes may use: `db` is the transaction in which its work is counted (`retention-jobs.server.ts`). */
type Deleting = WithoutPool & { db: Queryable };

/**
 * Does what the data protection page promises: applications are deleted so many years after their last event. Drafts,
 * links, e-mails and staff traces have jobs of their own; the ledger is kept longer than the applications whose
 * payments it records.
 */
export async function enforceRetention(platform: Deleting): Promise<void> {
  const before = await expiredBefore(platform);
  const visas = await deleteExpiredApplications(
    platform,
    'visa',
    before.visa,
    withMessages(deleteVisaDetails),
  );
  const insurances = await deleteExpiredApplications(
    platform,
    'insurance',
    before.insurance,
    withMessages(deleteInsuranceDetails),
  );
  await deleteEndedHolds(platform.db, platform.now());
  if (visas + insurances > 0) platform.log.info({ visas, insurances }, 'old applications deleted');
}

/** Deletes what was written about applications before their answers; returns the files of both. */
const withMessages =
  (deleteAnswers: (tx: Transaction, applicationIds: string[]) => Promise<string[]>) =>
  async (tx: Transaction, applicationIds: string[]): Promise<string[]> => [
    ...(await deleteMessages(tx, applicationIds)),
    ...(await deleteAnswers(tx, applicationIds)),
  ];

/** The moments before which the last event of an application lies that is deleted. */
async function expiredBefore({ db, now }: Pick<Deleting, 'db' | 'now'>) {
  const years = retentionInForce(await readSettings(db), now());
  return {
    visa: subtractYears(now(), years.visa),
    insurance: subtractYears(now(), years.insurance),
  };
}

/** The very applications that it would delete, and those that only a legal hold keeps. */
export async function listDue(deleting: Pick<Deleting, 'db' | 'now'>): Promise<DueApplication[]> {
  const { db, now } = deleting;
  const before = await expiredBefore(deleting);
  return [
    ...(await dueApplications(db, { kind: 'visa', before: before.visa, now: now() })),
    ...(await dueApplications(db, { kind: 'insurance', before: before.insurance, now: now() })),
  ];
}

/** Deletes holds on whole orders that have ended, once no application of the order is left: their reason is personal. */
async function deleteEndedHolds(db: Queryable, now: Date): Promise<void> {
  await db
    .delete(legalHold)
    .where(
      and(
        isNull(legalHold.applicationId),
        or(isNotNull(legalHold.liftedAt), lte(legalHold.until, now)),
        sql`not exists (select from ${application} where ${application.orderNumber} = ${legalHold.orderNumber})`,
      ),
    );
}

async function deleteClosedCases(db: Queryable, before: Date): Promise<void> {
  await db
    .delete(privacyCase)
    .where(and(isNotNull(privacyCase.closedAt), lt(privacyCase.closedAt, before)));
}
