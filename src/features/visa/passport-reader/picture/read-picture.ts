import { certaintyOf, type Certainty } from './certainty.ts';
import { findRows, type Row } from './find-rows.ts';
import { doubled, halved, quarterTurned, type Gray } from './gray.ts';
import type { Network } from './network.ts';
import { groupsOf, pitchOf, readZone, type Probe, type ReadZone } from './read-zone.ts';
import type { Sizes } from './strip.ts';

/** The lines as a picture shows them. */
export type PictureLines = Certainty & { readonly corners: Corners };

/** From the top left of the lines as they are read, clockwise: in shares of the photo's width and height. */
export type Corners = readonly (readonly [across: number, down: number])[];

/** In pixels: a photo whose longer side is shorter is enlarged. */
const SMALL = 1000;
/** In pixels, the longer sides of the photo in which rows are looked for. */
const ROWS_IN = { from: 330, to: 1700 };

/** Characters that are less clear and even are none of a zone. */
const LEAST_QUALITY = 0.3;
/** Lines that fit as well are believed at once: clear ones even where their check digits do not hold. */
const GOOD_FIT = -0.3;
const CLEAR_FIT = -0.05;
/** Those that fit less are none. */
const LEAST_FIT = -1;

/** Rows with less rhythm are not looked at: of text in other print it is 0.05 to 0.3, of the zone 0.3 to 0.7. */
const LEAST_RHYTHM = 0.1;
/** So many groups are read at most once lines were found: the same rows in another size, or others above them. */
const MOST_READ = 3;

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
  const groups = [0, 1]
    .flatMap((quarters) =>
      groupsOf(rowsIn(sizesOf(quarters))).map((group) => ({ ...group, quarters })),
    )
    .sort((a, b) => b.strength - a.strength);
  const probes = new Map<Row, Probe | null>();
  const probe = (row: Row | undefined, quarters: number): Probe | null => {
    if (!row) return null;
    const known = probes.get(row);
    if (known !== undefined) return known;
    const found = pitchOf(network, sizesOf(quarters), row);
    probes.set(row, found);
    return found;
  };
  let best: Attempt | null = null;
  let read = 0;
  const upsideDown = [0, 1].map((quarters) => {
    const [picture] = sizesOf(quarters);
    return remembered((row: Row) => (picture ? rowUpsideDown(row, picture) : row));
  });
  for (const { rows, quarters, strength } of groups) {
    if (best && read >= MOST_READ) break;
    const turned = rows.map((row) => upsideDown[quarters]?.(row) ?? row).reverse();
    const ways = [
      { rows, quarters, seen: probe(rows.at(-1), quarters) },
      { rows: turned, quarters: quarters + 2, seen: probe(turned.at(-1), quarters + 2) },
    ];
    for (const way of ways.sort((a, b) => (b.seen?.quality ?? 0) - (a.seen?.quality ?? 0))) {
      if (isLate(best !== null)) return best && linesOf(best, upright);
      if (!way.seen || way.seen.quality < LEAST_QUALITY) continue;
      const group = { rows: way.rows, strength };
      const zone = readZone(network, sizesOf(way.quarters), group, way.seen.pitch);
      read += 1;
      if (!zone || zone.fit < (best?.zone.fit ?? LEAST_FIT)) continue;
      const certainty = certaintyOf(zone.format, zone.lines);
      best = { certainty, zone, quarters: way.quarters };
      if (zone.fit > (best.certainty.isHeld ? GOOD_FIT : CLEAR_FIT)) return linesOf(best, upright);
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

/** The rows of all sizes, in pixels of the photo. */
const rowsIn = (sizes: Sizes): Row[] =>
  sizes.flatMap((picture, level) => {
    if (longest(picture) > ROWS_IN.to) return [];
    const size = 2 ** level;
    const rows = findRows(picture).filter(({ rhythm }) => rhythm >= LEAST_RHYTHM);
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

/** The same row in the photo turned by two right angles. */
function rowUpsideDown(row: Row, { width, height }: Gray): Row {
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
