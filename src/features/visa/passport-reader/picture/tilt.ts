import { PRINT, type Gray } from './gray.ts';

/** The angle at which rows of print are sharpest, in radians, clockwise: between so many degrees, found in such steps. */
export function tiltOf(
  picture: Gray,
  {
    most,
    step,
    rows = { top: 0, bottom: picture.height },
  }: { most: number; step: number; rows?: { top: number; bottom: number } },
): number {
  const margin = (rows.bottom - rows.top) * 0.2;
  const points: [x: number, y: number][] = [];
  const [top, bottom] = [rows.top - margin, rows.bottom + margin];
  for (let y = Math.max(0, Math.round(top)); y < Math.min(picture.height, bottom); y += 1) {
    for (let x = 0; x < picture.width; x += 4) {
      if ((picture.data[y * picture.width + x] ?? 255) < PRINT) points.push([x, y]);
    }
  }
  const sharpness = (degrees: number): number => {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const counts = new Float64Array(picture.height * 2);
    for (const [x, y] of points) {
      const row = Math.round(y - (x - picture.width / 2) * slope + picture.height / 2);
      counts[row] = (counts[row] ?? 0) + 1;
    }
    let sum = 0;
    for (const count of counts) sum += count * count;
    return sum;
  };
  const best = (middle: number, span: number, by: number): number => {
    const candidates = Array.from(
      { length: Math.round((2 * span) / by) + 1 },
      (_, n) => middle - span + n * by,
    ).map((degrees) => ({ degrees, value: sharpness(degrees) }));
    return candidates.reduce((a, b) => (b.value > a.value ? b : a)).degrees;
  };
  const coarse = best(0, most, step);
  const fine = best(coarse, step, step / 5);
  return (best(fine, step / 5, step / 20) * Math.PI) / 180;
}
