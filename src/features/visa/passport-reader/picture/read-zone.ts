import type { LineSigns } from './certainty.ts';
import { rowHeight, type PrintRow } from './find-rows.ts';
import { readSigns } from './line-signs.ts';
import { ALPHABET, BLANK, CLASSES, PITCH, STEP, type Network, type Steps } from './network.ts';
import { cutStrip, type Sizes } from './strip.ts';
import { SIGNS_BY_PLACE, zoneFormats, type ZoneFormat } from './zone-formats.ts';

/** Rows that may be the lines of a zone, from top to bottom, in pixels of the whole photo. */
export type RowGroup = { readonly rows: readonly PrintRow[]; readonly strength: number };

/** `fit`: the logarithm of how probable the lines are, for each place: clear ones reach -0.1, other print -1 and less. */
export type ReadZone = {
  readonly format: ZoneFormat;
  readonly lines: readonly LineSigns[];
  readonly fit: number;
  /** Where the lines stand in the photo as it was turned: four corners from the top left, clockwise. */
  readonly corners: readonly (readonly [x: number, y: number])[];
};

/** Where the characters of a line stand, in pixels of the photo along its course. */
type Grid = { readonly start: number; readonly pitch: number; readonly bend: number };

const placeOf = ({ start, pitch, bend }: Grid, place: number): number =>
  start + pitch * place + bend * place * place;

const ANY = Array.from(ALPHABET, (_, index) => index);
const signsByPlace: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  Object.entries(SIGNS_BY_PLACE).map(([kind, signs]) => [
    kind,
    Array.from(signs, (sign) => ALPHABET.indexOf(sign)),
  ]),
);
const MAX_LINE_CHARACTERS = 44;

/** Rows that lie above each other as the lines of a zone do, the likeliest first. */
export function groupRows(rows: readonly PrintRow[]): RowGroup[] {
  const pairs = rows.flatMap((upper) =>
    rows.flatMap((lower) => {
      const overlap = overlapOf(upper, lower);
      const apart = distance(upper, lower);
      const tall = (upper.tall + lower.tall) / 2;
      const isPair =
        apart > 1.3 * tall &&
        apart < 4.5 * tall &&
        overlap > 0.55 &&
        Math.abs(upper.slope - lower.slope) < 0.05;
      const strength = (upper.strength + lower.strength) * overlap;
      return isPair ? [{ rows: [upper, lower], apart, strength }] : [];
    }),
  );
  const triples = pairs.flatMap((first) =>
    pairs.flatMap((second) => {
      const [top, middle] = first.rows;
      const [again, bottom] = second.rows;
      if (!top || !bottom || middle !== again || !middle) return [];
      const isEven =
        Math.abs(first.apart - second.apart) < (0.25 * (first.apart + second.apart)) / 2;
      const strength = (first.strength + second.strength) * 0.8;
      return isEven ? [{ rows: [top, middle, bottom], strength }] : [];
    }),
  );
  return [...pairs, ...triples].sort((a, b) => b.strength - a.strength);
}

function overlapOf(one: PrintRow, other: PrintRow): number {
  const left = Math.max(one.x - one.reach, other.x - other.reach);
  const right = Math.min(one.x + one.reach, other.x + other.reach);
  return (right - left) / (2 * Math.max(one.reach, other.reach));
}

/** How far the second row is below the first. */
function distance(upper: PrintRow, lower: PrintRow): number {
  const x = (upper.x + lower.x) / 2;
  return (rowHeight(lower, x) - rowHeight(upper, x)) / Math.hypot(1, upper.slope);
}

/** A character that the network saw, at a step of the strip. */
type Seen = { step: number; probability: number };

function seenIn({ count, data }: Steps): Seen[] {
  const seen: Seen[] = [];
  let last = BLANK;
  for (let step = 0; step < count; step += 1) {
    let best = 0;
    for (let one = 1; one < CLASSES; one += 1) {
      if ((data[step * CLASSES + one] ?? 0) > (data[step * CLASSES + best] ?? 0)) best = one;
    }
    const probability = data[step * CLASSES + best] ?? 0;
    const before = seen.at(-1);
    if (best !== BLANK && best === last && before) {
      const total = before.probability + probability;
      before.step += ((step - before.step) * probability) / total;
      before.probability = Math.max(before.probability, probability);
    } else if (best !== BLANK) seen.push({ step, probability });
    last = best;
  }
  return seen;
}

const CLEAR = 0.7;

/** How far apart the characters of a row are. `quality`: the share of them that are clear and stand evenly, times how clear. */
export type Probe = { readonly pitch: number; readonly quality: number };

/** Reads the middle of a row; null where it is none of a zone. */
export function findPitch(network: Network, sizes: Sizes, row: PrintRow): Probe | null {
  const byHeight = row.tall / 0.95;
  const guesses = [44, 36, 30]
    .map((characters) => (2 * row.reach) / (characters - 0.3))
    .filter((pitch) => pitch > 0.6 * byHeight && pitch < 1.7 * byHeight);
  let best: Probe | null = null;
  const tried: number[] = [];
  for (const first of [row.pitch, ...guesses, byHeight]) {
    let pitch = first;
    if (tried.some((one) => Math.abs(one / pitch - 1) < 0.12)) continue;
    // The first answer tells the distance, the second reads at it.
    for (let round = 0; round < 2; round += 1) {
      tried.push(pitch);
      const half = Math.min(8.5 * pitch, row.reach);
      const steps = network(cutStrip(sizes, row, { pitch, from: -half, to: half }));
      const { spacing, quality } = evenness(steps);
      if (quality > (best?.quality ?? 0.3))
        best = { pitch: (pitch * spacing * STEP) / PITCH, quality };
      if (quality < 0.3 || Math.abs((spacing * STEP) / PITCH - 1) < 0.06) break;
      pitch *= (spacing * STEP) / PITCH;
    }
    if (best && best.quality > 0.75) return best;
  }
  return best;
}

/** `spacing`: in steps. */
function evenness(steps: Steps): { spacing: number; quality: number } {
  const all = seenIn(steps);
  const seen = all.filter(({ probability }) => probability > CLEAR);
  const clear =
    all.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, all.length);
  const gaps = seen.slice(1).map(({ step }, index) => step - (seen[index]?.step ?? 0));
  const spacing = [...gaps].sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
  const even = gaps.filter((gap) => Math.abs(gap / spacing - 1) < 0.2).length;
  const expected = spacing > 0 ? steps.count / spacing - 1 : Infinity;
  return { spacing, quality: Math.min(1, even / expected) * clear };
}

/** How a line is laid into the strip: larger or smaller, higher or lower. */
type View = { scale: number; shift: number };
const PLAIN: View = { scale: 1, shift: 0 };
/** Each line is read twice more: what is seen otherwise then could be otherwise. */
const VIEWS: readonly View[] = [
  { scale: 0.95, shift: -1.7 },
  { scale: 1.06, shift: 1.7 },
];

/** So many of the three have to show the whole line. */
const MIN_VIEWS = 2;

/** Lines that fit less are none. */
const MIN_FIT = -2;

/** Reads the lines of a group whose characters are so far apart; null where they do not stand as in a zone. */
export function readZone(
  network: Network,
  sizes: Sizes,
  { rows }: RowGroup,
  pitch: number,
): ReadZone | null {
  const cut = (row: PrintRow, span: Span, { scale, shift }: View): CutLine => {
    const place = { ...span, pitch: pitch * scale, shift };
    const steps = network(cutStrip(sizes, row, place));
    const seen = seenIn(steps)
      .filter(({ probability }) => probability > CLEAR)
      .map(({ step }) => ({ at: pixelAt(place, step) }));
    return { ...place, steps, seen };
  };
  const formats = Object.values<ZoneFormat>(zoneFormats).filter(
    ({ lines }) => lines === rows.length,
  );
  const plain = rows.map((row) => {
    const reach = Math.min(row.reach + 3 * pitch, (MAX_LINE_CHARACTERS / 2 + 3) * pitch);
    const strip = cut(row, { from: -reach, to: reach }, PLAIN);
    return { row, strip, grid: gridIn(strip, pitch) };
  });
  const [best] = formats
    .map((format) => {
      const lines = plain.flatMap(({ row, strip, grid }, line) => {
        const places = format.places[line] ?? '';
        return grid ? [{ row, strip, places, ...placed(strip, grid, places) }] : [];
      });
      return { format, lines, fit: fitOfAll(lines) };
    })
    .sort((a, b) => b.fit - a.fit);
  if (!best || best.lines.length < rows.length || best.fit < MIN_FIT) return null;
  // Of a line that is longer than the row that was found the rest is cut out too.
  const lines = best.lines.map((line) => {
    const span = spanOf(line.strip, line.grid, line.places.length);
    if (span.from === line.strip.from && span.to === line.strip.to) return line;
    const strip = cut(line.row, span, PLAIN);
    const grid = gridIn(strip, pitch) ?? line.grid;
    return { ...line, strip, ...placed(strip, grid, line.places) };
  });
  const signs = lines.map(({ row, strip, grid, places }) => {
    const all = [strip, ...VIEWS.map((view) => cut(row, strip, view))]
      .map((one) => signsAt(one, grid, places))
      .filter(({ any }) => any.some((value) => value > 0));
    return all.length < MIN_VIEWS
      ? null
      : {
          allowed: meanOf(all.map(({ allowed }) => allowed)),
          any: meanOf(all.map(({ any }) => any)),
        };
  });
  if (!signs.every((one) => one !== null)) return null;
  return {
    format: best.format,
    fit: fitOfAll(lines),
    corners: cornersOf(
      rows,
      lines.map(({ grid }) => grid),
      best.format.characters,
    ),
    lines: signs,
  };
}

const fitOfAll = (lines: readonly { readonly fit: number }[]): number =>
  Math.min(...lines.map(({ fit }) => fit));

/** From where to where a line is cut out, in pixels of the photo along its course. */
type Span = { readonly from: number; readonly to: number };

/** What a strip shows, and all places of the line. */
const spanOf = ({ from, to }: Span, grid: Grid, places: number): Span => ({
  from: Math.min(from, placeOf(grid, -1.5)),
  to: Math.max(to, placeOf(grid, places + 0.5)),
});

/** `seen`: where clear characters stand, as in a `Grid`. */
type CutLine = Span & {
  readonly pitch: number;
  readonly steps: Steps;
  readonly seen: readonly { readonly at: number }[];
};

/** The middle of a step, in pixels of the photo along the course. */
const pixelAt = ({ from, pitch }: Pick<CutLine, 'from' | 'pitch'>, step: number): number =>
  from + ((step + 0.5) * STEP * pitch) / PITCH;

/** The grid on which most clear characters stand, its first place at the first of them. */
function gridIn(strip: CutLine, pitch: number): Grid | null {
  // The longest run of characters that stand evenly, over gaps of unclear ones.
  let run: { at: number; place: number }[] = [];
  let longest: typeof run = [];
  for (const { at } of strip.seen) {
    const last = run.at(-1);
    const away = last ? (at - last.at) / pitch : 0;
    const places = Math.round(away);
    if (last && places >= 1 && places < 9 && Math.abs(away - places) < 0.12 * places + 0.16) {
      run.push({ at, place: last.place + places });
    } else if (!last || away > 0.5) run = [{ at, place: 0 }];
    if (run.length > longest.length) longest = run;
  }
  if (longest.length < 10) return null;
  return fitOf(longest);
}

/** The parabola nearest to all points (least squares), straight where they are few. */
function fitOf(points: readonly { at: number; place: number }[]): Grid {
  const middle = (points.at(-1)?.place ?? 0) / 2;
  const sums = [0, 0, 0, 0, 0];
  const products = [0, 0, 0];
  for (const { at, place } of points) {
    for (let power = 0; power < 5; power += 1) {
      sums[power] = (sums[power] ?? 0) + (place - middle) ** power;
    }
    for (let power = 0; power < 3; power += 1) {
      products[power] = (products[power] ?? 0) + at * (place - middle) ** power;
    }
  }
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0] = sums;
  const [p0 = 0, p1 = 0, p2 = 0] = products;
  const whole = determinant([s0, s1, s2], [s1, s2, s3], [s2, s3, s4]);
  const base = determinant([p0, s1, s2], [p1, s2, s3], [p2, s3, s4]) / whole;
  const linear = determinant([s0, p0, s2], [s1, p1, s3], [s2, p2, s4]) / whole;
  const bend = determinant([s0, s1, p0], [s1, s2, p1], [s2, s3, p2]) / whole;
  return {
    start: base - linear * middle + bend * middle * middle,
    pitch: linear - 2 * bend * middle,
    bend,
  };
}

type Triple = readonly [number, number, number];
const determinant = ([a, b, c]: Triple, [d, e, f]: Triple, [g, h, i]: Triple): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);

const movedBy = (grid: Grid, places: number): Grid => ({
  start: placeOf(grid, places),
  pitch: grid.pitch + 2 * grid.bend * places,
  bend: grid.bend,
});

/** Where the line begins, so that its signs fit best: clear characters may begin or end some places off. */
function placed(strip: CutLine, grid: Grid, places: string): { grid: Grid; fit: number } {
  const ways = [0, -1, 1, -2, 2, -3, 3, -4, -5, -6].map((by) => {
    const moved = movedBy(grid, by);
    return { grid: moved, fit: roughFit(strip, moved, places) };
  });
  return ways.reduce((best, way) => (way.fit > best.fit ? way : best));
}

/** The logarithm of how probable what may stand at each place is near its middle, on average. */
function roughFit(strip: CutLine, grid: Grid, places: string): number {
  let sum = 0;
  for (const [place, kind] of Array.from(places).entries()) {
    const middle = stepIn(strip, placeOf(grid, place));
    let most = 0;
    for (let step = Math.ceil(middle - 1.5); step <= middle + 1.5; step += 1) {
      for (const sign of signsByPlace[kind] ?? []) {
        most = Math.max(most, strip.steps.data[step * CLASSES + sign] ?? 0);
      }
    }
    sum += Math.log(most + 0.001);
  }
  const outside = strip.seen.filter(
    ({ at }) => at < placeOf(grid, -0.6) || at > placeOf(grid, places.length - 0.4),
  );
  return sum / places.length - OUTSIDE * outside.length;
}

/** What a clear character before or behind the line takes from its fit. */
const OUTSIDE = 0.1;

const stepIn = ({ from, pitch }: CutLine, pixel: number): number =>
  ((pixel - from) * PITCH) / (STEP * pitch) - 0.5;

function signsAt(strip: CutLine, grid: Grid, places: string): LineSigns {
  const scale = PITCH / (STEP * strip.pitch);
  const inSteps = {
    start: stepIn(strip, grid.start),
    pitch: grid.pitch * scale,
    bend: grid.bend * scale,
  };
  const kinds = Array.from(places);
  return {
    allowed: readSigns(
      strip.steps,
      inSteps,
      kinds.map((kind) => signsByPlace[kind] ?? []),
    ),
    any: readSigns(
      strip.steps,
      inSteps,
      kinds.map(() => ANY),
    ),
  };
}

const meanOf = (all: readonly Float64Array[]): Float64Array =>
  (all[0] ?? new Float64Array()).map(
    (_, index) => all.reduce((sum, one) => sum + (one[index] ?? 0), 0) / all.length,
  );

function cornersOf(
  rows: readonly PrintRow[],
  grids: readonly Grid[],
  characters: number,
): (readonly [number, number])[] {
  const at = (line: number, place: number, down: number): readonly [number, number] => {
    const [row, grid] = [rows.at(line), grids.at(line)];
    if (!row || !grid) return [0, 0];
    const length = Math.hypot(1, row.slope);
    const along = placeOf(grid, place) / length;
    const x = row.x + along;
    return [
      x - (down * grid.pitch * row.slope) / length,
      rowHeight(row, x) + (down * grid.pitch) / length,
    ];
  };
  return [at(0, -1, -1), at(0, characters, -1), at(-1, characters, 1), at(-1, -1, 1)];
}
