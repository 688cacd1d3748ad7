import { findZone } from './find-lines.ts';
import { cut, facing, quarterTurned, type Gray } from './gray.ts';
import { likenessesIn, type Likeness } from './shapes.ts';

/** The lines as a picture shows them; null where there are none, or not all of every line. */
export type SeenLines = {
  readonly text: string;
  /** False where a letter of the names could be another one as well. */
  readonly areNamesSure: boolean;
  /** The same of everything else. */
  readonly isRestSure: boolean;
  readonly doubts: readonly Doubt[];
} | null;

/** A character that could be another one as well: its line and its place there, both from 1. */
export type Doubt = { readonly line: number; readonly place: number };

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<';
const DIGITS = '0123456789<';
const allowed: Readonly<Record<string, string>> = { a: LETTERS, n: DIGITS, x: LETTERS + DIGITS };

/** What stands in each place, by the number of characters of a line (ICAO Doc 9303, parts 4 to 6): a letter, a digit, or either. */
const PLACES: Readonly<Record<number, readonly string[]>> = {
  44: ['a'.repeat(44), `${'x'.repeat(9)}naaa${'n'.repeat(7)}a${'n'.repeat(7)}${'x'.repeat(14)}nn`],
  36: ['a'.repeat(36), `${'x'.repeat(9)}naaa${'n'.repeat(7)}a${'n'.repeat(7)}${'x'.repeat(7)}n`],
  30: [
    `aaaaa${'x'.repeat(9)}n${'x'.repeat(15)}`,
    `${'n'.repeat(7)}a${'n'.repeat(7)}aaa${'x'.repeat(11)}n`,
    'a'.repeat(30),
  ],
};

/** Less like its sign than this, or nearly as like another one, and a character is not sure. */
const LEAST = 0.6;
const LEAST_LEAD = 0.03;

/** Characters that are less like their signs on average are no lines, or stand on their heads: right ones reach 0.85, those 0.72. */
const LEAST_LIKELY = 0.8;

type Seen = { sign: string; isSure: boolean; likeness: number };

/** How a photo was held: turned clockwise by so many right angles, and seen from one side (`facing`). */
type View = { quarters: number; lean: number };

const PLAIN: View = { quarters: 0, lean: 0 };
const OTHERS: readonly View[] = [0, 1, 2, 3]
  .flatMap((quarters) => [0, -0.1, 0.1, -0.2, 0.2].map((lean) => ({ quarters, lean })))
  .filter(({ quarters, lean }) => quarters !== 0 || lean !== 0);

/** The other views are compared in a smaller photo, whose longer side has so many pixels. */
const SMALL_SIDE = 1000;
/** So many of them, whose lines have the clearest gaps between characters, are read. */
const TRIED = 6;

/**
 * Looks for the machine-readable lines in a photo. One that is held upright and seen from straight ahead, as most are, is
 * read at once; where that leaves a doubt, the other ways to hold it are tried, and the most likely reading counts.
 */
export function readPicture(photo: Gray): SeenLines {
  const plain = readView(photo, PLAIN);
  if (plain && isSure(plain.seen)) return plain.seen;
  const small = smaller(photo);
  const others = plain ? OTHERS.filter(({ quarters }) => quarters === 0) : OTHERS;
  const views = others
    .flatMap((view) => {
      const found = findZone(seenAs(small, view));
      return found ? [{ view, cut: found.cut }] : [];
    })
    .toSorted((a, b) => a.cut - b.cut);
  let best = plain;
  for (const { view } of views.slice(0, TRIED)) {
    const other = readView(photo, view);
    if (other && isSure(other.seen)) return other.seen;
    if (other && other.likeness > (best?.likeness ?? 0)) best = other;
  }
  return best?.seen ?? null;
}

const isSure = ({ areNamesSure, isRestSure }: NonNullable<SeenLines>): boolean =>
  areNamesSure && isRestSure;

const seenAs = (photo: Gray, { quarters, lean }: View): Gray =>
  facing(quarterTurned(photo, quarters), lean);

function smaller(photo: Gray): Gray {
  const scale = Math.min(1, SMALL_SIDE / Math.max(photo.width, photo.height));
  const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)];
  const whole = { left: 0, top: 0, right: photo.width, bottom: photo.height };
  return scale === 1 ? photo : cut(photo, whole, { width, height });
}

/** Null where no lines are found. `likeness`: of all characters with their signs, on average. */
function readView(
  photo: Gray,
  view: View,
): { seen: NonNullable<SeenLines>; likeness: number } | null {
  const found = findZone(seenAs(photo, view));
  if (!found) return null;
  const places = PLACES[(found.lines[0]?.edges.length ?? 1) - 1] ?? [];
  const seen = found.lines.map((line, index) =>
    likenessesIn(found.picture, line).map((likeness, place) =>
      signOf(likeness, allowed[places[index]?.charAt(place) ?? 'x'] ?? ''),
    ),
  );
  const nameLine = places.findIndex((line) => !line.includes('n'));
  const sure = seen.map((line) => line.every((one) => one.isSure));
  const signs = seen.flat();
  const likeness = signs.reduce((sum, one) => sum + one.likeness, 0) / signs.length;
  if (likeness < LEAST_LIKELY) return null;
  return {
    likeness,
    seen: {
      text: seen.map((line) => line.map(({ sign }) => sign).join('')).join('\n'),
      areNamesSure: sure[nameLine] ?? false,
      isRestSure: sure.every((all, line) => all || line === nameLine),
      doubts: seen.flatMap((line, index) =>
        line.flatMap((one, place) => (one.isSure ? [] : [{ line: index + 1, place: place + 1 }])),
      ),
    },
  };
}

/** The sign that a cell is most like. One that shows nothing is taken for a filler, which nobody can be sure of. */
function signOf(likeness: Likeness, signs: string): Seen {
  const [first, second] = [...(likeness ?? [])]
    .filter(([sign]) => signs.includes(sign))
    .toSorted(([, a], [, b]) => b - a);
  if (!first || !second) return { sign: '<', isSure: false, likeness: 0 };
  const isSure = first[1] >= LEAST && first[1] - second[1] >= LEAST_LEAD;
  return { sign: first[0], isSure, likeness: first[1] };
}
