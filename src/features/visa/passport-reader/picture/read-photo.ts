import { drawPhoto } from '~/ui/draw-photo.ts';
import type { PictureToRead } from './picture.worker.ts';
import type { Corners, PictureLines } from './read-picture.ts';

/** Larger photos are made smaller first, in pixels: in one of a passport that takes a third of it, a character is then 15 wide. */
const MAX_SIDE_PX = 3200;
/** The width of the cut-out, in pixels. */
const CUT_OUT = 1200;

/** What a photo shows. `cutOut`: the address of a picture of the lines themselves, laid straight. */
type PhotoLines = { readonly lines: PictureLines | null; readonly cutOut: string | null };

/**
 * Reads the machine-readable lines of a photo on this device: the photo is sent nowhere. Null for a file that is no picture.
 * @throws Error where the reader cannot be loaded.
 */
export async function readPhoto(file: Blob): Promise<PhotoLines | null> {
  // Both are loaded while the photo is drawn.
  const worker = startWorker();
  const fetched = weightsOfNetwork();
  // Awaited below, unless there is no photo to read.
  fetched.catch(() => {});
  try {
    const canvas = await drawPhoto(file, MAX_SIDE_PX).catch(() => null);
    const drawing = canvas?.getContext('2d');
    if (!canvas || !drawing) return null;
    const { width, height } = canvas;
    const { buffer } = drawing.getImageData(0, 0, width, height).data;
    const lines = await worker.read({ width, height, pixels: buffer, weights: await fetched });
    return { lines, cutOut: lines && cutOutOf(canvas, lines.corners) };
  } finally {
    worker.end();
  }
}

async function weightsOfNetwork(): Promise<ArrayBuffer> {
  const answer = await fetch(new URL('./network-weights.bin', import.meta.url));
  if (!answer.ok) throw new Error(`The weights answered ${answer.status}`);
  return answer.arrayBuffer();
}

function startWorker() {
  const worker = new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module' });
  // It can fail before there is anything to read.
  const answered = new Promise<PictureLines | null>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<PictureLines | null>) =>
      resolve(data),
    );
    worker.addEventListener('error', () => reject(new Error('The photo was not read')));
  });
  answered.catch(() => {});
  return {
    read(picture: PictureToRead) {
      worker.postMessage(picture, [picture.pixels, picture.weights]);
      return answered;
    },
    end: () => worker.terminate(),
  };
}

/** The part of the photo between the corners, turned so that the lines are level. */
function cutOutOf(photo: HTMLCanvasElement, corners: Corners): string | null {
  const [topLeft, topRight, , bottomLeft] = corners.map(([across, down]) => ({
    x: across * photo.width,
    y: down * photo.height,
  }));
  if (!topLeft || !topRight || !bottomLeft) return null;
  const [right, down] = [topRight.x - topLeft.x, topRight.y - topLeft.y];
  const width = Math.hypot(right, down);
  const height = Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y);
  const scale = CUT_OUT / width;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: CUT_OUT, height: Math.round(height * scale) });
  const drawing = canvas.getContext('2d');
  if (!drawing) return null;
  drawing.imageSmoothingQuality = 'high';
  drawing.scale(scale, scale);
  drawing.rotate(-Math.atan2(down, right));
  drawing.translate(-topLeft.x, -topLeft.y);
  drawing.drawImage(photo, 0, 0);
  return canvas.toDataURL('image/jpeg', 0.85);
}
