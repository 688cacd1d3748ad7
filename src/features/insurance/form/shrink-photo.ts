import { drawPhoto } from '~/ui/draw-photo.ts';

/** The longest side of a photo that was made smaller, in pixels: an identity card is read well below that. */
const MAX_SIDE_PX = 2400;
/** Tried in turn until the photo is small enough; 1 is the best. */
const QUALITIES = [0.85, 0.6];

/**
 * A photo of at most `bytes`, as JPEG, turned as the camera says. The file itself where it is small enough, cannot be
 * read here or does not get small enough: then the server says what is wrong with it.
 */
export async function shrinkPhoto(file: File, bytes: number): Promise<File> {
  if (file.size <= bytes) return file;
  try {
    const canvas = await drawPhoto(file, MAX_SIDE_PX);
    for (const quality of QUALITIES) {
      const blob = await jpegOf(canvas, quality);
      if (blob && blob.size <= bytes) {
        return new File([blob], file.name.replace(/(\.\w+)?$/, '.jpg'), { type: blob.type });
      }
    }
  } catch {
    // No picture, or too large for this device.
  }
  return file;
}

const jpegOf = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
