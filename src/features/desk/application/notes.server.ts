import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import { notifyMentioned } from '../queue/for-you.server.ts';
import {
  CORRECTABLE_MS,
  mayCorrect,
  readNote,
  readWhy,
  type NoteError,
  type StaffNote,
} from './note.ts';
import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { deskNote } from './tables.server.ts';

type Noting = Pick<Platform, 'db' | 'now' | 'sealer'>;
type Noted = Promise<Outcome<null, NoteError>>;

/** A note and its application. `id` comes with the form, so that sending it twice stores one note. */
type Named = { id: string; applicationId: string };

/** Does the work with what was typed in one transaction, at one moment, unless it is refused. */
const withTyped = async (
  { db, now }: Noting,
  typed: Outcome<string, NoteError>,
  work: (tx: Transaction, text: string, at: Date) => Noted,
): Noted => (typed.ok ? db.transaction((tx) => work(tx, typed.value, now())) : typed);

/** Adds a note to an application, decided or not. */
export const addNote = (
  noting: Noting,
  staff: Staff,
  { typed, ...named }: Named & { typed: string },
): Noted =>
  withTyped(noting, readNote(typed), async (tx, text, at) => {
    const note = { ...named, staffId: staff.id, text, writtenAt: at };
    const stored = await insertNote(tx, noting.sealer, note);
    if (!stored.ok) return stored;
    if (stored.value !== null) {
      const added = { ...named, id: stored.value };
      await audit(tx, { at, staffId: staff.id, action: 'note_added', ...aboutNote(added) });
      await notifyMentioned(tx, staff, mentioning(added, text, at));
    }
    return ok(null);
  });

/** Corrects one's own note within `CORRECTABLE_MS`; it is marked as edited. */
export const editNote = (
  noting: Noting,
  staff: Staff,
  { typed, ...named }: Named & { typed: string },
): Noted =>
  withTyped(noting, readNote(typed), async (tx, text, at) => {
    const found = await noteOf(tx, noting.sealer, named);
    if (!found) return refused('unknown_note');
    if (found.struck) return refused('struck_note');
    if (!mayCorrect(found, staff.id, at.getTime())) return refused('late_edit');
    if (found.text === text) return ok(null);
    const edited = { id: named.id, staffId: staff.id, text, at };
    const writtenAfter = new Date(at.getTime() - CORRECTABLE_MS);
    if (!(await replaceText(tx, noting.sealer, { ...edited, writtenAfter }))) {
      return refused('struck_note');
    }
    await audit(tx, { at, staffId: staff.id, action: 'note_edited', ...aboutNote(named) });
    await notifyMentioned(tx, staff, mentioning(named, text, at));
    return ok(null);
  });

/** Strikes anybody's note with a reason: it stays readable and is no longer counted. */
export const strikeNote = (
  noting: Noting,
  staff: Staff,
  { typed, ...named }: Named & { typed: string },
): Noted =>
  withTyped(noting, readWhy(typed), async (tx, why, at) => {
    if (!(await noteOf(tx, noting.sealer, named))) return refused('unknown_note');
    const struck = { id: named.id, by: staff.id, why, at };
    if (!(await markStruck(tx, noting.sealer, struck))) return refused('struck_note');
    await audit(tx, { at, staffId: staff.id, action: 'note_struck', ...aboutNote(named) });
    return ok(null);
  });

const mentioning = ({ id: noteId, applicationId }: Named, text: string, at: Date) => ({
  noteId,
  applicationId,
  text,
  at,
});

const aboutNote = ({ id, applicationId }: Named) => ({
  subject: { kind: 'application', id: applicationId } as const,
  detail: { noteId: id },
});

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
export async function notesByApplication(
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

async function noteOf(
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
async function replaceText(
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
async function markStruck(
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

/** What the text of a note is sealed for. */
const noteTextOf = (id: string) => `desk_note.text:${id}`;

/**
 * The texts of notes by id, decrypted; without those that were struck. Personal: the caller records the view in the
 * audit trail.
 */
export async function noteTexts(
  db: Queryable,
  sealer: Sealer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: deskNote.id, text: deskNote.text })
    .from(deskNote)
    .where(and(inArray(deskNote.id, [...ids]), isNull(deskNote.struckAt)));
  return new Map(rows.map(({ id, text }) => [id, sealer.unsealText(text, noteTextOf(id))]));
}
