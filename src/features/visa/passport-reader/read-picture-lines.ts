import type { PlainDate } from '~/base/dates/dates.ts';
import type { Doubt, PictureLines } from './picture/read-picture.ts';
import { readLines } from './read-lines.ts';
import type { Zone } from './zone.ts';

export type PictureReading =
  | { readonly ok: true; readonly zone: Zone }
  | { readonly ok: false; readonly error: 'not_found' }
  /** What was read cannot be right, or not all of it is sure: the lines for the traveller to correct. */
  | ({ readonly ok: false; readonly error: 'unsure' } & UnsureLines);

/** `doubts`: which characters to look at first; empty where each is clear, but they are not the lines of a document. */
export type UnsureLines = { readonly text: string; readonly doubts: readonly Doubt[] };

/**
 * What the lines in a photo say. A check digit misses a letter that is taken for one of the same value, G for 6: so each
 * character has to be sure as well. Where one in the line of the names is not, only the names are left to the traveller.
 */
export function readPictureLines(lines: PictureLines, today: PlainDate): PictureReading {
  if (!lines) return { ok: false, error: 'not_found' };
  const read = readLines(lines.text, today);
  if (!read.ok || !lines.isRestSure)
    return { ok: false, error: 'unsure', text: lines.text, doubts: lines.doubts };
  const { zone } = read;
  return { ok: true, zone: lines.areNamesSure ? zone : { ...zone, lastName: '', firstName: '' } };
}
