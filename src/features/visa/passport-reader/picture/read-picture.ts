import { measureCertainty, type Certainty } from './certainty.ts';
import { findRows, type PrintRow } from './find-rows.ts';
import { doubled, halved, quarterTurned, type Gray } from './gray.ts';
import type { Network } from './network.ts';
import {
  groupRows,
  findPitch,
  readZone,
  type RowGroup,
  type Probe,
  type ReadZone,
} from './read-zone.ts';
import type { Sizes } from './strip.ts';

/** The lines as a picture shows them. */
export type PictureLines = Certainty & { readonly corners: Corners };

/** From the top left of the lines as they are read, clockwise: in shares of the photo's width and height. */
export type Corners = readonly (readonly [across: number, down: number])[];

/** In pixels: a photo whose longer side is shorter is enlarged. */
const SMALL = 1000;
/** In pixels, the longer sides of the photo in which rows are looked for: first in those up to the second figure. */
const ROWS_IN = { from: 330, first: 1000, to: 1700 };

/** Characters that are less clear and even are none of a zone. */
const MIN_QUALITY = 0.3;
/** Characters as clear and even are the right way up: upside down they are none. */
const CLEAR_QUALITY = 0.75;
/** Lines that fit as well are believed at once: clear ones even where their check digits do not hold. */
const GOOD_FIT = -0.3;
const CLEAR_FIT = -0.05;
/** Those that fit less are none. */
const MIN_FIT = -1;

/** Rows with less rhythm are not looked at: of text in other print it is 0.05 to 0.3, of the zone 0.3 to 0.7. */
const MIN_RHYTHM = 0.1;
/** Level rows with as much rhythm are looked at before all others, and so many groups of them. */
const EVEN_RHYTHM = 0.3;
const MAX_LEVEL_GROUPS = 2;
/** So many groups are read at most once lines were found: the same rows in another size, or others above them. */
const MAX_GROUPS_READ = 3;

/** Rows as they stand in a photo turned clockwise by so many right angles. */
type Way = { readonly rows: readonly PrintRow[]; readonly quarters: number };

/** Lines as they were read in a photo turned clockwise by so many right angles. */
type Attempt = { certainty: Certainty; zone: ReadZone; quarters: number };

/**
 * Looks for the machine-readable lines in a photo and reads them, whichever way up it was held. The first ones that fit
 * well and whose check digits hold count, otherwise those that fit best; null where there are none. `isLate`: nobody is to wait any
 * longer, where something was read or not yet.
 */
export function readPicture(
  photo: Gray,
  network: Network,
  isLate: (hasRead: boolean) => boolean = () => false,
): PictureLines | null {
  const upright = Math.max(photo.width, photo.height) < SMALL ? doubled(photo) : photo;
  const sizesOf = remembered((quarters: number) => sizesIn(quarterTurned(upright, quarters)));
  const groupsIn = (quarters: number, to = ROWS_IN.to) =>
    groupRows(rowsIn(sizesOf(quarters), to)).map((group) => ({ ...group, quarters }));
  const even = (groups: readonly (RowGroup & Way)[]) =>
    groups
      .filter(({ rows }) => rows.every(({ rhythm }) => rhythm >= EVEN_RHYTHM))
      .slice(0, MAX_LEVEL_GROUPS);
  const probes = new Map<PrintRow, Probe | null>();
  const probe = ({ rows, quarters }: Way): Probe | null => {
    const row = rows.at(-1);
    if (!row) return null;
    const known = probes.get(row);
    if (known !== undefined) return known;
    const found = findPitch(network, sizesOf(quarters), row);
    probes.set(row, found);
    return found;
  };
  const qualityOf = (way: Way): number => probe(way)?.quality ?? 0;
  let best = null as Attempt | null;
  const upsideDown = [0, 1].map((quarters) =>
    remembered((row: PrintRow) => {
      const [picture] = sizesOf(quarters);
      return picture ? rowUpsideDown(row, picture) : row;
    }),
  );
  /** Whether it is over: good lines were found, or it is late. */
  const look = (groups: readonly (RowGroup & Way)[]): boolean => {
    let read = 0;
    for (const { rows, quarters, strength } of groups) {
      if (best && read >= MAX_GROUPS_READ) return false;
      const turned = rows.map((row) => upsideDown[quarters]?.(row) ?? row).reverse();
      const upright = { rows, quarters };
      const ways = [upright, { rows: turned, quarters: quarters + 2 }];
      // The photo is turned only where it is not clear that it need not be.
      if (qualityOf(upright) < CLEAR_QUALITY) ways.sort((a, b) => qualityOf(b) - qualityOf(a));
      for (const way of ways) {
        if (isLate(best !== null)) return true;
        const seen = probe(way);
        if (!seen || seen.quality < MIN_QUALITY) continue;
        const group = { rows: way.rows, strength };
        const zone = readZone(network, sizesOf(way.quarters), group, seen.pitch);
        read += 1;
        if (!zone || zone.fit < (best?.zone.fit ?? MIN_FIT)) continue;
        const certainty = measureCertainty(zone.format, zone.lines);
        best = { certainty, zone, quarters: way.quarters };
        if (zone.fit > (certainty.isHeld ? GOOD_FIT : CLEAR_FIT)) return true;
      }
    }
    return false;
  };
  // Most documents fill the photo, so that a small one shows their rows. Rows from top to bottom take as long to be found
  // as all the rest, and few photos have them.
  if (!look(even(groupsIn(0, ROWS_IN.first)))) {
    const level = groupsIn(0);
    const first = even(level);
    if (!look(first)) {
      const others = [...level.filter((group) => !first.includes(group)), ...groupsIn(1)];
      look(others.sort((a, b) => b.strength - a.strength));
    }
  }
  return best && linesOf(best, upright);
}

function remembered<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = of(key);
    known.set(key, value);
    return value;
  };
}

const longest = ({ width, height }: Gray): number => Math.max(width, height);

function sizesIn(photo: Gray): Sizes {
  const sizes = [photo];
  for (let next = halved(photo); longest(next) >= ROWS_IN.from; next = halved(next)) {
    sizes.push(next);
  }
  return sizes;
}

/** The rows of all sizes whose longer side is so many pixels at most, in pixels of the photo. */
const rowsIn = (sizes: Sizes, to: number): PrintRow[] =>
  sizes.flatMap((picture, level) => {
    if (longest(picture) > to) return [];
    const size = 2 ** level;
    const rows = knownRows(picture).filter(({ rhythm }) => rhythm >= MIN_RHYTHM);
    return rows.map((row) => ({
      ...row,
      x: row.x * size,
      y: (row.y + 0.5) * size,
      bend: row.bend / size,
      reach: row.reach * size,
      tall: row.tall * size,
      pitch: row.pitch * size,
    }));
  });

const rowsOf = new WeakMap<Gray, PrintRow[]>();

function knownRows(picture: Gray): PrintRow[] {
  const rows = rowsOf.get(picture) ?? findRows(picture);
  rowsOf.set(picture, rows);
  return rows;
}

/** The same row in the photo turned by two right angles. */
function rowUpsideDown(row: PrintRow, { width, height }: Gray): PrintRow {
  return { ...row, x: width - row.x, y: height - row.y, bend: -row.bend };
}

function linesOf({ certainty, zone, quarters }: Attempt, { width, height }: Gray): PictureLines {
  const [wide, high] = quarters % 2 === 0 ? [width, height] : [height, width];
  const corners = zone.corners.map(([x, y]): readonly [number, number] => {
    let [across, down] = [x / wide, y / high];
    for (let left = quarters; left > 0; left -= 1) [across, down] = [down, 1 - across];
    return [across, down];
  });
  return { ...certainty, corners };
}
