import type { Office } from '~/base/dates/office.ts';
import { startClock } from '~/features/application/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { orderCertificate } from './certificate-job.server.ts';
import { reviewBy } from '../rules/review-by.ts';
import { insurancesNumbered } from '../store/store.server.ts';

/**
 * What a payment starts for every insurance in an order: an adult's certificate is made by a job at once; for a
 * traveller under 18 staff decide first, by a promised moment.
 */
export async function startInsuranceClocks(
  tx: Transaction,
  numbers: string[],
  { paidAt, office }: { paidAt: Date; office: Office },
): Promise<void> {
  for (const { id, isMinor } of await insurancesNumbered(tx, numbers)) {
    const isFirst = await startClock(tx, {
      id,
      paidAt,
      promisedAt: isMinor ? reviewBy(paidAt, office) : null,
    });
    if (isFirst && !isMinor) await orderCertificate(tx, id);
  }
}
