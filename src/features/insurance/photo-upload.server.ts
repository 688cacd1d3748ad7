import { randomUUID } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Queryable } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Problem } from './check.ts';
import { limitsOf } from './limits.server.ts';
import { LARGEST_PHOTO_BYTES, MOST_PHOTOS } from './photo-rules.ts';
import { contentHashOf, insertPhoto, type Owner } from './photo-store.server.ts';
import { readPhoto } from './photo.server.ts';
import type { PhotoError } from './photo-rules.ts';

/** A file as it came: null bytes stand for one that is too large to be looked at, or that was no file at all. */
export type Upload = { name: string; bytes: Uint8Array | null };

const LONGEST_NAME = 120;
const DATA_URL = /^data:[^,]{0,200};base64,/i;
/** Four letters of base 64 stand for three bytes. */
const LONGEST_DATA_URL = Math.ceil((LARGEST_PHOTO_BYTES * 4) / 3) + 300;

/** Reads `data:image/jpeg;base64,…`. What it says of its type is not believed. */
export function uploadFromDataUrl(name: string, dataUrl: string): Upload {
  if (dataUrl.length > LONGEST_DATA_URL) return { name, bytes: null };
  const head = DATA_URL.exec(dataUrl)?.[0];
  if (head === undefined) return { name, bytes: new Uint8Array() };
  return { name, bytes: Buffer.from(dataUrl.slice(head.length), 'base64') };
}

/** An upload with what was drawn anew of it, or why that did not work. */
type Decoded = Upload & { read: Outcome<Buffer, PhotoError> };

/** Uploads that were let in and decoded; nothing else can be stored. */
export class AdmittedPhotos {
  readonly uploads: readonly Decoded[];

  private constructor(uploads: readonly Decoded[]) {
    this.uploads = uploads;
  }

  /**
   * Lets photos in from an address, on whichever way they came: as many as an application may have, and no more from
   * one address than it may send. They are decoded here, one after another: that takes up to a second each, in which no
   * transaction may wait.
   * @throws AskedInsideTransaction
   */
  static async admit(
    platform: Pick<Platform, 'pool'>,
    address: string,
    uploads: readonly Upload[],
  ): Promise<Outcome<AdmittedPhotos, Problem>> {
    if (uploads.length > MOST_PHOTOS) return refused(tooMany());
    if (uploads.length > 0) {
      const { allowed } = await limitsOf(platform).photos.consume(address, uploads.length);
      if (!allowed) return refused({ field: 'parentIdPhotos', code: 'too_often' });
    }
    const decoded: Decoded[] = [];
    for (const upload of uploads) {
      const { bytes } = upload;
      const read = bytes === null ? refused('too_large' as const) : await readPhoto(bytes);
      decoded.push({ ...upload, read });
    }
    return ok(new AdmittedPhotos(decoded));
  }
}

export const tooMany = (): Problem => ({
  field: 'parentIdPhotos',
  code: 'too_many',
  count: MOST_PHOTOS,
});

/**
 * Stores those of the uploads that are photos, sealed, for a draft or an application. Answers what
 * is wrong with the others. The files are stored before the rows: `undo` removes them where the transaction did not last.
 */
export async function storePhotos(
  tx: Queryable,
  { files, sealer, now }: Pick<Platform, 'files' | 'sealer' | 'now'>,
  owner: Owner,
  { uploads }: AdmittedPhotos,
): Promise<{ problems: Problem[]; undo: () => Promise<void> }> {
  const problems: Problem[] = [];
  const stored: string[] = [];
  const undo = async () => {
    for (const id of stored) await files.remove(id);
  };
  try {
    for (const { name, bytes, read } of uploads) {
      const shown = name.slice(-LONGEST_NAME);
      if (!read.ok || bytes === null) {
        const code = read.ok ? 'too_large' : read.error;
        problems.push({ field: 'parentIdPhotos', code, name: shown });
        continue;
      }
      const file = await files.put(read.value, { mediaType: 'image/jpeg' });
      stored.push(file.id);
      const photo = { id: randomUUID(), name: shown, fileId: file.id, size: file.size };
      const contentHash = contentHashOf(sealer, bytes);
      const isNew = await insertPhoto(tx, sealer, owner, { ...photo, contentHash }, now());
      if (!isNew) {
        stored.pop();
        await files.remove(file.id);
      }
    }
    return { problems, undo };
  } catch (error) {
    await undo();
    throw error;
  }
}
