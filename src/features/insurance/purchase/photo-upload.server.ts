import { problem } from '~/platform/http/problem.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter, type Limit, type Limiter } from '~/platform/http/rate-limit.server.ts';
import { assertOutsideTransaction } from '~/platform/postgres/transaction-scope.server.ts';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { QueueFull, workQueue } from '~/base/work-queue.ts';
import { MAX_PHOTO_BYTES, MAX_PHOTO_PIXELS, MAX_PHOTOS } from '~/features/form/answers/limits.ts';
import type { PhotoError } from '../rules/parent-id-photos.ts';
import { randomUUID } from 'node:crypto';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { removeFiles } from '~/platform/files/files.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { InsuranceProblem } from '../rules/check.ts';
import { insertPhoto, type NewPhoto, type PhotoOwner } from '../store/photo-store.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';

const CONTENT = 'insurance_photo.content';

export const hashPhoto = (sealer: Sealer, bytes: Uint8Array): Buffer =>
  sealer.keyedHash(bytes, CONTENT);

/** Photos from one address: each takes up to half a second of processor time. */
export const PHOTO_LIMIT: Limit = { name: 'insurance_photos', points: 60, seconds: 600 };

type Limits = {
  /** `PHOTO_LIMIT` */
  photos: Limiter;
  /** Certificate look-ups from one address. Codes are secrets of 128 bits, so this only slows scanners. */
  verify: Limiter;
};

export const photoLimits = oncePerPool((pool): Limits => ({
  photos: makeLimiter(pool, PHOTO_LIMIT),
  verify: makeLimiter(pool, { name: 'insurance_verify', points: 60, seconds: 60 }),
}));

/** The response of a call with more photos than one address may send. */
export const tooManyPhotos = (): Response =>
  problem({
    code: 'too_many_photos',
    headers: { 'Retry-After': String(PHOTO_LIMIT.seconds) },
  });

/** Longest side in pixels; an ID card stays readable. */
const MAX_SIDE_PX = 2400;
const QUALITY = 82;
const DECODE_SECONDS = 5;

/**
 * A photo of 50 megapixels takes a third of a second of one processor and some 150 MB. Two at once leave capacity for
 * the rest of the service; where more than 16 wait, the visitor is asked to try again.
 */
const inTurn = workQueue({ atOnce: 2, waiting: 16 });
sharp.concurrency(1);

const formats = new Map<string, string>([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/heic', 'heif'],
  ['image/heif', 'heif'],
]);

/** The image library's build may lack the patented decoder for HEIC. */
const readsHeic = sharp.format.heif.input.fileSuffix?.includes('.heic') ?? false;

/**
 * Decodes a photo by its content, never its name, and encodes it anew as an upright JPEG, which drops what was hidden
 * in the file (place and time, comments, a second file behind the image). Takes up to a second: call it outside a
 * transaction.
 * @throws AskedInsideTransaction
 */
export async function readPhoto(bytes: Uint8Array): Promise<Outcome<Buffer, PhotoError>> {
  assertOutsideTransaction();
  if (bytes.byteLength === 0) return refused('empty');
  if (bytes.byteLength > MAX_PHOTO_BYTES) return refused('too_large');
  const type = await fileTypeFromBuffer(bytes);
  const format = formats.get(type?.mime ?? '');
  if (!format) return refused('not_photo');
  if (format === 'heif' && !readsHeic) return refused('heic');
  const isEnded = format !== 'jpeg' || hasEnd(bytes);
  const image = sharp(isEnded ? bytes : Buffer.concat([bytes, END_OF_JPEG]), {
    limitInputPixels: MAX_PHOTO_PIXELS,
    // With an end of ours the library only warns that more than the end is missing.
    failOn: isEnded ? 'error' : 'warning',
    sequentialRead: true,
  });
  try {
    return await inTurn(() => draw(image, format));
  } catch (error) {
    if (error instanceof QueueFull) return refused('busy');
    const message = error instanceof Error ? error.message : '';
    return refused(/pixel limit|dimensions/i.test(message) ? 'too_many_pixels' : 'unreadable');
  }
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/** Some cameras and messengers leave the last two bytes out, without which every other program reads a JPEG. */
const hasEnd = (jpeg: Uint8Array): boolean =>
  Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength).includes(END_OF_JPEG, -64);

async function draw(image: Sharp, format: string): Promise<Outcome<Buffer, PhotoError>> {
  const about = await image.metadata();
  if (about.format !== format) return refused('not_photo');
  if (about.width * about.height > MAX_PHOTO_PIXELS) return refused('too_many_pixels');
  const drawn = await image
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize(MAX_SIDE_PX, MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return ok(drawn);
}

/** An uploaded file; bytes are null for one that is too large to read, or that is no file. */
export type PhotoUpload = { name: string; bytes: Uint8Array | null };

const MAX_SHOWN_NAME_LENGTH = 120;
const DATA_URL = /^data:[^,]{0,200};base64,/i;
/** Base64 writes three bytes as four letters. */
const MAX_DATA_URL_LENGTH = Math.ceil((MAX_PHOTO_BYTES * 4) / 3) + 300;

/** Reads `data:image/jpeg;base64,…`; the type in it is ignored. */
export function uploadFromDataUrl(name: string, dataUrl: string): PhotoUpload {
  if (dataUrl.length > MAX_DATA_URL_LENGTH) return { name, bytes: null };
  const head = DATA_URL.exec(dataUrl)?.[0];
  if (head === undefined) return { name, bytes: new Uint8Array() };
  return { name, bytes: Buffer.from(dataUrl.slice(head.length), 'base64') };
}

/** An upload with its re-encoded picture, or why it could not be decoded. */
type Decoded = PhotoUpload & { read: Outcome<Buffer, PhotoError> };

type StoringPlatform = Pick<Platform, 'db' | 'files' | 'sealer' | 'now'>;

const shownName = (name: string): string => name.slice(-MAX_SHOWN_NAME_LENGTH);

/** Uploads within the limits, decoded; only these can be stored. */
export class AdmittedPhotos {
  readonly uploads: readonly Decoded[];

  private constructor(uploads: readonly Decoded[]) {
    this.uploads = uploads;
  }

  /** Photos that were admitted before and are stored. */
  static stored(photos: readonly { name: string; bytes: Uint8Array }[]): AdmittedPhotos {
    return new AdmittedPhotos(
      photos.map((photo) => ({ ...photo, read: ok(Buffer.from(photo.bytes)) })),
    );
  }

  /** The problems of uploads that are no photos. */
  get problems(): InsuranceProblem[] {
    return this.uploads.flatMap(({ name, bytes, read }): InsuranceProblem[] => {
      if (read.ok && bytes !== null) return [];
      const code = read.ok ? 'too_large' : read.error;
      return [{ field: 'parentIdPhotos', code, name: shownName(name) }];
    });
  }

  /** The photos, or none where one upload is no photo: for callers that take all or nothing. */
  get allOrNone(): readonly Decoded[] {
    return this.problems.length === 0 ? this.uploads : [];
  }

  /**
   * Admits and decodes photos of an address, within the limits for an application and for an address. They are decoded
   * one after another, up to a second each, which no transaction may wait for.
   * @throws AskedInsideTransaction
   */
  static async admit(
    platform: Pick<Platform, 'pool'>,
    address: string,
    uploads: readonly PhotoUpload[],
  ): Promise<Outcome<AdmittedPhotos, InsuranceProblem>> {
    if (uploads.length > MAX_PHOTOS) return refused(tooMany());
    if (uploads.length > 0) {
      const { allowed } = await photoLimits(platform).photos.consume(address, uploads.length);
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

export const tooMany = (): InsuranceProblem => ({
  field: 'parentIdPhotos',
  code: 'too_many',
  count: MAX_PHOTOS,
});

/**
 * The files of photos, sealed and stored before a transaction inserts their rows, because no transaction may wait for
 * the file store. Files without a row in the end are removed (`removeRest`).
 */
export class PhotoFiles {
  readonly #platform: StoringPlatform;
  /** Files without a committed row so far. */
  readonly #loose = new Map<string, Omit<NewPhoto, 'id'>>();
  readonly #inserted = new Set<string>();

  private constructor(platform: StoringPlatform) {
    this.#platform = platform;
  }

  /**
   * Seals and stores the files.
   * @throws AskedInsideTransaction
   * @throws FilesUnavailable
   */
  static async put(platform: StoringPlatform, photos: readonly Decoded[]): Promise<PhotoFiles> {
    const { files, sealer } = platform;
    const stored = new PhotoFiles(platform);
    try {
      for (const { name, bytes, read } of photos) {
        if (!read.ok || bytes === null) continue;
        const { id, size } = await files.put(read.value, { mediaType: 'image/jpeg' });
        const contentHash = hashPhoto(sealer, bytes);
        stored.#loose.set(id, { name: shownName(name), fileId: id, size, contentHash });
      }
    } catch (error) {
      await stored.removeRest();
      throw error;
    }
    return stored;
  }

  /** Inserts the rows of the files, except for photos that the draft has already. */
  async insert(tx: Queryable, owner: PhotoOwner): Promise<void> {
    const { sealer, now } = this.#platform;
    for (const [fileId, photo] of this.#loose) {
      const isNew = await insertPhoto(tx, sealer, owner, { ...photo, id: randomUUID() }, now());
      if (isNew) this.#inserted.add(fileId);
    }
  }

  /** Call it once the rows are committed. */
  keep(): void {
    for (const fileId of this.#inserted) this.#loose.delete(fileId);
  }

  /** Call it at the end in any case: removes the files that have no committed row. */
  async removeRest(): Promise<void> {
    await removeFiles(this.#platform, [...this.#loose.keys()]);
  }
}
