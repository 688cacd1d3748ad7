import { levelled, PRINT, smoothed, turned, type Gray } from './gray.ts';
import { tiltOf } from './tilt.ts';
import { zoneFormats, type ZoneFormat } from './zone-formats.ts';

/** A line of the zone in a picture that stands upright: from where to where, in pixels, and the edges of its cells. */
export type FoundLine = { top: number; bottom: number; edges: readonly number[] };

/** `inkOnEdges`: how much print the edges run through, as a share of the lines' height and on average. */
export type FoundZone = {
  picture: Gray;
  format: ZoneFormat;
  lines: readonly FoundLine[];
  inkOnEdges: number;
};

/** In degrees: a photo that is tilted further is not read. */
const MOST_TILT = 12;

/**
 * Finds the machine-readable lines in a photo: two or three lines of the same width, of characters that stand at the
 * same distance. Null where there are none, or not all of them.
 */
export function findZone(photo: Gray): FoundZone | null {
  const reach = Math.round(photo.width / 60);
  const level = levelled(smoothed(photo), reach);
  const upright = (angle: number) => (angle === 0 ? level : levelled(turned(level, -angle), reach));
  const angle = tiltOf(level, { most: MOST_TILT, step: 1 });
  const standing = upright(angle);
  const group = groupIn(standing);
  if (!group) return null;
  // The page around the zone may be bent, or have other edges: the zone's own rows tell how it lies.
  const rows = { top: group[0]?.top ?? 0, bottom: group.at(-1)?.bottom ?? 0 };
  const rest = tiltOf(standing, { most: 2, step: 0.2, rows });
  const picture = upright(angle + rest);
  const again = groupIn(picture);
  const grid = again && gridOf(picture, again);
  return grid && { picture, ...grid };
}

/** The bands of the zone. It is below everything else. */
function groupIn(picture: Gray): Band[] | null {
  const bands = bandsIn(picture);
  for (let last = bands.length - 1; last >= 1; last -= 1) {
    for (const count of [3, 2]) {
      const group = bands.slice(last - count + 1, last + 1);
      if (group.length < count || last < count - 1 || !belongTogether(group)) continue;
      if (gridOf(picture, group)) return group;
    }
  }
  return null;
}

type Band = { top: number; bottom: number; left: number; right: number };

/** A row through the middle of 30 characters has at least so many strokes. */
const FEWEST_STROKES = 18;

/** Rows of print with many narrow strokes, from top to bottom. */
function bandsIn(picture: Gray): Band[] {
  const widest = picture.width / 40;
  const strokes = Array.from({ length: picture.height }, (_, y) => strokesIn(picture, y, widest));
  const bands: Band[] = [];
  let top = -1;
  for (let y = 0; y <= picture.height; y += 1) {
    const near = strokes.slice(Math.max(0, y - 1), y + 2);
    const isIn = near.some((count) => count >= FEWEST_STROKES);
    if (isIn && top < 0) top = y;
    if (isIn || top < 0) continue;
    const band = { top: top + 1, bottom: y - 1 };
    if (band.bottom - band.top >= 8) bands.push(...extentOf(picture, band));
    top = -1;
  }
  return bands;
}

function strokesIn({ width, data }: Gray, y: number, widest: number): number {
  let [count, run] = [0, 0];
  for (let x = 0; x <= width; x += 1) {
    if (x < width && (data[y * width + x] ?? 255) < PRINT) run += 1;
    else {
      if (run >= 2 && run <= widest) count += 1;
      run = 0;
    }
  }
  return count;
}

/** Between a narrow letter and the next one, in heights of a line; the edge of the page is further away. */
const WIDEST_GAP = 1.3;

/** The longest stretch of a band without a wide gap. */
function extentOf(picture: Gray, { top, bottom }: { top: number; bottom: number }): Band[] {
  const height = bottom - top;
  const inked = inkByColumn(picture, top, bottom).map((ink) => ink >= Math.max(2, height * 0.1));
  let best: Band | null = null;
  let [left, lastInk] = [-1, -1];
  for (let x = 0; x <= inked.length; x += 1) {
    if (inked[x]) {
      if (left < 0) left = x;
      lastInk = x;
    } else if (left >= 0 && (x - lastInk > height * WIDEST_GAP || x === inked.length)) {
      if (!best || lastInk - left > best.right - best.left) {
        best = { top, bottom, left, right: lastInk + 1 };
      }
      left = -1;
    }
  }
  return best && best.right - best.left > height * 12 ? [best] : [];
}

/** How many pixels of each column are print. */
function inkByColumn({ width, data }: Gray, top: number, bottom: number): number[] {
  const ink = Array.from({ length: width }, () => 0);
  for (let y = Math.max(0, top); y < bottom; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[y * width + x] ?? 255) < PRINT) ink[x] = (ink[x] ?? 0) + 1;
    }
  }
  return ink;
}

/** Lines of one zone are as high and as wide as each other, and stand at one distance. */
function belongTogether(bands: readonly Band[]): boolean {
  const [first] = bands;
  if (!first) return false;
  const [width, height] = [first.right - first.left, first.bottom - first.top];
  const isLike = bands.every(
    (band) =>
      Math.abs(band.left - first.left) < width * 0.05 &&
      Math.abs(band.right - first.right) < width * 0.05 &&
      band.bottom - band.top < height * 1.6 &&
      band.bottom - band.top > height * 0.6,
  );
  const steps = bands.slice(1).map(({ top }, index) => top - (bands[index]?.top ?? 0));
  return (
    isLike && steps.every((step) => step > height * 1.2 && step < height * 4) && evenSteps(steps)
  );
}

const evenSteps = (steps: readonly number[]): boolean =>
  Math.max(...steps) <= Math.min(...steps) * 1.25;

/** The cells of the characters: the number of them whose edges run between characters. */
function gridOf(picture: Gray, group: readonly Band[]): Omit<FoundZone, 'picture'> | null {
  // All lines fill the same width, though one may begin or end with a narrow letter.
  const left = Math.min(...group.map((band) => band.left));
  const right = Math.max(...group.map((band) => band.right));
  const bands = group.map((band) => ({ ...band, left, right }));
  const formats = Object.values<ZoneFormat>(zoneFormats).filter(
    (format) => format.lines === bands.length,
  );
  const fits = formats.map((format) => {
    const found = bands.map((band) => edgesIn(picture, band, format.characters));
    const inkOnEdges = found.reduce((sum, one) => sum + one.inkOnEdges, 0) / bands.length;
    return { format, found, inkOnEdges };
  });
  const [best] = fits.toSorted((a, b) => a.inkOnEdges - b.inkOnEdges);
  if (!best || best.inkOnEdges > MOST_INK_ON_EDGES) return null;
  const lines = bands.map((band, index) => ({
    ...wholeHeight(picture, band),
    edges: best.found[index]?.edges ?? [],
  }));
  return { format: best.format, lines, inkOnEdges: best.inkOnEdges };
}

/** With the tops and feet of the letters: a line of many fillers and few letters was found by the height of the fillers. */
function wholeHeight({ width, data }: Gray, { top, bottom, left, right }: Band) {
  const least = Math.max(3, (right - left) * 0.008);
  const most = (bottom - top) * 0.3;
  const isPrinted = (y: number): boolean => {
    let ink = 0;
    for (let x = left; x < right; x += 1) if ((data[y * width + x] ?? 255) < PRINT) ink += 1;
    return ink >= least;
  };
  let [first, last] = [top, bottom];
  while (top - first < most && isPrinted(first - 1)) first -= 1;
  while (last - bottom < most && isPrinted(last)) last += 1;
  while (!isPrinted(first) && first < last) first += 1;
  while (!isPrinted(last - 1) && last > first) last -= 1;
  return { top: first, bottom: last };
}

/** Edges may run through so much print, as a share of the line's height and on average. */
const MOST_INK_ON_EDGES = 0.12;

/**
 * The edges of so many cells, chosen so that they run through as little print as possible. Neighbouring edges keep their
 * distance within a few per cent, which allows for a page that is not held flat.
 */
function edgesIn(picture: Gray, { top, bottom, left, right }: Band, characters: number) {
  const columns = inkByColumn(picture, top, bottom).map((count) => count / (bottom - top));
  // A character is about seven tenths of its cell.
  const pitch = (right - left) / (characters - 0.28);
  // An edge belongs to the middle of a gap: print near it counts, the more the nearer.
  const near = Math.max(1, Math.round(pitch * 0.2));
  const costs = columns.map((count, x) => {
    let beside = 0;
    for (let away = 1; away <= near; away += 1) {
      const both = (columns[x - away] ?? 0) + (columns[x + away] ?? 0);
      beside += both * (1 - away / (near + 1));
    }
    return count + beside / (near + 1);
  });
  const slack = Math.max(1, Math.round(pitch * 0.12));
  const start = Math.round(left - pitch * 0.14);
  const reach = Math.round(pitch * 0.45);
  type Way = { cost: number; from: number };
  const rows: Way[][] = [
    Array.from({ length: 2 * reach + 1 }, (_, index) => ({
      cost: costs[start + index - reach] ?? 0,
      from: -1,
    })),
  ];
  for (let edge = 1; edge <= characters; edge += 1) {
    const before = rows[edge - 1] ?? [];
    const base = Math.round(start + edge * pitch) - reach;
    const baseBefore = Math.round(start + (edge - 1) * pitch) - reach;
    rows.push(
      Array.from({ length: 2 * reach + 1 }, (_, index) => {
        const x = base + index;
        let best: Way = { cost: Infinity, from: -1 };
        for (let shift = -slack; shift <= slack; shift += 1) {
          const from = Math.round(x - pitch + shift) - baseBefore;
          const way = before[from];
          if (!way) continue;
          const cost = way.cost + (costs[x] ?? 0) + (Math.abs(shift) / pitch) * 0.3;
          if (cost < best.cost) best = { cost, from };
        }
        return best;
      }),
    );
  }
  const last = rows[characters] ?? [];
  let index = last.reduce(
    (best, { cost }, at) => (cost < (last[best]?.cost ?? Infinity) ? at : best),
    0,
  );
  const edges: number[] = [];
  for (let edge = characters; edge >= 0; edge -= 1) {
    edges.unshift(Math.round(start + edge * pitch) - reach + index);
    index = rows[edge]?.[index]?.from ?? 0;
  }
  const even = evenly(edges);
  const ink = even.reduce((sum, x) => sum + (columns[Math.round(x)] ?? 0), 0);
  return { edges: even, inkOnEdges: ink / (characters + 1) };
}

/**
 * The edges of a flat page, seen straight or from one side: the parabola that is nearest to all of them (least
 * squares).
 */
function evenly(edges: readonly number[]): number[] {
  const middle = (edges.length - 1) / 2;
  const sums = [0, 0, 0, 0, 0];
  const products = [0, 0, 0];
  for (const [index, edge] of edges.entries()) {
    const place = (index - middle) / middle;
    for (let power = 0; power < 5; power += 1) sums[power] = (sums[power] ?? 0) + place ** power;
    for (let power = 0; power < 3; power += 1) {
      products[power] = (products[power] ?? 0) + edge * place ** power;
    }
  }
  // Places are symmetric around 0, so that their odd powers sum up to nothing.
  const [count = 1, , second = 1, , fourth = 1] = sums;
  const [constant = 0, linear = 0, square = 0] = products;
  const under = count * fourth - second * second;
  const bend = (count * square - second * constant) / under;
  const base = (fourth * constant - second * square) / under;
  return edges.map((_, index) => {
    const place = (index - middle) / middle;
    return base + (linear / second) * place + bend * place * place;
  });
}
