import type { Config } from '~/platform/config/config.server.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import {
  invalidateSettings,
  lockSettings,
  insertChange,
  readSettings,
} from '~/features/settings/store.server.ts';
import { closeOrder } from '~/features/order/store.server.ts';
import { sampleTerms } from './sample-terms.ts';
import { termsDecidedAt, TERMS_SUBJECT, unpaidOnSampleTerms } from './terms-store.server.ts';

/** A date before anything was sold. */
const FROM_THE_BEGINNING = new Date(0);

/** Puts the sample terms in force where no decision about terms exists. */
export async function seedTerms(tx: Transaction, now: Date): Promise<void> {
  const isThere = async () =>
    (await readSettings(tx)).changes.some(({ section }) => section === 'insurance_terms');
  if (await isThere()) return;
  await lockSettings(tx);
  if (await isThere()) return;
  await insertChange(tx, {
    section: 'insurance_terms',
    values: { [TERMS_SUBJECT]: sampleTerms },
    validFrom: FROM_THE_BEGINNING,
    reason: '',
    staffId: null,
    createdAt: now,
  });
}

/**
 * In live mode takes sample terms out of force, at every start: no insurance is sold until an administrator has entered
 * an insurer's terms, and unpaid orders with an insurance on the samples are closed, an e-visa in them included. Does
 * nothing in test mode.
 */
export async function endSampleTerms(db: Database, mode: Config['mode'], now: Date): Promise<void> {
  if (mode !== 'live') return;
  await db.transaction(async (tx) => {
    // Locked first, so that two processes that start at once close the orders one after the other.
    await lockSettings(tx);
    for (const number of await unpaidOnSampleTerms(tx)) await closeOrder(tx, number, now);
    if (!termsDecidedAt(await readSettings(tx), now)?.terms.isSample) return;
    await insertChange(tx, {
      section: 'insurance_terms',
      values: { [TERMS_SUBJECT]: null },
      validFrom: now,
      reason: '',
      staffId: null,
      createdAt: now,
    });
  });
  invalidateSettings(db);
}
