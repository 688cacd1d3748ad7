import { randomUUID } from 'node:crypto';
import { lettersOf } from '~/features/application/letter-store.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { viewLetter } from './letter-view.ts';
import { notesOf } from './note-store.server.ts';

export type Dossier = Awaited<ReturnType<typeof gatherDossier>>;
export type NoteView = Dossier['notes'][number];

/**
 * What staff know of an application beside its answers. It is personal: to show it is for the caller to write into the
 * audit trail.
 */
export async function gatherDossier({ db, sealer }: Platform, application: Application) {
  const { id: applicationId } = application;
  const [notes, letters] = await Promise.all([
    notesOf(db, sealer, applicationId),
    lettersOf(db, sealer, applicationId),
  ]);
  const people = [
    ...notes.flatMap(({ staffId, struck }) => [staffId, struck?.by ?? null]),
    ...letters.map(({ staffId }) => staffId),
  ].filter((id) => id !== null);
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
    letters: letters.map((letter) => viewLetter(letter, nameOf)),
  };
}
