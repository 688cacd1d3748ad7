import { grayOf } from './gray.ts';
import { readPicture } from './read-picture.ts';

/** Pixels as a canvas has them. */
export type ToRead = { width: number; height: number; pixels: ArrayBuffer };

// In a worker, so that the page goes on responding meanwhile.
addEventListener('message', ({ data }: MessageEvent<ToRead>) => {
  const { width, height, pixels } = data;
  postMessage(readPicture(grayOf(width, height, new Uint8ClampedArray(pixels))));
});
