import { toGray } from './gray.ts';
import { openNetwork, type Network } from './network.ts';
import { readPicture } from './read-picture.ts';

/** Pixels as a canvas has them. `isFrame`: of a camera, whose next one may be better. */
export type PictureToRead = {
  width: number;
  height: number;
  pixels: ArrayBuffer;
  isFrame: boolean;
};

/** In milliseconds: then what has been read counts, or there is nothing. A phone of four years ago takes half of it. */
const MAX_READING_MS = {
  photo: { forBetter: 3000, forAny: 10_000 },
  frame: { forBetter: 500, forAny: 1500 },
};

let network: Network | undefined;

// In a worker, so that the page goes on responding meanwhile. The policy that our server sends with its script allows it
// no connection: the photo cannot leave it. The weights of the network come first, then one picture after the other.
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | PictureToRead>) => {
  if (data instanceof ArrayBuffer) {
    network = openNetwork(data);
    return;
  }
  const { width, height, pixels, isFrame } = data;
  const photo = toGray(width, height, new Uint8ClampedArray(pixels));
  const start = performance.now();
  const { forBetter, forAny } = MAX_READING_MS[isFrame ? 'frame' : 'photo'];
  const isLate = (hasRead: boolean) => performance.now() - start > (hasRead ? forBetter : forAny);
  postMessage(network ? readPicture(photo, network, isLate) : null);
});
