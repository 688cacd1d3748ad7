import type { PlainDate } from '~/base/dates/dates.ts';
import type { Doubt, SeenLines } from './picture/read-picture.ts';
import { readLines } from './read-lines.ts';
import type { Zone } from './zone.ts';

export type ReadSeenLines =
  | { readonly ok: true; readonly zone: Zone }
  | { readonly ok: false; readonly error: 'not_found' }
  /** What was read cannot be right, or cannot be told for sure: the lines for the traveller to put right. */
  | ({ readonly ok: false; readonly error: 'unsure' } & UnsureLines);

/** `doubts`: which characters to look at first; none where each is clear and the check digits fail all the same. */
export type UnsureLines = { readonly text: string; readonly doubts: readonly Doubt[] };

/**
 * What the lines in a photo say. A check digit misses a letter that is taken for one of the same value, G for 6: so each
 * character has to be sure as well. Names of which a letter is not sure are left to the traveller.
 */
export function readSeenLines(seen: SeenLines, today: PlainDate): ReadSeenLines {
  if (!seen) return { ok: false, error: 'not_found' };
  const read = readLines(seen.text, today);
  if (!read.ok || !seen.isRestSure)
    return { ok: false, error: 'unsure', text: seen.text, doubts: seen.doubts };
  const { zone } = read;
  return { ok: true, zone: seen.areNamesSure ? zone : { ...zone, lastName: '', firstName: '' } };
}
