import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { lockPayments } from '~/features/order/payer/change-order.server.ts';
import { dropPayerDevices } from '~/features/order/payer/payer-store.server.ts';
import { changePayerEmail } from '~/features/order/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { lockApplication, applicationById } from './store.server.ts';
import { application, applicationDocument, downloadLink } from './tables.server.ts';

export type ChangedEmail = {
  from: string;
  /** The changed application, and those of its order that had the same address. */
  applicationIds: string[];
  /** Whether the address was the payer's, too. */
  isPayer: boolean;
};

/**
 * Gives an application another email address, and with it the other applications of its order and the order's payer
 * where they had the old one. Links sent to the old address stop working: each names the `email_version` it was made
 * for, which is raised here. Returns null where the address is the same.
 */
export async function changeEmail(
  tx: Transaction,
  applicationId: string,
  email: string,
): Promise<ChangedEmail | null> {
  const known = await applicationById(tx, applicationId);
  if (!known) return null;
  // Payments are locked first, in the order in which settling and deciding take their locks: the order's row is changed
  // below.
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
  const orderId = await changePayerEmail(tx, orderNumber, { from, to: email });
  const others = orderId === null ? [] : await endLinksOfOthers(tx, orderNumber, applicationIds);
  const documents = tx
    .select({ id: applicationDocument.id })
    .from(applicationDocument)
    .where(inArray(applicationDocument.applicationId, [...applicationIds, ...others]));
  await tx.delete(downloadLink).where(inArray(downloadLink.documentId, documents));
  if (orderId !== null) await dropPayerDevices(tx, orderId);
  return { from, applicationIds, isPayer: orderId !== null };
}

/**
 * Ends the links of the order's other applications when the payer's address changes: some of their emails went to the
 * payer, too (`recipientOf`). Returns their ids.
 */
async function endLinksOfOthers(
  tx: Transaction,
  orderNumber: string,
  except: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .update(application)
    .set({ emailVersion: sql`${application.emailVersion} + 1` })
    .where(and(eq(application.orderNumber, orderNumber), notInArray(application.id, [...except])))
    .returning({ id: application.id });
  return rows.map(({ id }) => id);
}
