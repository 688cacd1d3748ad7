import type { Platform } from '~/platform/platform.server.ts';
import { takeOldApplications, type ForgetAnswers } from './forget-store.server.ts';

const BATCH = 100;

/**
 * Deletes the applications of one kind whose last event lies before a moment, with answers, documents and history.
 * What the ledger keeps of them is their number. The rows go first: a crash leaves a sealed file that nothing leads to,
 * never a row without its file. Returns how many were deleted.
 */
export async function forgetApplications(
  platform: Platform,
  kind: 'visa' | 'insurance',
  before: Date,
  forgetAnswers: ForgetAnswers,
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await platform.db.transaction((tx) =>
      takeOldApplications(tx, { kind, before, limit: BATCH }, forgetAnswers),
    );
    for (const file of batch.files) await platform.files.remove(file);
    forgotten += batch.applications;
    if (batch.applications < BATCH) return forgotten;
  }
}
