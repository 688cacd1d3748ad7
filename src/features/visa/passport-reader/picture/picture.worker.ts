import { grayOf } from './gray.ts';
import { readPicture } from './read-picture.ts';

/** Pixels as a canvas has them. */
export type ToRead = { width: number; height: number; pixels: ArrayBuffer };

// Beside the page, which would stand still for as long as it takes.
addEventListener('message', ({ data }: MessageEvent<ToRead>) => {
  const { width, height, pixels } = data;
  postMessage(readPicture(grayOf(width, height, new Uint8ClampedArray(pixels))));
});
