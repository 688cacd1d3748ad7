import { assertOutsideTransaction } from '~/platform/postgres/transaction-scope.server.ts';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { QueueFull, workQueue } from '~/base/work-queue.ts';
import { LARGEST_PHOTO_BYTES, MOST_PIXELS } from '~/features/form/answers/limits.ts';
import type { PhotoError } from '../rules/photo-rules.ts';

/** Longest side in pixels; an ID card stays readable. */
const LONGEST_SIDE = 2400;
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
  if (bytes.byteLength > LARGEST_PHOTO_BYTES) return refused('too_large');
  const type = await fileTypeFromBuffer(bytes);
  const format = formats.get(type?.mime ?? '');
  if (!format) return refused('not_photo');
  if (format === 'heif' && !readsHeic) return refused('heic');
  const isEnded = format !== 'jpeg' || hasEnd(bytes);
  const image = sharp(isEnded ? bytes : Buffer.concat([bytes, END_OF_JPEG]), {
    limitInputPixels: MOST_PIXELS,
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
  if (about.width * about.height > MOST_PIXELS) return refused('too_many_pixels');
  const drawn = await image
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return ok(drawn);
}
