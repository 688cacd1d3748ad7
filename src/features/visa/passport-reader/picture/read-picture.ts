import type { PlainDate } from '~/base/dates/dates.ts';
import { readLines, type ReadLines } from '../read-lines.ts';
import { findZone } from './find-lines.ts';
import type { Gray } from './gray.ts';
import { likenessesIn, type Likeness } from './shapes.ts';

export type ReadPicture =
  | {
      readonly ok: true;
      readonly zone: Extract<ReadLines, { ok: true }>['zone'];
      /** False where a letter of the names could be another one as well. */
      readonly areNamesSure: boolean;
    }
  /** No lines in the picture, or not all of every line. */
  | { readonly ok: false; readonly error: 'not_found' }
  /** What was read cannot be right, or cannot be told for sure: the lines for the traveller to put right. */
  | { readonly ok: false; readonly error: 'unsure'; readonly text: string };

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

/** Reads the machine-readable lines of a photo that is held upright. `today` decides the century of dates. */
export function readPicture(photo: Gray, today: PlainDate): ReadPicture {
  const found = findZone(photo);
  if (!found) return { ok: false, error: 'not_found' };
  const places = PLACES[(found.lines[0]?.edges.length ?? 1) - 1] ?? [];
  const seen = found.lines.map((line, index) =>
    likenessesIn(found.picture, line).map((likeness, place) =>
      signOf(likeness, allowed[places[index]?.charAt(place) ?? 'x'] ?? ''),
    ),
  );
  const nameLine = places.findIndex((line) => !line.includes('n'));
  const text = seen.map((line) => line.map(({ sign }) => sign).join('')).join('\n');
  const isSure = seen.map((line) => line.every((one) => one.isSure));
  const read = readLines(text, today);
  // A check digit misses a letter that is taken for one of the same value, G for 6: so each character has to be sure.
  if (!read.ok || !isSure.every((sure, line) => sure || line === nameLine)) {
    return { ok: false, error: 'unsure', text };
  }
  return { ok: true, zone: read.zone, areNamesSure: isSure[nameLine] ?? false };
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
