import { and, asc, eq, getTableColumns, inArray, isNotNull, notExists, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { emailById, openEmail, type Email } from '~/features/email/ledger/store.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { applicationEmail } from './tables.server.ts';

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
export async function emailsOf(
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
export async function deleteEmailsOf(tx: Transaction, applicationIds: string[]): Promise<void> {
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
