import { crop, type Gray } from './gray.ts';
import type { FoundLine } from './find-lines.ts';
import { printShapes } from './print-shapes.ts';

/** What the lines are made of. */
export const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<'.split('');

/** The raster in which a character is compared with the shapes, in pixels; above and below the capitals a margin. */
export const CELL = { width: 20, height: 30, margin: 3 } as const;

/** A character may stand so much beside the middle of its cell, in pixels of the raster. */
const SHIFT = 2;

/** Below so much ink, of 1 for black all over, a cell shows nothing: the print is hidden, or the paper shines. */
const FAINTEST = 0.025;

/** How like each sign a cell is: 1 is the same, 0 nothing in common. Null where nothing can be seen. */
export type Likeness = ReadonlyMap<string, number> | null;

let known: { sign: string; shape: Float32Array }[] | undefined;

/** The shapes of OCR-B, the print of all passports, softened as in a photo. */
function shapes(): { sign: string; shape: Float32Array }[] {
  if (known) return known;
  const bytes = Uint8Array.from(atob(printShapes), (sign) => sign.charCodeAt(0));
  const size = CELL.width * CELL.height;
  known = SIGNS.map((sign, index) => {
    const ink = Float32Array.from({ length: size }, (_, at) => {
      const bit = index * size + at;
      return ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1;
    });
    return { sign, shape: level(soft(ink)) };
  });
  return known;
}

/** Capitals of OCR-B are 680 units high, and stand 723 apart. */
const HEIGHT_OF_PITCH = 680 / 723;
/** A page that is held at a slant shows its lines lower or higher than they are. */
const HEIGHTS = [0.92, 1, 1.08];
/** Where the letters stand, from the lowest print of the line, in widths of a character. */
const FEET = [-0.24, -0.16, -0.08, 0, 0.08, 0.16, 0.24];
type Placement = { height: number; feet: number };
const placements: readonly Placement[] = HEIGHTS.flatMap((height) =>
  FEET.map((feet) => ({ height, feet })),
);

/** What stands in each cell of a line, compared with every sign. */
export function likenessesIn(picture: Gray, line: FoundLine): Likeness[] {
  const { edges, bottom } = line;
  const cells = edges
    .slice(0, -1)
    .map((left, index) => ({ left, right: edges[index + 1] ?? left }));
  const pitch = ((edges.at(-1) ?? 0) - (edges[0] ?? 0)) / cells.length;
  const all = (some: typeof cells, { height, feet }: Placement, shift: number) => {
    const foot = bottom + feet * pitch;
    const top = foot - pitch * HEIGHT_OF_PITCH * height;
    return some.map((cell) => likenessOf(picture, { ...cell, top, bottom: foot }, shift));
  };
  // Every fourth character tells how high the letters are, and where their feet stand.
  const probe = cells.filter((_, index) => index % 4 === 0);
  const fits = placements.map((placement) => ({
    placement,
    fit: all(probe, placement, 1).reduce(
      (sum, one) => sum + Math.max(0, ...(one?.values() ?? [])),
      0,
    ),
  }));
  const [best] = fits.toSorted((a, b) => b.fit - a.fit);
  return best ? all(cells, best.placement, SHIFT) : [];
}

function likenessOf(
  picture: Gray,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  shift: number,
): Likeness {
  const margin = ((bottom - top) * CELL.margin) / (CELL.height - 2 * CELL.margin);
  const { data } = crop(picture, { left, right, top: top - margin, bottom: bottom + margin }, CELL);
  const ink = Float32Array.from(data, (value) => Math.max(0, 205 - value) / 205);
  if (ink.reduce((sum, value) => sum + value, 0) < ink.length * FAINTEST) return null;
  const seen = soft(ink);
  const places: Float32Array[] = [];
  for (let down = -shift; down <= shift; down += 1) {
    for (let across = -shift; across <= shift; across += 1) {
      places.push(level(shifted(seen, across, down)));
    }
  }
  return new Map(
    shapes().map(({ sign, shape }) => [sign, Math.max(...places.map((one) => dot(one, shape)))]),
  );
}

/** Each pixel with its neighbours, so that edges a pixel apart still meet. */
function soft(ink: Float32Array): Float32Array {
  const out = new Float32Array(ink.length);
  const { width, height } = CELL;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy += 1) {
        for (let dx = -1; dx <= 1; dx += 1) {
          if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
          sum += ink[(y + dy) * width + x + dx] ?? 0;
        }
      }
      out[y * width + x] = sum / 9;
    }
  }
  return out;
}

function shifted(ink: Float32Array, across: number, down: number): Float32Array {
  const out = new Float32Array(ink.length);
  for (let y = 0; y < CELL.height; y += 1) {
    for (let x = 0; x < CELL.width; x += 1) {
      const [fromX, fromY] = [x - across, y - down];
      if (fromX < 0 || fromY < 0 || fromX >= CELL.width || fromY >= CELL.height) continue;
      out[y * CELL.width + x] = ink[fromY * CELL.width + fromX] ?? 0;
    }
  }
  return out;
}

/** Of mean 0 and length 1, so that a product of two is their correlation. */
function level(ink: Float32Array): Float32Array {
  let [sum, squares] = [0, 0];
  for (const value of ink) sum += value;
  const mean = sum / ink.length;
  for (const value of ink) squares += (value - mean) ** 2;
  const length = Math.sqrt(squares) || 1;
  const out = new Float32Array(ink.length);
  for (let index = 0; index < ink.length; index += 1) {
    out[index] = ((ink[index] ?? 0) - mean) / length;
  }
  return out;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) {
    sum += (one[index] ?? 0) * (other[index] ?? 0);
  }
  return sum;
}
