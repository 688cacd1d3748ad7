import {
  and,
  eq,
  inArray,
  notInArray,
  sql,
  asc,
  desc,
  exists,
  getTableColumns,
  isNotNull,
  isNull,
  notExists,
  or,
} from 'drizzle-orm';
import { lockPayments } from '~/features/order/payer/change-order.server.ts';
import { dropPayerDevices, addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { tellUnpaid } from '~/features/order/payer/remind-unpaid.server.ts';
import { changePayerEmail, type Order } from '~/features/order/store.server.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import { lockApplication, applicationById } from './store.server.ts';
import { isOpenCorrection } from './correction/correction-store.server.ts';
import {
  application,
  applicationCorrection,
  applicationDocument,
  downloadLink,
  applicationEmail,
} from './tables.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { emailById, openEmail, type Email } from '~/features/email/ledger/store.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';

type ChangedEmail = {
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
 * payer, too (`emailRecipient`). Returns their ids.
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

/** Links an email to the applications that it is about. */
export async function linkEmail(
  db: Queryable,
  emailId: string,
  applicationIds: readonly string[],
): Promise<void> {
  if (applicationIds.length === 0) return;
  const links = applicationIds.map((applicationId) => ({ applicationId, emailId }));
  await db.insert(applicationEmail).values(links).onConflictDoNothing();
}

/** Oldest first, with their content opened. It is personal: whoever shows it records that in the audit trail. */
export async function applicationEmails(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<Email[]> {
  const rows = await db
    .select(getTableColumns(email))
    .from(applicationEmail)
    .innerJoin(email, eq(email.id, applicationEmail.emailId))
    .where(eq(applicationEmail.applicationId, applicationId))
    .orderBy(asc(email.createdAt), asc(email.id));
  return rows.map((row) => openEmail(sealer, row));
}

/** An email that asks a traveller for what is still open: a correction, or the payment. */
export type AskingEmail = { id: string; asks: 'correction' | 'payment' };

/** The newest such email of each of several undecided applications, by id; those that none was sent for are absent. */
export async function askingEmails(
  db: Queryable,
  applicationIds: string[],
): Promise<Map<string, AskingEmail>> {
  if (applicationIds.length === 0) return new Map();
  const asksPayment = inArray(email.kind, ['unpaid', 'unpaid_reminder']);
  const asksCorrection = and(
    inArray(email.kind, ['correction', 'correction_reminder']),
    exists(
      db
        .select({ one: sql`1` })
        .from(applicationCorrection)
        .where(and(eq(sql`${applicationCorrection.id}::text`, email.subject), isOpenCorrection)),
    ),
  );
  const rows = await db
    .selectDistinctOn([application.id], {
      applicationId: application.id,
      id: email.id,
      isPayment: sql<boolean>`${asksPayment}`,
    })
    .from(applicationEmail)
    .innerJoin(email, eq(email.id, applicationEmail.emailId))
    .innerJoin(application, eq(application.id, applicationEmail.applicationId))
    .where(
      and(
        inArray(applicationEmail.applicationId, applicationIds),
        isNull(application.decidedAt),
        or(asksCorrection, and(asksPayment, isNull(application.paidAt))),
      ),
    )
    .orderBy(application.id, desc(email.createdAt), desc(email.id));
  return new Map(
    rows.map(({ applicationId, id, isPayment }) => [
      applicationId,
      { id, asks: isPayment ? 'payment' : 'correction' },
    ]),
  );
}

export type EmailWithApplications = { email: Email; applicationIds: string[] };

/** One e-mail and the applications it is about. */
export async function emailWithApplications(
  db: Queryable,
  sealer: Sealer,
  id: string,
): Promise<EmailWithApplications | null> {
  const found = await emailById(db, sealer, id);
  if (!found) return null;
  const links = await db
    .select({ id: applicationEmail.applicationId })
    .from(applicationEmail)
    .where(eq(applicationEmail.emailId, id));
  return { email: found, applicationIds: links.map((link) => link.id) };
}

/**
 * Unlinks applications that are being deleted from their emails. The content of an email is deleted unless it is about
 * other applications too; the record that it was sent stays until its own retention ends, so that a late job does not
 * send it again.
 */
export async function deleteApplicationEmails(
  tx: Transaction,
  applicationIds: string[],
): Promise<void> {
  const gone = await tx
    .delete(applicationEmail)
    .where(inArray(applicationEmail.applicationId, applicationIds))
    .returning({ id: applicationEmail.emailId });
  if (gone.length === 0) return;
  await tx
    .update(email)
    .set({ content: null })
    .where(
      and(
        isNotNull(email.content),
        inArray(
          email.id,
          gone.map(({ id }) => id),
        ),
        notExists(
          tx
            .select({ one: sql`1` })
            .from(applicationEmail)
            .where(eq(applicationEmail.emailId, email.id)),
        ),
      ),
    );
}

/**
 * Gives an unpaid application, and with it its order's payer, the email address that its traveller changed it to. Links
 * sent to the old address stop working; an email with the number and the payment link goes to the new one. The browser
 * that changed it stays the payer's; browsers that became so by an old link do not. Call it with the order locked and
 * the payer's browser checked. Returns whether the address changed.
 */
export async function moveEmail(
  tx: Transaction,
  {
    applicationId,
    email,
    order,
    sessionHash,
    now,
  }: {
    applicationId: string;
    email: string;
    order: Order;
    /** The hash of the browser that makes the change. */
    sessionHash: Buffer | null;
    now: Date;
  },
): Promise<boolean> {
  const changed = await changeEmail(tx, applicationId, email);
  if (!changed?.isPayer && order.customerEmail !== email) {
    await changePayerEmail(tx, order.number, { from: order.customerEmail, to: email });
    await dropPayerDevices(tx, order.id);
  }
  if (order.customerEmail === email) return changed !== null;
  if (sessionHash && !order.sessionHash?.equals(sessionHash)) {
    await addPayerDevice(tx, { orderId: order.id, sessionHash, createdAt: now });
  }
  // A new email for the new address; one to the old address that is still unsent is sent to the new one anyway.
  await tellUnpaid(tx, order, now);
  return true;
}
