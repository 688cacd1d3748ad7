import type { ToRead } from './picture.worker.ts';
import type { PictureLines } from './read-picture.ts';

/** Larger photos are made smaller first, in pixels. A character of 44 in a line is then some 30 wide. */
const LARGEST_SIDE = 2000;

/**
 * Reads the machine-readable lines of a photo on this device: the photo is sent nowhere.
 * @throws Error for a file that is no picture.
 */
export async function readPhoto(file: Blob): Promise<PictureLines> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, LARGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing) throw new Error('No canvas');
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const { buffer } = drawing.getImageData(0, 0, width, height).data;
  return inWorker({ width, height, pixels: buffer });
}

function inWorker(picture: ToRead): Promise<PictureLines> {
  const worker = new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<PictureLines>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<PictureLines>) => resolve(data));
    worker.addEventListener('error', () => reject(new Error('The photo was not read')));
    worker.postMessage(picture, [picture.pixels]);
  }).finally(() => worker.terminate());
}
