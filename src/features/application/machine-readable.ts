import { zoneSpellings } from '~/base/letters.ts';

/** Characters that the lines leave out; a hyphen or a space becomes a filler. */
const LEFT_OUT = /['’‘`´ʻʼʽ.,\p{Cf}]/gu;
const GAP = /[\s<\p{Dash}]+/gu;

export type MachineReadable =
  | { readonly ok: true; readonly text: string }
  /** `not_latin`: letters of another script. `characters`: digits and signs that cannot be part of a name. */
  | { readonly ok: false; readonly error: 'not_latin' | 'characters' };

/** A name in the capitals of a passport's machine-readable lines, gaps as single spaces. Empty for an empty name. */
export function machineReadable(name: string): MachineReadable {
  const bare = name.replace(LEFT_OUT, '').replace(GAP, ' ').trim();
  let text = '';
  for (const letter of bare.normalize('NFC').toUpperCase()) {
    const plain = zoneSpellings[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '');
    if (plain !== ' ' && !/^[A-Z]*$/.test(plain)) {
      return { ok: false, error: /\p{L}/u.test(plain) ? 'not_latin' : 'characters' };
    }
    text += plain;
  }
  return { ok: true, text };
}

/** Whether the lines spell the name with other letters than were typed, so that the traveller should compare them. */
export const isRespelt = (name: string): boolean =>
  machineReadable(name).ok && /[^\p{ASCII}]/u.test(name.replace(LEFT_OUT, '').replace(GAP, ' '));
