import { and, asc, desc, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { ok, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { caseMessage, caseMessageFile } from './tables.server.ts';

/** What the subject, the text or the sender of a message is sealed for. */
export const messageContext = (column: 'subject' | 'text' | 'sender', id: string) =>
  `case_message.${column}:${id}`;

/** What the name of a file that came with a message is sealed for. */
export const fileNameContext = (id: string) => `case_message_file.name:${id}`;

/**
 * What was written about an application, oldest first, decrypted. Personal: the caller records the view in the audit
 * trail.
 */
export async function messagesByApplication(db: Queryable, sealer: Sealer, applicationId: string) {
  const rows = await db
    .select()
    .from(caseMessage)
    .where(eq(caseMessage.applicationId, applicationId))
    .orderBy(asc(caseMessage.at), asc(caseMessage.id));
  // Most applications have no message.
  if (rows.length === 0) return [];
  const files = await db
    .select()
    .from(caseMessageFile)
    .where(eq(caseMessageFile.applicationId, applicationId));
  return rows.map(({ messageIdHash: _, subject, text, sender, ...row }) => ({
    ...row,
    subject: sealer.unsealText(subject, messageContext('subject', row.id)),
    text: sealer.unsealText(text, messageContext('text', row.id)),
    sender: sender && sealer.unsealText(sender, messageContext('sender', row.id)),
    files: files
      .filter(({ messageId }) => messageId === row.id)
      .map(({ id, name, size }) => ({
        id,
        name: sealer.unsealText(name, fileNameContext(id)),
        size,
      })),
  }));
}

/** One message, as `messagesByApplication` reads it. */
export type Message = Awaited<ReturnType<typeof messagesByApplication>>[number];

/** A message as its email is written from it; null where there is none, or where it was taken back. */
export async function messageById(
  db: Queryable,
  sealer: Sealer,
  id: string,
): Promise<{ applicationId: string; text: string } | null> {
  const [row] = await db.select().from(caseMessage).where(eq(caseMessage.id, id));
  if (!row) return null;
  const text = sealer.unsealText(row.text, messageContext('text', id));
  return { applicationId: row.applicationId, text };
}

/** The newest message about an application that somebody else wrote than one of the staff; none of a machine. */
export async function newestOfOthers(
  db: Queryable,
  { applicationId, staffId }: { applicationId: string; staffId: string },
): Promise<{ staffId: string | null; at: Date } | null> {
  const [newest] = await db
    .select({ staffId: caseMessage.staffId, at: caseMessage.at })
    .from(caseMessage)
    .where(
      and(
        eq(caseMessage.applicationId, applicationId),
        or(isNull(caseMessage.staffId), ne(caseMessage.staffId, staffId)),
        eq(caseMessage.isAutomatic, false),
      ),
    )
    .orderBy(desc(caseMessage.at))
    .limit(1);
  return newest ?? null;
}

/** Stores what one of the staff wrote; false where it was stored before. */
export async function insertMessage(
  tx: Transaction,
  sealer: Sealer,
  written: {
    id: string;
    applicationId: string;
    staffId: string;
    subject: string;
    text: string;
    at: Date;
  },
): Promise<boolean> {
  const { id } = written;
  const rows = await tx
    .insert(caseMessage)
    .values({
      ...written,
      direction: 'out',
      subject: sealer.seal(written.subject, messageContext('subject', id)),
      text: sealer.seal(written.text, messageContext('text', id)),
    })
    .onConflictDoNothing({ target: caseMessage.id })
    .returning({ id: caseMessage.id });
  return rows.length > 0;
}

/** Deletes a message of staff, and marks as new again what it had answered; returns its text. */
export async function removeMessage(
  tx: Transaction,
  sealer: Sealer,
  { id, applicationId, at }: { id: string; applicationId: string; at: Date },
): Promise<string> {
  const [gone] = await tx
    .delete(caseMessage)
    .where(eq(caseMessage.id, id))
    .returning({ text: caseMessage.text });
  await tx
    .update(caseMessage)
    .set({ readAt: null })
    .where(and(eq(caseMessage.applicationId, applicationId), eq(caseMessage.readAt, at)));
  return gone ? sealer.unsealText(gone.text, messageContext('text', id)) : '';
}

/** The applications whose travellers wrote what nobody has read or answered. */
export const newMessagesSql: SQL = sql`select ${caseMessage.applicationId} from ${caseMessage}
  where ${caseMessage.direction} = 'in' and ${caseMessage.readAt} is null`;

/** Marks as read what travellers wrote about an application; returns whether anything was new. */
export async function markMessagesRead(
  tx: Transaction,
  { applicationId, at }: { applicationId: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(caseMessage)
    .set({ readAt: at })
    .where(
      and(
        eq(caseMessage.applicationId, applicationId),
        eq(caseMessage.direction, 'in'),
        isNull(caseMessage.readAt),
      ),
    );
  return (rowCount ?? 0) > 0;
}

/** One of the staff says that they read what travellers wrote about an application. */
export const readMessages = (
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { id: staffId }: Pick<Staff, 'id'>,
  applicationId: string,
): Promise<Outcome<null, never>> =>
  db.transaction(async (tx) => {
    const at = now();
    if (await markMessagesRead(tx, { applicationId, at })) {
      const subject = { kind: 'application', id: applicationId } as const;
      await audit(tx, { at, staffId, action: 'messages_read', subject });
    }
    return ok(null);
  });

/** A file that came with a message: its name in the file store, and of which application it is; null for an unknown one. */
export async function messageFileById(db: Queryable, id: string) {
  const [row] = await db
    .select({ fileId: caseMessageFile.fileId, applicationId: caseMessageFile.applicationId })
    .from(caseMessageFile)
    .where(eq(caseMessageFile.id, id));
  return row ?? null;
}

/** Deletes what was written about applications; returns the files that now belong to nothing. */
export async function deleteMessages(tx: Transaction, applicationIds: string[]): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  const files = await tx
    .delete(caseMessageFile)
    .where(inArray(caseMessageFile.applicationId, applicationIds))
    .returning({ fileId: caseMessageFile.fileId });
  await tx.delete(caseMessage).where(inArray(caseMessage.applicationId, applicationIds));
  return files.map(({ fileId }) => fileId);
}
