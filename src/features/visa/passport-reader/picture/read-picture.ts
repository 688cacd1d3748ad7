import { findZone } from './find-lines.ts';
import { crop, facing, quarterTurned, type Gray } from './gray.ts';
import { likenessesIn, type Likeness } from './shapes.ts';

/** The lines as a picture shows them; null where none are found. */
export type PictureLines = {
  readonly text: string;
  /** False where a character in the line of the names could be another one as well, its document code included. */
  readonly areNamesSure: boolean;
  /** The same of the other lines. */
  readonly isRestSure: boolean;
  readonly doubts: readonly Doubt[];
} | null;

/** A character that could be another one as well: its line and its place there, both from 1. */
export type Doubt = { readonly line: number; readonly place: number };

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<';
const DIGITS = '0123456789<';
/** By the letter in `ZoneFormat.places`. */
const allowed: Readonly<Record<string, string>> = { a: LETTERS, n: DIGITS, x: LETTERS + DIGITS };

/** Less like its sign than this, or nearly as like another one, and a character is not sure. */
const LEAST = 0.6;
const LEAST_LEAD = 0.03;

/**
 * Characters that are less like their signs on average are no lines, or upside down: right ones reach 0.85, those 0.72.
 * What a finger or a reflection hides does not count, unless it is more than a fifth.
 */
const LEAST_LIKELY = 0.8;
const LEAST_SHOWN = 0.8;

/** `likeness`: to the sign; null where nothing is seen. */
type ReadCharacter = { sign: string; isSure: boolean; likeness: number | null };

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
 * read at once. Where that leaves a doubt, the other ways to hold it are tried: the first sure reading counts, otherwise
 * the most likely.
 */
export function readPicture(photo: Gray): PictureLines {
  const plain = readView(photo, PLAIN);
  if (plain && isSure(plain.lines)) return plain.lines;
  const small = smaller(photo);
  const others = plain ? OTHERS.filter(({ quarters }) => quarters === 0) : OTHERS;
  const views = others
    .flatMap((view) => {
      const found = findZone(seenAs(small, view));
      return found ? [{ view, inkOnEdges: found.inkOnEdges }] : [];
    })
    .toSorted((a, b) => a.inkOnEdges - b.inkOnEdges);
  let best = plain;
  for (const { view } of views.slice(0, TRIED)) {
    const other = readView(photo, view);
    if (other && isSure(other.lines)) return other.lines;
    if (other && other.likeness > (best?.likeness ?? 0)) best = other;
  }
  return best?.lines ?? null;
}

const isSure = ({ areNamesSure, isRestSure }: NonNullable<PictureLines>): boolean =>
  areNamesSure && isRestSure;

const seenAs = (photo: Gray, { quarters, lean }: View): Gray =>
  facing(quarterTurned(photo, quarters), lean);

function smaller(photo: Gray): Gray {
  const scale = Math.min(1, SMALL_SIDE / Math.max(photo.width, photo.height));
  const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)];
  const whole = { left: 0, top: 0, right: photo.width, bottom: photo.height };
  return scale === 1 ? photo : crop(photo, whole, { width, height });
}

/** Null where no lines are found. `likeness`: of the characters that can be seen to their signs, on average. */
function readView(
  photo: Gray,
  view: View,
): { lines: NonNullable<PictureLines>; likeness: number } | null {
  const found = findZone(seenAs(photo, view));
  if (!found) return null;
  const { places, nameLine } = found.format;
  const characters = found.lines.map((line, index) =>
    likenessesIn(found.picture, line).map((likeness, place) =>
      signOf(likeness, allowed[places[index]?.charAt(place) ?? 'x'] ?? ''),
    ),
  );
  const sure = characters.map((line) => line.every((one) => one.isSure));
  const shown = characters.flat().flatMap((one) => one.likeness ?? []);
  if (shown.length < characters.flat().length * LEAST_SHOWN) return null;
  const likeness = shown.reduce((sum, one) => sum + one, 0) / shown.length;
  if (likeness < LEAST_LIKELY) return null;
  return {
    likeness,
    lines: {
      text: characters.map((line) => line.map(({ sign }) => sign).join('')).join('\n'),
      areNamesSure: sure[nameLine] ?? false,
      isRestSure: sure.every((all, line) => all || line === nameLine),
      doubts: characters.flatMap((line, index) =>
        line.flatMap((one, place) => (one.isSure ? [] : [{ line: index + 1, place: place + 1 }])),
      ),
    },
  };
}

/** The sign that a cell is most like. One that shows nothing is taken for a filler, which nobody can be sure of. */
function signOf(likeness: Likeness, signs: string): ReadCharacter {
  const [first, second] = [...(likeness ?? [])]
    .filter(([sign]) => signs.includes(sign))
    .toSorted(([, a], [, b]) => b - a);
  if (!first || !second) return { sign: '<', isSure: false, likeness: null };
  const isSure = first[1] >= LEAST && first[1] - second[1] >= LEAST_LEAD;
  return { sign: first[0], isSure, likeness: first[1] };
}
