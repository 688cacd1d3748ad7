import { inArray, eq } from 'drizzle-orm';
import type { Office } from '~/base/dates/office.ts';
import { startClock } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { readyBy } from '../rules/ready-by.ts';
import { visaApplication } from './tables.server.ts';

/** Sets the promised moment of every visa application in a paid order. `office`: as known at `paidAt`. */
export async function startVisaClocks(
  tx: Transaction,
  numbers: string[],
  { paidAt, office }: { paidAt: Date; office: Office },
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
    const promisedAt = readyBy(path, processingType, paidAt, office);
    await startClock(tx, { id, paidAt, promisedAt });
  }
}
