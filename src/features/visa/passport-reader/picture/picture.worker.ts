import { toGray } from './gray.ts';
import { openNetwork } from './network.ts';
import { readPicture } from './read-picture.ts';

/** Pixels as a canvas has them, and the weights of the network. */
export type PictureToRead = {
  width: number;
  height: number;
  pixels: ArrayBuffer;
  weights: ArrayBuffer;
};

/** In milliseconds: then what has been read counts, or there is nothing. A phone of four years ago takes half of it. */
const MAX_READING_MS = { forBetter: 3000, forAny: 10_000 };

// In a worker, so that the page goes on responding meanwhile. The policy that our server sends with its script allows it
// no connection: the photo cannot leave it.
addEventListener('message', ({ data }: MessageEvent<PictureToRead>) => {
  const { width, height, pixels, weights } = data;
  const photo = toGray(width, height, new Uint8ClampedArray(pixels));
  const start = performance.now();
  const isLate = (hasRead: boolean) =>
    performance.now() - start > (hasRead ? MAX_READING_MS.forBetter : MAX_READING_MS.forAny);
  postMessage(readPicture(photo, openNetwork(weights), isLate));
});
