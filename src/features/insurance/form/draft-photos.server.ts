import { applicationByNumber } from '~/features/application/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Draft } from '../store/draft.server.ts';
import type { KeptPhoto } from './form-view.ts';
import { draftPhoto, photosOf, submittedPhoto } from '../store/photo-store.server.ts';

type Form = Pick<Draft, 'id' | 'changing'>;

/**
 * The photos of the form: those of the draft, and before them those of the application that was opened again, which
 * stay with it whatever becomes of the draft.
 */
export async function photosOfDraft(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  { id, changing }: Form,
): Promise<KeptPhoto[]> {
  const application = changing === null ? null : await applicationByNumber(db, changing);
  const stored = application ? await photosOf(db, sealer, { applicationId: application.id }) : [];
  const added = await photosOf(db, sealer, { draftId: id });
  return [
    ...stored.map((photo) => ({ ...photo, isStored: true })),
    ...added.map((photo) => ({ ...photo, isStored: false })),
  ].map(({ id: photoId, name, size, isStored }) => ({ id: photoId, name, size, isStored }));
}

/** The file of one of the form's photos; null for any other. */
export async function photoOfDraft(
  db: Queryable,
  { id, changing }: Form,
  photoId: string,
): Promise<{ fileId: string } | null> {
  const added = await draftPhoto(db, id, photoId);
  if (added || changing === null) return added;
  const stored = await submittedPhoto(db, photoId);
  const application = stored && (await applicationByNumber(db, changing));
  return application && stored.applicationId === application.id ? stored : null;
}
