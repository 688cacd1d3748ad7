import type { PlainDate } from '~/base/dates/dates.ts';
import { grayOf } from './gray.ts';
import { readPicture } from './read-picture.ts';

/** Pixels as a canvas has them, and the day in Türkiye. */
export type ToRead = { width: number; height: number; pixels: ArrayBuffer; today: PlainDate };

// Beside the page, which would stand still for as long as it takes.
addEventListener('message', ({ data }: MessageEvent<ToRead>) => {
  const { width, height, pixels, today } = data;
  postMessage(readPicture(grayOf(width, height, new Uint8ClampedArray(pixels)), today));
});
