import type { PlainDate } from '~/base/dates/dates.ts';
import type { Doubt } from './picture/certainty.ts';
import type { PictureLines } from './picture/read-picture.ts';
import { readLines } from './read-lines.ts';
import type { Zone } from './zone.ts';

export type PictureReading =
  | { readonly ok: true; readonly zone: Zone }
  | { readonly ok: false; readonly error: 'not_found' }
  /** What was read cannot be right, or nothing of it is sure: the lines for the traveller to correct. */
  | ({ readonly ok: false; readonly error: 'unsure' } & UnsureLines);

/** `doubts`: which characters to look at first; empty where each is clear, but they are not the lines of a document. */
export type UnsureLines = { readonly text: string; readonly doubts: readonly Doubt[] };

/**
 * What the lines in a photo say, where their check digits hold: only the parts that are sure, since a check digit misses a
 * character that is taken for one that counts alike, G for 6. The others stay empty.
 */
export function readPictureLines(lines: PictureLines | null, today: PlainDate): PictureReading {
  if (!lines) return { ok: false, error: 'not_found' };
  const { text, doubts, sure } = lines;
  const read = lines.isHeld ? readLines(text, today) : null;
  if (!read?.ok) return { ok: false, error: 'unsure', text, doubts };
  const { zone } = read;
  const sureOf: Zone = {
    ...zone,
    nationality: sure.nationality ? zone.nationality : '',
    lastName: sure.names ? zone.lastName : '',
    firstName: sure.names ? zone.firstName : '',
    passportNumber: sure.passportNumber ? zone.passportNumber : '',
    dateOfBirth: sure.dateOfBirth ? zone.dateOfBirth : '',
    passportExpiryDate: sure.passportExpiryDate ? zone.passportExpiryDate : '',
  };
  const isEmpty = Object.values(sure).every((is) => !is);
  return isEmpty ? { ok: false, error: 'unsure', text, doubts } : { ok: true, zone: sureOf };
}
