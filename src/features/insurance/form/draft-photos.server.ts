import * as z from 'zod/mini';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { MAX_PHOTO_BYTES, MAX_PHOTOS } from '~/features/form/answers/limits.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { removeFilesLater } from '~/platform/files/files.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import {
  AdmittedPhotos,
  PhotoFiles,
  tooMany,
  type PhotoUpload,
} from '../purchase/photo-upload.server.ts';
import type { InsuranceProblem } from '../rules/check.ts';
import type { DraftFile } from '~/features/form/draft/draft-content.ts';
import {
  deleteExpiredDrafts,
  type Draft,
  deleteDrafts,
  ensureDraft,
  lockDraft,
} from '~/features/form/draft/draft.server.ts';
import { deleteDraftPhotos, photosByOwner, submittedPhoto } from '../store/photo-store.server.ts';
import { and, eq } from 'drizzle-orm';
import { insurancePhoto } from '../store/tables.server.ts';

type Form = Pick<Draft, 'id' | 'changing'>;

/**
 * The photos of the form: those of the draft, and before them those of the application that was opened again, which
 * stay with it whatever becomes of the draft.
 */
export async function formPhotos(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  { id, changing }: Form,
): Promise<DraftFile[]> {
  const application = changing === null ? null : await applicationByNumber(db, changing);
  const stored = application
    ? await photosByOwner(db, sealer, { applicationId: application.id })
    : [];
  const added = await photosByOwner(db, sealer, { draftId: id });
  return [
    ...stored.map((photo) => ({ ...photo, isStored: true })),
    ...added.map((photo) => ({ ...photo, isStored: false })),
  ].map(({ id: photoId, name, size, isStored }) => ({ id: photoId, name, size, isStored }));
}

/** The file of one of the form's photos; null for any other. */
export async function formPhoto(
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

/** The files in a form. */
export async function readFormUploads(form: FormData): Promise<PhotoUpload[]> {
  const files = form
    .getAll('parentIdPhotos')
    // An empty file chooser sends a file without a name.
    .filter((file) => file instanceof File && (file.name !== '' || file.size > 0));
  return Promise.all(
    files.map(async (file) => {
      if (!(file instanceof File)) return { name: '', bytes: null };
      const isTooLarge = file.size > MAX_PHOTO_BYTES;
      const bytes = isTooLarge ? null : new Uint8Array(await file.arrayBuffer());
      return { name: file.name, bytes };
    }),
  );
}

/**
 * Adds the uploads that are photos to a draft, in one transaction after they are decoded; returns the problems of the
 * others. `lock` locks the draft; it returns false where no photos are taken any more, and nothing is stored.
 */
export async function addPhotos(
  platform: Platform,
  {
    draft,
    address,
    lock,
  }: { draft: Form; address: string; lock: (tx: Transaction) => Promise<boolean> },
  uploads: readonly PhotoUpload[],
): Promise<readonly InsuranceProblem[]> {
  if (uploads.length === 0) return [];
  const { db, sealer } = platform;
  const photos = await AdmittedPhotos.admit(platform, address, uploads);
  if (!photos.ok) return [photos.error];
  const { problems, uploads: decoded } = photos.value;
  const files = await PhotoFiles.put(platform, decoded);
  try {
    const removed = await db.transaction(async (tx) => {
      if (!(await lock(tx))) return [];
      await files.insert(tx, { draftId: draft.id });
      const excessive = (await formPhotos({ db: tx, sealer }, draft)).slice(MAX_PHOTOS);
      for (const { id } of excessive) {
        await removeFilesLater(tx, await deletePhotos(tx, draft.id, id));
      }
      return excessive;
    });
    files.keep();
    return removed.length > 0 ? [...problems, tooMany()] : problems;
  } finally {
    await files.removeRest();
  }
}

/** Deletes a draft's photos, or one of them, with their files. */
export async function removePhotos(platform: Platform, draftId: string, photoId?: string) {
  if (photoId !== undefined && !z.uuid().safeParse(photoId).success) return;
  await platform.db.transaction(async (tx) =>
    removeFilesLater(tx, await deletePhotos(tx, draftId, photoId)),
  );
}

/** Deletes the expired drafts of both forms, with their photos; returns how many. For a recurring job. */
export const deleteExpiredDraftsWithPhotos = (platform: {
  db: Queryable;
  now: () => Date;
}): Promise<number> =>
  deleteExpiredDrafts(platform, async (tx, ids) =>
    removeFilesLater(tx, await deleteDraftPhotos(tx, ids)),
  );

/*
 * Photos of a parent's ID that come with the page of a group or a correction, until its applications get them. They are
 * stored with an insurance draft that has the id of the group's party or of the correction and that no browser opens, so
 * that they are listed, limited and deleted after 30 days as the form's are. `formPhotos` lists them, `removePhotos`
 * removes one.
 */

/**
 * Stores the uploads that are photos; returns the problems of the others. `lock` locks whatever they are collected for;
 * where that is over it returns false, and nothing is stored.
 */
export function collectPhotos(
  platform: Platform,
  {
    id,
    language,
    address,
    lock,
  }: {
    id: string;
    language: string;
    address: string;
    lock: (tx: Transaction) => Promise<boolean>;
  },
  uploads: readonly PhotoUpload[],
): Promise<readonly InsuranceProblem[]> {
  const lockDraft = async (tx: Transaction) => {
    if (!(await lock(tx))) return false;
    await ensureDraft(tx, platform, { id, form: 'insurance', language });
    return true;
  };
  const draft = { id, changing: null };
  return addPhotos(platform, { draft, address, lock: lockDraft }, uploads);
}

/**
 * Reads the photos, to be stored again with each application that needs them.
 * @throws Error where the file of one is missing.
 */
export async function readCollectedPhotos(platform: Platform, id: string): Promise<AdmittedPhotos> {
  const photos = await photosByOwner(platform.db, platform.sealer, { draftId: id });
  const read = photos.map(async ({ name, fileId }) => {
    const file = await platform.files.read(fileId);
    if (!file) throw new Error(`The file ${fileId} of a photo is missing`);
    return { name, bytes: new Uint8Array(file.bytes) };
  });
  return AdmittedPhotos.stored(await Promise.all(read));
}

/** Deletes the photos once applications have their own. */
export async function deleteCollectedPhotos(
  tx: Transaction,
  platform: Pick<Platform, 'sealer' | 'now'>,
  id: string,
): Promise<void> {
  await lockDraft(tx, platform, id);
  await removeFilesLater(tx, await deleteDraftPhotos(tx, [id]));
  await deleteDrafts(tx, [id]);
}

/** A draft's photo; null for any other. */
async function draftPhoto(
  db: Queryable,
  draftId: string,
  id: string,
): Promise<{ fileId: string } | null> {
  const [row] = await db
    .select({ fileId: insurancePhoto.fileId })
    .from(insurancePhoto)
    .where(and(eq(insurancePhoto.id, id), eq(insurancePhoto.draftId, draftId)));
  return row ?? null;
}

/** Deletes a draft's photos, or one of them; returns the files that are no longer needed. */
async function deletePhotos(tx: Queryable, draftId: string, photoId?: string): Promise<string[]> {
  const mine = eq(insurancePhoto.draftId, draftId);
  const rows = await tx
    .delete(insurancePhoto)
    .where(photoId === undefined ? mine : and(mine, eq(insurancePhoto.id, photoId)))
    .returning({ fileId: insurancePhoto.fileId });
  return rows.map(({ fileId }) => fileId);
}
