import { randomUUID } from 'node:crypto';
import type { Application } from '~/features/application/store.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { notesOf } from './note-store.server.ts';

export type Dossier = Awaited<ReturnType<typeof gatherDossier>>;
export type NoteView = Dossier['notes'][number];

/**
 * What staff know of an application beside its answers. It is personal: to show it is for the caller to write into the
 * audit trail.
 */
export async function gatherDossier({ db, sealer }: Platform, application: Application) {
  const notes = await notesOf(db, sealer, application.id);
  const people = notes.flatMap(({ staffId, struck }) => [staffId, ...(struck ? [struck.by] : [])]);
  const names = await staffNames(db, [...new Set(people)]);
  const nameOf = (id: string) => names.get(id) ?? '?';
  return {
    /** Of the note that is written next: a form sent twice is one note. */
    nextNote: randomUUID(),
    notes: notes.map(({ id, staffId, text, writtenAt, editedAt, struck }) => ({
      id,
      staffId,
      by: nameOf(staffId),
      text,
      writtenAt,
      editedAt,
      struck: struck && { ...struck, by: nameOf(struck.by) },
    })),
  };
}
