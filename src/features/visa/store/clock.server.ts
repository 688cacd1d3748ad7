import { inArray, eq } from 'drizzle-orm';
import type { Closure } from '~/base/dates/closures.ts';
import { startClock } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { readyBy } from '../rules/ready-by.ts';
import { visaApplication } from './tables.server.ts';

/** Sets the promised moment of every visa application in a paid order. `closures`: as known at `paidAt`. */
export async function startVisaClocks(
  tx: Transaction,
  numbers: string[],
  { paidAt, closures }: { paidAt: Date; closures: readonly Closure[] },
): Promise<void> {
  if (numbers.length === 0) return;
  const rows = await tx
    .select({
      id: application.id,
      processingType: application.service,
      supportingDocument: visaApplication.supportingDocumentType,
    })
    .from(application)
    .innerJoin(visaApplication, eq(visaApplication.applicationId, application.id))
    .where(inArray(application.number, numbers));
  for (const { id, processingType, supportingDocument } of rows) {
    const path = supportingDocument === null ? 'without_document' : 'with_document';
    const promisedAt = readyBy(path, processingType, paidAt, closures);
    await startClock(tx, { id, paidAt, promisedAt });
  }
}
