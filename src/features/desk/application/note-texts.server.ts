import { and, inArray, isNull } from 'drizzle-orm';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { deskNote } from './tables.server.ts';

/** What the text of a note is sealed for. */
export const noteTextOf = (id: string) => `desk_note.text:${id}`;

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
