import { bareName, zoneSpellings } from '~/base/letters.ts';

type MachineReadable =
  | { readonly ok: true; readonly text: string }
  /**
   * `not_latin`: letters of another script. `not_printed`: Latin letters that the lines have another letter for.
   * `characters`: digits and signs that cannot be part of a name.
   */
  | { readonly ok: false; readonly error: 'not_latin' | 'not_printed' | 'characters' };

/** A name in the capitals of a passport's machine-readable lines, gaps as single spaces. Empty for an empty name. */
export function machineReadable(name: string): MachineReadable {
  let text = '';
  for (const letter of bareName(name).normalize('NFC').toUpperCase()) {
    const plain = zoneSpellings[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '');
    if (plain !== ' ' && !/^[A-Z]*$/.test(plain)) {
      return { ok: false, error: errorOf(plain) };
    }
    text += plain;
  }
  return { ok: true, text };
}

function errorOf(letter: string): 'not_latin' | 'not_printed' | 'characters' {
  if (!/\p{L}/u.test(letter)) return 'characters';
  return /\p{Script=Latin}/u.test(letter) ? 'not_printed' : 'not_latin';
}

/** Whether the lines spell the name with other letters than were typed, so that the traveller should compare them. */
export const isRespelt = (name: string): boolean =>
  machineReadable(name).ok && /[^\p{ASCII}]/u.test(bareName(name));
