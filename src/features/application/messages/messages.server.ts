import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
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
  const [rows, files] = await Promise.all([
    db
      .select()
      .from(caseMessage)
      .where(eq(caseMessage.applicationId, applicationId))
      .orderBy(asc(caseMessage.at), asc(caseMessage.id)),
    db.select().from(caseMessageFile).where(eq(caseMessageFile.applicationId, applicationId)),
  ]);
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
