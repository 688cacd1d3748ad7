import { randomUUID } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { takeClaim } from '~/features/application/claim/claim-store.server.ts';
import { activeStaff, staffNames } from '~/features/staff/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { insertNote } from '../application/notes.server.ts';
import { readNote } from '../application/note.ts';
import { insertForYou } from './for-you-store.server.ts';
import { notifyMentioned } from './notify.server.ts';
import { ASSIGNED_MS } from './mentions.ts';

export type AssignError =
  | { code: 'unknown_colleague' | 'long_note' }
  | { code: 'claimed'; name: string; until: Date };

/**
 * Gives an open application to one of the staff, oneself included: a claim that lasts `ASSIGNED_MS`. One that somebody
 * else works on is taken over first, which is recorded. The note goes with it, and the colleague is told. The caller has
 * checked that it is not decided.
 */
export async function assign(
  { db, now, sealer }: Pick<Platform, 'db' | 'now' | 'sealer'>,
  staff: Staff,
  { applicationId, to, note: typed }: { applicationId: string; to: string; note: string },
): Promise<Outcome<null, AssignError>> {
  const note = readNote(typed);
  if (!note.ok && note.error === 'long_note') return refused({ code: 'long_note' });
  const at = now();
  return db.transaction(async (tx): Promise<Outcome<null, AssignError>> => {
    const colleague = (await activeStaff(tx)).find(({ id }) => id === to);
    if (!colleague) return refused({ code: 'unknown_colleague' });
    const expiresAt = new Date(at.getTime() + ASSIGNED_MS);
    const own = { applicationId, staffId: staff.id, now: at, expiresAt: at };
    // One's own claim first, so that a colleague's is noticed: of two who give it away at once one succeeds.
    const held = await takeClaim(tx, own);
    if (held.staffId !== staff.id) {
      const name = (await staffNames(tx, [held.staffId])).get(held.staffId) ?? '?';
      return refused({ code: 'claimed', name, until: held.expiresAt });
    }
    const given = { applicationId, staffId: to, now: at, expiresAt, assignedBy: staff.id };
    await takeClaim(tx, { ...given, takeOver: true });
    const noteId = note.ok ? randomUUID() : null;
    const subject = { kind: 'application', id: applicationId } as const;
    const entry = { at, staffId: staff.id, subject };
    if (note.ok && noteId !== null) {
      await insertNote(tx, sealer, {
        id: noteId,
        applicationId,
        staffId: staff.id,
        text: note.value,
        writtenAt: at,
      });
      await audit(tx, { ...entry, action: 'note_added', detail: { noteId } });
    }
    await audit(tx, { ...entry, action: 'case_assigned', detail: { to, noteId } });
    if (to !== staff.id) {
      await insertForYou(tx, [
        { kind: 'assigned', staffId: to, applicationId, noteId, byStaffId: staff.id, at },
      ]);
    }
    if (note.ok && noteId !== null) {
      await notifyMentioned(tx, staff, { noteId, applicationId, text: note.value, at });
    }
    return ok(null);
  });
}
