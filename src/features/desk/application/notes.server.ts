import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { notifyMentioned } from '../queue/notify.server.ts';
import { CORRECTABLE_MS, mayCorrect, readNote, readWhy, type NoteError } from './note.ts';
import { insertNote, markStruck, noteOf, replaceText } from './note-store.server.ts';

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
