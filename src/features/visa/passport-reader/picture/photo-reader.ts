import type { PictureToRead } from './picture.worker.ts';
import type { Corners, PictureLines } from './read-picture.ts';

/** Larger photos are made smaller first, in pixels: in one of a passport that takes a third of it, a character is then 15 wide. */
export const MAX_SIDE_PX = 3200;
/** The width of the cut-out, in pixels. */
const CUT_OUT = 1200;

/** Reads pictures on this device, one at a time: they are sent nowhere. */
export type PhotoReader = {
  /**
   * `isFrame`: of a camera; it is not looked at for long. Null where no lines are found.
   * @throws Error where the reader cannot be loaded.
   */
  readonly read: (picture: HTMLCanvasElement, isFrame?: boolean) => Promise<PictureLines | null>;
  readonly end: () => void;
};

/** Begins to load the reader. */
export function openPhotoReader(): PhotoReader {
  const worker = new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module' });
  // It can fail before there is anything to read.
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new Error('The photo was not read')));
  });
  const ready = fetchWeights().then((weights) => worker.postMessage(weights, [weights]));
  failed.catch(() => {});
  ready.catch(() => {});
  return {
    async read(picture, isFrame = false) {
      const drawing = picture.getContext('2d');
      if (!drawing) return null;
      const { width, height } = picture;
      const { buffer: pixels } = drawing.getImageData(0, 0, width, height).data;
      await ready;
      const answered = new Promise<PictureLines | null>((resolve) => {
        worker.addEventListener('message', ({ data }) => resolve(data), { once: true });
      });
      const asked: PictureToRead = { width, height, pixels, isFrame };
      worker.postMessage(asked, [pixels]);
      return Promise.race([answered, failed]);
    },
    end: () => worker.terminate(),
  };
}

async function fetchWeights(): Promise<ArrayBuffer> {
  const answer = await fetch(new URL('./network-weights.bin', import.meta.url));
  if (!answer.ok) throw new Error(`The weights answered ${answer.status}`);
  return answer.arrayBuffer();
}

/** The address of a picture of the part between the corners, turned so that the lines are level. */
export function cutOutOf(photo: HTMLCanvasElement, corners: Corners): string | null {
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
