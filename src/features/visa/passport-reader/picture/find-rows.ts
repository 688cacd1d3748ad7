import { levelled, type Gray } from './gray.ts';

/**
 * A row of print: its middle runs through `y + slope · d + bend · d²` at a distance `d` to the right of `x`, as far as
 * `reach` to both sides. In pixels, as is `tall`, the height of its letters (coarse), and `pitch`, how far apart they
 * stand, if they do so evenly. `rhythm`: how evenly, from 0 to 1. `strength` compares rows.
 */
export type PrintRow = {
  readonly x: number;
  readonly y: number;
  readonly slope: number;
  readonly bend: number;
  readonly reach: number;
  readonly tall: number;
  readonly strength: number;
  readonly pitch: number;
  readonly rhythm: number;
};

export const rowHeight = ({ x: middle, y, slope, bend }: PrintRow, x: number): number =>
  y + slope * (x - middle) + bend * (x - middle) ** 2;

/** In pixels: rows are looked for in blocks of so many columns, with letters of these heights. */
const BLOCK = 16;
const HEIGHTS = [7, 10, 14];
/** The fewest blocks of a row. */
const MIN_ROW_BLOCKS = 9;
/** So steep may a row rise or fall. */
const STEEPEST = 0.2;
/** So many rows of one height are looked at more closely, and so many of a picture are kept. */
const MAX_ROWS_PER_HEIGHT = 40;
const MAX_ROWS_KEPT = 16;

/** For each block of columns from top to bottom. */
type Blocks = { readonly count: number; readonly height: number; readonly data: Float64Array };

/**
 * The rows of print in a picture whose letters are 6 to 15 pixels high: where shades change fast from left to right, and
 * little above and below.
 */
export function findRows(picture: Gray): PrintRow[] {
  const level = levelled(picture, 20);
  const changes = changesIn(level);
  const found = HEIGHTS.flatMap((tall) => {
    const bars = barsIn(changes, tall);
    return distinct(straightRows(bars, tall), MAX_ROWS_PER_HEIGHT).map((row) => ({ row, bars }));
  });
  const best = distinct(
    found.map(({ row }) => row),
    MAX_ROWS_PER_HEIGHT,
  );
  const rows = found.flatMap(({ row, bars }) => {
    if (!best.includes(row)) return [];
    const course = fitted(row, bars);
    const { pitch, rhythm } = rhythmOf(course, level);
    return [{ ...course, pitch, rhythm, strength: course.strength * rhythm }];
  });
  return distinct(rows, MAX_ROWS_KEPT);
}

/** How much the shades change from left to right, on average over a block. */
function changesIn({ width, height, data }: Gray): Blocks {
  const count = Math.floor(width / BLOCK);
  const out = new Float64Array(count * height);
  for (let y = 0; y < height; y += 1) {
    for (let block = 0; block < count; block += 1) {
      let sum = 0;
      const start = y * width + block * BLOCK;
      for (let x = start; x < start + BLOCK - 1; x += 1) {
        sum += Math.abs((data[x + 1] ?? 0) - (data[x] ?? 0));
      }
      out[block * height + y] = sum / (BLOCK - 1);
    }
  }
  return { count, height, data: out };
}

/** By how much a bar of this height around each place exceeds what is above and below it. */
function barsIn({ count, height, data }: Blocks, tall: number): Blocks {
  const out = new Float64Array(count * height);
  const sums = new Float64Array(height + 1);
  const gap = Math.max(3, tall >> 1);
  const mean = (from: number, to: number): number => {
    const top = Math.max(0, from);
    const bottom = Math.min(height, to);
    return bottom <= top ? 0 : ((sums[bottom] ?? 0) - (sums[top] ?? 0)) / (bottom - top);
  };
  for (let block = 0; block < count; block += 1) {
    for (let y = 0; y < height; y += 1) {
      sums[y + 1] = (sums[y] ?? 0) + (data[block * height + y] ?? 0);
    }
    for (let y = 0; y < height; y += 1) {
      const top = y - (tall >> 1);
      const beside = Math.max(mean(top - gap, top), mean(top + tall, top + tall + gap));
      out[block * height + y] = Math.max(0, mean(top, top + tall) - beside);
    }
  }
  return { count, height, data: out };
}

/** At each height, the slope and the stretch of blocks that exceed the usual by most in sum. */
function straightRows({ count, height, data }: Blocks, tall: number): PrintRow[] {
  const usual = 1.6 * (data.reduce((sum, value) => sum + value, 0) / data.length) + 1;
  const width = count * BLOCK;
  const excess = data.map((value) => (value < 4 * usual ? value : 4 * usual) - usual);
  const step = tall / width;
  const steps = Math.ceil(STEEPEST / step);
  const rows: (PrintRow | undefined)[] = [];
  // One for each height, two pixels apart: all go through a column of blocks before the next, as they lie in memory.
  const starts = Math.ceil(height / 2);
  const sum = new Float64Array(starts);
  const best = new Float64Array(starts);
  const begin = new Uint16Array(starts);
  const from = new Uint16Array(starts);
  const to = new Uint16Array(starts);
  for (let turn = -steps; turn <= steps; turn += 1) {
    const slope = turn * step;
    for (const each of [sum, best, begin, from, to]) each.fill(0);
    for (let block = 0; block < count; block += 1) {
      const rise = Math.round(slope * ((block + 0.5) * BLOCK - width / 2));
      for (let index = 0; index < starts; index += 1) {
        const y = 2 * index + rise;
        const more = y < 0 || y >= height ? -usual : (excess[block * height + y] ?? 0);
        const total = (sum[index] ?? 0) + more;
        sum[index] = total > 0 ? total : 0;
        if (total <= 0) {
          begin[index] = block + 1;
        } else if (total > (best[index] ?? 0)) {
          best[index] = total;
          from[index] = begin[index] ?? 0;
          to[index] = block + 1;
        }
      }
    }
    for (let index = 0; index < starts; index += 1) {
      const strength = (best[index] ?? 0) / usual;
      const first = from[index] ?? 0;
      const end = to[index] ?? 0;
      if (end - first < MIN_ROW_BLOCKS || strength <= (rows[index]?.strength ?? 0)) continue;
      const x = ((first + end) / 2) * BLOCK;
      const reach = ((end - first) / 2) * BLOCK;
      rows[index] = {
        x,
        y: 2 * index + slope * (x - width / 2),
        slope,
        bend: 0,
        reach,
        tall,
        strength,
        pitch: tall,
        rhythm: 0,
      };
    }
  }
  return rows.filter((row) => row !== undefined);
}

/** The strongest, without others through the same letters. */
function distinct(rows: readonly PrintRow[], most: number): PrintRow[] {
  const kept: PrintRow[] = [];
  for (const row of [...rows].sort((a, b) => b.strength - a.strength)) {
    if (kept.length === most) break;
    const isNear = kept.some((other) => {
      const left = Math.max(row.x - row.reach, other.x - other.reach);
      const right = Math.min(row.x + row.reach, other.x + other.reach);
      if (right - left < 0.6 * row.reach) return false;
      const apart = (x: number) => Math.abs(rowHeight(row, x) - rowHeight(other, x));
      return Math.min(apart(left), apart((left + right) / 2), apart(right)) < 0.8 * other.tall;
    });
    if (!isNear) kept.push(row);
  }
  return kept;
}

/** The same row moved, turned and bent by a pixel at a time at its ends, as long as its bars become higher. */
function fitted(row: PrintRow, { count, height, data }: Blocks): PrintRow {
  const strength = (one: PrintRow): number => {
    let sum = 0;
    for (let x = one.x - one.reach + BLOCK / 2; x < one.x + one.reach; x += BLOCK) {
      const [block, y] = [Math.floor(x / BLOCK), Math.round(rowHeight(one, x))];
      if (block >= 0 && block < count && y >= 0 && y < height) sum += data[block * height + y] ?? 0;
    }
    return sum;
  };
  let best = row;
  let most = strength(row);
  for (const pixels of [2, 1, 1]) {
    for (let isBetter = true; isBetter;) {
      isBetter = false;
      for (const by of [-pixels, pixels]) {
        const slope = best.slope + by / best.reach;
        const bend = best.bend + by / best.reach ** 2;
        const ways: PrintRow[] = [
          { ...best, y: best.y + by },
          { ...best, slope },
          { ...best, bend, y: best.y - by / 2 },
        ];
        for (const way of ways) {
          const value = strength(way);
          if (value <= most) continue;
          [best, most, isBetter] = [way, value, true];
        }
      }
    }
  }
  return best;
}

/** In letters: rhythm is looked for in pieces so long, since a photo from one side changes it along the row. */
const PIECE = 13;

/**
 * The distance at which ink comes back along the row, and how much of its changes that explains: the print of the zone is
 * the only one on a document whose characters all take the same width.
 */
function rhythmOf(row: PrintRow, { width, height, data }: Gray): { pitch: number; rhythm: number } {
  const half = row.tall >> 1;
  const ink = Array.from({ length: 2 * Math.floor(row.reach) }, (_, index) => {
    const x = Math.round(row.x - row.reach) + index;
    const middle = Math.round(rowHeight(row, x));
    let sum = 0;
    for (let y = Math.max(0, middle - half); y <= Math.min(height - 1, middle + half); y += 1) {
      if (x >= 0 && x < width) sum += Math.max(0, 160 - (data[y * width + x] ?? 160));
    }
    return sum;
  });
  const pieces = Math.max(1, Math.floor(ink.length / (PIECE * row.tall)));
  const found = Array.from({ length: pieces }, (_, index) =>
    periodIn(
      ink.slice((index * ink.length) / pieces, ((index + 1) * ink.length) / pieces),
      row.tall,
    ),
  );
  const pitches = found.map(({ pitch }) => pitch).sort((a, b) => a - b);
  return {
    pitch: pitches[pitches.length >> 1] ?? row.tall,
    rhythm: found.reduce((sum, { power }) => sum + power, 0) / pieces,
  };
}

/** The period of a piece that explains most of it (a discrete Fourier transform at each that can be). */
function periodIn(ink: readonly number[], tall: number): { pitch: number; power: number } {
  const mean = ink.reduce((sum, value) => sum + value, 0) / ink.length;
  const total = ink.reduce((sum, value) => sum + (value - mean) ** 2, 0) || 1;
  let best = { pitch: tall, power: 0 };
  for (let pitch = tall * 0.65; pitch < tall * 1.75; pitch *= 1.02) {
    let [real, imaginary] = [0, 0];
    const [turnX, turnY] = [Math.cos((2 * Math.PI) / pitch), Math.sin((2 * Math.PI) / pitch)];
    let [x, y] = [1, 0];
    for (let index = 0; index < ink.length; index += 1) {
      const value = (ink[index] ?? 0) - mean;
      real += value * x;
      imaginary += value * y;
      const next = x * turnX - y * turnY;
      y = x * turnY + y * turnX;
      x = next;
    }
    const power = (2 * (real * real + imaginary * imaginary)) / (ink.length * total);
    if (power > best.power) best = { pitch, power };
  }
  return best;
}
