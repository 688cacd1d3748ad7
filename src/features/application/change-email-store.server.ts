import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
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

/** The payer is also written to about children who have an address of their own (`recipientOf`). Answers their ids. */
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
