import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { noteTextOf } from './note-texts.server.ts';
import { deskNote } from './tables.server.ts';
import type { StaffNote } from './note.ts';

type Row = typeof deskNote.$inferSelect;

const whyOf = (id: string) => `desk_note.struck_why:${id}`;

type NewNote = Pick<StaffNote, 'id' | 'applicationId' | 'staffId' | 'text' | 'writtenAt'>;

/**
 * Stores a note once and returns its id; null where it was stored before, so that sending it again changes nothing.
 * Another text of the same author under the same id, as a page that the browser brought back sends it, is another note
 * and gets another id. Refused where the id belongs to somebody else or to another application.
 */
export async function insertNote(
  tx: Transaction,
  sealer: Sealer,
  note: NewNote,
): Promise<Outcome<string | null, 'unknown_note'>> {
  const { id, text, ...rest } = note;
  const rows = await tx
    .insert(deskNote)
    .values({ ...rest, id, text: sealer.seal(text, noteTextOf(id)) })
    .onConflictDoNothing()
    .returning({ id: deskNote.id });
  if (rows.length > 0) return ok(id);
  const stored = await noteOf(tx, sealer, note);
  if (stored?.staffId !== note.staffId) return refused('unknown_note');
  if (stored.text === text) return ok(null);
  return insertNote(tx, sealer, { ...note, id: randomUUID() });
}

/** Oldest first, decrypted. Personal: the caller records the view in the audit trail. */
export async function notesOf(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<StaffNote[]> {
  const rows = await db
    .select()
    .from(deskNote)
    .where(eq(deskNote.applicationId, applicationId))
    .orderBy(asc(deskNote.writtenAt), asc(deskNote.id));
  return rows.map((row) => opened(sealer, row));
}

export async function noteOf(
  db: Queryable,
  sealer: Sealer,
  { id, applicationId }: { id: string; applicationId: string },
): Promise<StaffNote | null> {
  const [row] = await db
    .select()
    .from(deskNote)
    .where(and(eq(deskNote.id, id), eq(deskNote.applicationId, applicationId)));
  return row ? opened(sealer, row) : null;
}

/** Returns false where the note was struck, or its time for corrections has passed. */
export async function replaceText(
  tx: Transaction,
  sealer: Sealer,
  { id, staffId, text, at, writtenAfter }: EditedNote,
): Promise<boolean> {
  const rows = await tx
    .update(deskNote)
    .set({ text: sealer.seal(text, noteTextOf(id)), editedAt: at })
    .where(
      and(
        eq(deskNote.id, id),
        eq(deskNote.staffId, staffId),
        isNull(deskNote.struckAt),
        gt(deskNote.writtenAt, writtenAfter),
      ),
    )
    .returning({ id: deskNote.id });
  return rows.length > 0;
}

type EditedNote = { id: string; staffId: string; text: string; at: Date; writtenAfter: Date };

/** Returns false where it was struck before. */
export async function markStruck(
  tx: Transaction,
  sealer: Sealer,
  { id, by, why, at }: { id: string; by: string; why: string; at: Date },
): Promise<boolean> {
  const rows = await tx
    .update(deskNote)
    .set({ struckAt: at, struckBy: by, struckWhy: sealer.seal(why, whyOf(id)) })
    .where(and(eq(deskNote.id, id), isNull(deskNote.struckAt)))
    .returning({ id: deskNote.id });
  return rows.length > 0;
}

/** Deletes the notes of applications that are being deleted. */
export async function deleteNotes(tx: Transaction, applicationIds: string[]): Promise<void> {
  await tx.delete(deskNote).where(inArray(deskNote.applicationId, applicationIds));
}

function opened(sealer: Sealer, { text, struckAt, struckBy, struckWhy, ...row }: Row): StaffNote {
  const isStruck = struckAt && struckBy && struckWhy;
  return {
    ...row,
    text: sealer.unsealText(text, noteTextOf(row.id)),
    struck: isStruck
      ? { at: struckAt, by: struckBy, why: sealer.unsealText(struckWhy, whyOf(row.id)) }
      : null,
  };
}
