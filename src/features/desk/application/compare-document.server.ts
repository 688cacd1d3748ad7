import type { Application } from '~/features/application/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import { numbersOf } from './numbers.server.ts';
import { sameFileElsewhere, uploadById } from './store.server.ts';
import { matchDocument, writtenInstead } from './document-match.ts';
import { type Comparison } from './comparison.ts';

/** Compares an uploaded PDF with its application; null for an unknown file. */
export async function compareDocument(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  application: Application,
  fileId: string,
): Promise<Comparison | null> {
  const upload = await uploadById(db, fileId);
  if (!upload) return null;
  const usedFor = upload.contentHash
    ? await sameFileElsewhere(db, {
        contentHash: upload.contentHash,
        applicationId: application.id,
      })
    : [];
  const numbers = upload.text && (await numbersOf({ db, sealer }, application));
  if (!upload.text || !numbers) return { match: null, instead: {}, usedFor };
  const { firstName, lastName, dateOfBirth } = application;
  const text = sealer.unsealText(upload.text, `desk_upload.text:${fileId}`);
  const person = { passportNumber: numbers.passport, firstName, lastName, dateOfBirth };
  const match = matchDocument(text, person);
  return { match, instead: writtenInstead(text, person, match), usedFor };
}
