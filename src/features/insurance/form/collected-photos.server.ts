import { deleteDrafts, ensureDraft, lockDraft } from '~/features/form/draft/draft.server.ts';
import { removeFilesLater } from '~/platform/files/remove-files.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { AdmittedPhotos, type Upload } from '../purchase/photo-upload.server.ts';
import type { Problem } from '../rules/check.ts';
import { deletePhotosOf, photosOf } from '../store/photo-store.server.ts';
import { addPhotos } from './draft-photos.server.ts';

/*
 * Photos of a parent's ID that come with the page of a group or a correction, until its applications get them. They are
 * stored with an insurance draft that has the id of the group's party or of the correction and that no browser opens, so
 * that they are listed, limited and deleted after 30 days as the form's are. `photosOfDraft` lists them, `removePhotos`
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
  uploads: readonly Upload[],
): Promise<readonly Problem[]> {
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
  const photos = await photosOf(platform.db, platform.sealer, { draftId: id });
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
  await removeFilesLater(tx, await deletePhotosOf(tx, [id]));
  await deleteDrafts(tx, [id]);
}
