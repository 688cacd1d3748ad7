import { and, eq, inArray, sql } from 'drizzle-orm';
import { lockPayments } from '~/features/order/payer/change-order.server.ts';
import { dropPayerDevices } from '~/features/order/payer/payer-store.server.ts';
import { changePayerEmail } from '~/features/order/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { lockApplication, applicationById } from './store.server.ts';
import { application, applicationDocument, downloadLink } from './tables.server.ts';

export type ChangedEmail = {
  from: string;
  /** The application, and those of its order that had the same address. */
  applicationIds: string[];
  /** Whether the address was the payer's, too. */
  isPayer: boolean;
};

/**
 * Gives an application another e-mail address, and with it the others of its order and the order's payer that had the
 * old one. What was sent to the old one opens nothing any more: `email_version` counts on, which every link names.
 * Null where there is nothing to change.
 */
export async function changeEmail(
  tx: Transaction,
  applicationId: string,
  email: string,
): Promise<ChangedEmail | null> {
  const known = await applicationById(tx, applicationId);
  if (!known) return null;
  // The payments first, as settling and deciding take their locks: the order's row is changed below.
  await lockPayments(tx, known.orderNumber);
  const held = await lockApplication(tx, applicationId);
  if (!held || held.email === email) return null;
  const { email: from, orderNumber } = held;
  const rows = await tx
    .update(application)
    .set({ email, emailVersion: sql`${application.emailVersion} + 1` })
    .where(
      and(
        eq(application.orderNumber, orderNumber),
        eq(sql`lower(${application.email})`, from.toLowerCase()),
      ),
    )
    .returning({ id: application.id });
  const applicationIds = rows.map(({ id }) => id);
  const documents = tx
    .select({ id: applicationDocument.id })
    .from(applicationDocument)
    .where(inArray(applicationDocument.applicationId, applicationIds));
  await tx.delete(downloadLink).where(inArray(downloadLink.documentId, documents));
  const orderId = await changePayerEmail(tx, orderNumber, { from, to: email });
  if (orderId !== null) await dropPayerDevices(tx, orderId);
  return { from, applicationIds, isPayer: orderId !== null };
}
