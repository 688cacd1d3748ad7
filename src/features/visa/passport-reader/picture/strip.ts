import { sampleGray, type Gray } from './gray.ts';
import { PITCH, STRIP_HEIGHT, STRIP_UNIT, type Strip } from './network.ts';

/** The middle of a line of print, as that of a `Row`, in pixels of the whole photo. */
type Course = {
  readonly x: number;
  readonly y: number;
  readonly slope: number;
  readonly bend: number;
};

/** A photo in several sizes, each half of the one before. */
export type Sizes = readonly Gray[];

/**
 * Cuts a line out of a photo and lays it straight. `pitch`: how far apart its characters are in the photo; `from`, `to`:
 * where it begins and ends, in pixels along the line from the middle of its course. `shift`: how much lower the line
 * stands in the strip, in pixels of the strip. The strip is longer than asked, so that `STRIP_UNIT` divides it.
 */
export function cutStrip(
  sizes: Sizes,
  course: Course,
  { pitch, from, to, shift = 0 }: { pitch: number; from: number; to: number; shift?: number },
): Strip {
  const scale = pitch / PITCH;
  const width = Math.ceil((to - from) / scale / STRIP_UNIT) * STRIP_UNIT;
  const data = new Float64Array(width * STRIP_HEIGHT);
  // The size that has between one and two pixels for each of the strip.
  const level = Math.max(0, Math.min(sizes.length - 1, Math.floor(Math.log2(scale))));
  const picture = sizes[level];
  if (!picture) return { width, data };
  const size = 2 ** level;
  const taps = scale / size > 1.2 ? 2 : 1;
  const across = Math.cos(Math.atan(course.slope));
  for (let column = 0; column < width; column += 1) {
    const dx = (from + (column + 0.5) * scale) * across;
    const slope = course.slope + 2 * course.bend * dx;
    const length = Math.hypot(1, slope);
    const [midX, midY] = [course.x + dx, course.y + course.slope * dx + course.bend * dx * dx];
    const [alongX, alongY] = [scale / length, (scale * slope) / length];
    for (let row = 0; row < STRIP_HEIGHT; row += 1) {
      const down = row - (STRIP_HEIGHT - 1) / 2 - shift;
      let sum = 0;
      for (let tap = 0; tap < taps * taps; tap += 1) {
        const right = ((tap % taps) + 0.5) / taps - 0.5;
        const below = down + (Math.floor(tap / taps) + 0.5) / taps - 0.5;
        sum += sampleGray(
          picture,
          (midX + right * alongX - below * alongY) / size - 0.5 + 0.5 / size,
          (midY + right * alongY + below * alongX) / size - 0.5 + 0.5 / size,
        );
      }
      data[row * width + column] = sum / (taps * taps * 255);
    }
  }
  return { width, data };
}
