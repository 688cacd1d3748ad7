import { findZone } from './find-lines.ts';
import type { Gray } from './gray.ts';
import { likenessesIn, type Likeness } from './shapes.ts';

/** The lines as a picture shows them; null where there are none, or not all of every line. */
export type SeenLines = {
  readonly text: string;
  /** False where a letter of the names could be another one as well. */
  readonly areNamesSure: boolean;
  /** The same of everything else. */
  readonly isRestSure: boolean;
} | null;

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

type Seen = { sign: string; isSure: boolean };

/** Looks for the machine-readable lines in a photo that is held upright. */
export function readPicture(photo: Gray): SeenLines {
  const found = findZone(photo);
  if (!found) return null;
  const places = PLACES[(found.lines[0]?.edges.length ?? 1) - 1] ?? [];
  const seen = found.lines.map((line, index) =>
    likenessesIn(found.picture, line).map((likeness, place) =>
      signOf(likeness, allowed[places[index]?.charAt(place) ?? 'x'] ?? ''),
    ),
  );
  const nameLine = places.findIndex((line) => !line.includes('n'));
  const isSure = seen.map((line) => line.every((one) => one.isSure));
  return {
    text: seen.map((line) => line.map(({ sign }) => sign).join('')).join('\n'),
    areNamesSure: isSure[nameLine] ?? false,
    isRestSure: isSure.every((sure, line) => sure || line === nameLine),
  };
}

/** The sign that a cell is most like. One that shows nothing is taken for a filler, which nobody can be sure of. */
function signOf(likeness: Likeness, signs: string): Seen {
  if (!likeness) return { sign: '<', isSure: false };
  const [first, second] = [...likeness]
    .filter(([sign]) => signs.includes(sign))
    .toSorted(([, a], [, b]) => b - a);
  if (!first || !second) return { sign: '<', isSure: false };
  return { sign: first[0], isSure: first[1] >= LEAST && first[1] - second[1] >= LEAST_LEAD };
}
