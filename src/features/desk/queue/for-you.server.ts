import { randomUUID } from 'node:crypto';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { application } from '~/features/application/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { MAX_FOR_YOU_ENTRIES, type ForYouKind, findMentions } from '../application/note.ts';
import { deskForYou } from '../application/tables.server.ts';
import { activeStaff } from '~/features/staff/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';

type NewEntry = {
  kind: ForYouKind;
  staffId: string;
  applicationId: string;
  noteId: string | null;
  byStaffId: string | null;
  at: Date;
};

/** Stores entries; of one note each person gets one. Returns who got a new one. */
export async function insertForYou(
  tx: Transaction,
  entries: readonly NewEntry[],
): Promise<{ id: string; staffId: string }[]> {
  if (entries.length === 0) return [];
  return tx
    .insert(deskForYou)
    .values(entries.map((entry) => ({ ...entry, id: randomUUID() })))
    .onConflictDoNothing()
    .returning({ id: deskForYou.id, staffId: deskForYou.staffId });
}

/** One's newest entries, with whose application each is about. */
export const forYouEntries = (db: Queryable, staffId: string) =>
  db
    .select({
      id: deskForYou.id,
      kind: deskForYou.kind,
      noteId: deskForYou.noteId,
      at: deskForYou.at,
      readAt: deskForYou.readAt,
      by: staffAccount.name,
      number: application.number,
      applicationId: application.id,
      name: sql<string>`${application.lastName} || ', ' || ${application.firstName}`,
    })
    .from(deskForYou)
    .innerJoin(application, eq(application.id, deskForYou.applicationId))
    .leftJoin(staffAccount, eq(staffAccount.id, deskForYou.byStaffId))
    .where(eq(deskForYou.staffId, staffId))
    .orderBy(desc(deskForYou.at), desc(deskForYou.id))
    .limit(MAX_FOR_YOU_ENTRIES);

/** Marks one's own entry as read, or all of them; returns where the one leads, null for an unknown one. */
export async function markForYouRead(
  db: Queryable,
  { staffId, id, at }: { staffId: string; id: string | null; at: Date },
): Promise<{ number: string; noteId: string | null; kind: ForYouKind } | null> {
  const mine = eq(deskForYou.staffId, staffId);
  await db
    .update(deskForYou)
    .set({ readAt: at })
    .where(and(mine, isNull(deskForYou.readAt), id === null ? undefined : eq(deskForYou.id, id)));
  if (id === null) return null;
  const [found] = await db
    .select({ number: application.number, noteId: deskForYou.noteId, kind: deskForYou.kind })
    .from(deskForYou)
    .innerJoin(application, eq(application.id, deskForYou.applicationId))
    .where(and(mine, eq(deskForYou.id, id)));
  return found ?? null;
}

/**
 * Tells everybody whom a note mentions, its author apart, in the caller's transaction. Who was told of the same note
 * before, by its first version or with the case, is not told again.
 */
export async function notifyMentioned(
  tx: Transaction,
  staff: Pick<Staff, 'id'>,
  {
    noteId,
    applicationId,
    text,
    at,
  }: { noteId: string; applicationId: string; text: string; at: Date },
): Promise<void> {
  if (!text.includes('@')) return;
  const others = findMentions(text, await activeStaff(tx)).filter(({ id }) => id !== staff.id);
  const notified = await insertForYou(
    tx,
    others.map(({ id }) => ({
      kind: 'mentioned' as const,
      staffId: id,
      applicationId,
      noteId,
      byStaffId: staff.id,
      at,
    })),
  );
  for (const { staffId } of notified) {
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'colleague_mentioned',
      subject: { kind: 'application', id: applicationId },
      detail: { noteId, to: staffId },
    });
  }
}
