import { removeFilesLater } from '~/platform/files/remove-files.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { AdmittedPhotos, type Upload } from '../purchase/photo-upload.server.ts';
import type { Problem } from '../rules/check.ts';
import { insuranceDraftStore } from '../store/draft-store.server.ts';
import { insuranceDrafts } from '../store/draft.server.ts';
import { deletePhotosOf, photosOf } from '../store/photo-store.server.ts';
import { keepPhotos } from './handle-form-submit.server.ts';

/*
 * Photos of a parent's ID from a page other than the insurance form. They are stored with an insurance draft that has that
 * page's own id and that no browser opens, so that they are listed, limited and deleted after 30 days as the form's are.
 * `photosOfDraft` lists them, `removePhotos` removes one.
 */

/** Stores the uploads that are photos; returns the problems of the others. */
export async function keepPhotosBeside(
  platform: Platform,
  { id, language, address }: { id: string; language: string; address: string },
  uploads: readonly Upload[],
): Promise<readonly Problem[]> {
  if (uploads.length === 0) return [];
  await insuranceDrafts.ensureUnopened(platform.db, platform, { id, language });
  return keepPhotos(platform, address, { id, changing: null }, uploads);
}

/** Reads the stored photos, to be stored again with each application that needs them. */
export async function readPhotosBeside(platform: Platform, id: string): Promise<AdmittedPhotos> {
  const photos = await photosOf(platform.db, platform.sealer, { draftId: id });
  const read = await Promise.all(
    photos.map(async ({ name, fileId }) => {
      const file = await platform.files.read(fileId);
      return file ? [{ name, bytes: new Uint8Array(file.bytes) }] : [];
    }),
  );
  return AdmittedPhotos.stored(read.flat());
}

/** Deletes the photos once applications have their own. */
export async function deletePhotosBeside(tx: Transaction, id: string): Promise<void> {
  await removeFilesLater(tx, await deletePhotosOf(tx, [id]));
  await insuranceDraftStore.deleteDrafts(tx, [id]);
}
