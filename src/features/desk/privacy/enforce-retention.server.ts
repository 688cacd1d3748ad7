import { yearsBefore } from '~/base/retention-periods.ts';
import { deleteExpiredApplications } from '~/features/application/retention/delete-expired.server.ts';
import {
  dueApplications,
  type DeleteAnswers,
  type DueApplication,
} from '~/features/application/retention/delete-expired-store.server.ts';
import { deleteEndedHolds } from '~/features/application/retention/hold-store.server.ts';
import { deleteDismissals } from '../application/duplicates.server.ts';
import { deleteEmailCorrections } from '../application/correct-email.server.ts';
import { deleteNotes } from '../application/notes.server.ts';
import { deleteInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { retentionAt } from '~/features/site/retention.server.ts';
import { deleteVisaDetails } from '~/features/visa/store/store.server.ts';
import type { WithoutPool } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';

/** What a job that deletes may use: `db` is the transaction in which its work is counted (`retention-jobs.server.ts`). */
export type Deleting = WithoutPool & { db: Queryable };

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
    withCaseFile(deleteVisaDetails),
  );
  const insurances = await deleteExpiredApplications(
    platform,
    'insurance',
    before.insurance,
    withCaseFile(deleteInsuranceDetails),
  );
  await deleteEndedHolds(platform.db, platform.now());
  if (visas + insurances > 0) platform.log.info({ visas, insurances }, 'old applications deleted');
}

/** The moments before which the last event of an application lies that is deleted. */
async function expiredBefore({ db, now }: Pick<Deleting, 'db' | 'now'>) {
  const years = retentionAt(await readSettings(db), now());
  return { visa: yearsBefore(now(), years.visa), insurance: yearsBefore(now(), years.insurance) };
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

/** What staff wrote about an application is deleted with it. */
export const withCaseFile =
  (deleteAnswers: DeleteAnswers): DeleteAnswers =>
  async (tx, applicationIds) => {
    await deleteWrittenByStaff(tx, applicationIds);
    return deleteAnswers(tx, applicationIds);
  };

/** Notes, corrections of the address, and why a possible duplicate was none. */
export async function deleteWrittenByStaff(
  tx: Transaction,
  applicationIds: string[],
): Promise<void> {
  await deleteNotes(tx, applicationIds);
  await deleteEmailCorrections(tx, applicationIds);
  await deleteDismissals(tx, applicationIds);
}
