import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { notifyMentioned } from '../for-you/notify.server.ts';
import { CORRECTABLE_MS, mayCorrect, readNote, readWhy, type NoteError } from './note.ts';
import { insertNote, markStruck, noteOf, replaceText } from './note-store.server.ts';

type Noting = Pick<Platform, 'db' | 'now' | 'sealer'>;
type Noted = Promise<Outcome<null, NoteError>>;

/** A note and its application. `id` comes with the form, so that sending it twice stores one note. */
type Named = { id: string; applicationId: string };

/** Adds a note to an application, decided or not. */
export async function addNote(
  { db, now, sealer }: Noting,
  staff: Staff,
  { typed, ...named }: Named & { typed: string },
): Noted {
  const read = readNote(typed);
  if (!read.ok) return read;
  const at = now();
  return db.transaction(async (tx) => {
    const note = { ...named, staffId: staff.id, text: read.value, writtenAt: at };
    const stored = await insertNote(tx, sealer, note);
    if (!stored.ok) return stored;
    if (stored.value !== null) {
      const added = { ...named, id: stored.value };
      await audit(tx, { at, staffId: staff.id, action: 'note_added', ...aboutNote(added) });
      await notifyMentioned(tx, staff, mentioning(added, read.value, at));
    }
    return ok(null);
  });
}

/** Corrects one's own note within `CORRECTABLE_MS`; it is marked as edited. */
export async function editNote(
  { db, now, sealer }: Noting,
  staff: Staff,
  { typed, ...named }: Named & { typed: string },
): Noted {
  const read = readNote(typed);
  if (!read.ok) return read;
  const at = now();
  return db.transaction(async (tx) => {
    const found = await noteOf(tx, sealer, named);
    if (!found) return refused('unknown_note');
    if (found.struck) return refused('struck_note');
    if (!mayCorrect(found, staff.id, at.getTime())) return refused('late_edit');
    if (found.text === read.value) return ok(null);
    const edited = { id: named.id, staffId: staff.id, text: read.value, at };
    const writtenAfter = new Date(at.getTime() - CORRECTABLE_MS);
    if (!(await replaceText(tx, sealer, { ...edited, writtenAfter }))) {
      return refused('struck_note');
    }
    await audit(tx, { at, staffId: staff.id, action: 'note_edited', ...aboutNote(named) });
    await notifyMentioned(tx, staff, mentioning(named, read.value, at));
    return ok(null);
  });
}

/** Strikes anybody's note with a reason: it stays readable and is no longer counted. */
export async function strikeNote(
  { db, now, sealer }: Noting,
  staff: Staff,
  { typed, ...named }: Named & { typed: string },
): Noted {
  const read = readWhy(typed);
  if (!read.ok) return read;
  const at = now();
  return db.transaction(async (tx) => {
    if (!(await noteOf(tx, sealer, named))) return refused('unknown_note');
    const struck = { id: named.id, by: staff.id, why: read.value, at };
    if (!(await markStruck(tx, sealer, struck))) return refused('struck_note');
    await audit(tx, { at, staffId: staff.id, action: 'note_struck', ...aboutNote(named) });
    return ok(null);
  });
}

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
