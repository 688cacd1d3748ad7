/**
 * Letters that a passport's machine-readable lines print otherwise than by leaving their mark out: the first
 * recommendation of ICAO Doc 9303-3, 8th edition, section 6, table A; Ə as Azerbaijan prints it. Capitals.
 */
export const zoneSpellings: Readonly<Record<string, string>> = {
  Ä: 'AE',
  Å: 'AA',
  Æ: 'AE',
  Ð: 'D',
  Đ: 'D',
  Ə: 'E',
  Ħ: 'H',
  Ĳ: 'IJ',
  ĸ: 'Q',
  Ŀ: 'L',
  Ł: 'L',
  Ŋ: 'N',
  Ö: 'OE',
  Ø: 'OE',
  Œ: 'OE',
  Þ: 'TH',
  Ŧ: 'T',
  Ü: 'UE',
  ẞ: 'SS',
};

/**
 * Letters that Unicode does not decompose, and the one letter that each folds to. `foldedSql` of the stored search text
 * replaces the same ones.
 */
export const foldedLetters = { from: 'ıøłđðæœßħŧə', to: 'iolddaoshte' } as const;

const undecomposed = new RegExp(`[${foldedLetters.from}]`, 'g');

/** Small letters without marks, each letter as one: “Ærø” is “aro”, “Müller” “muller”. Other signs stay. */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(
      undecomposed,
      (letter) => foldedLetters.to[foldedLetters.from.indexOf(letter)] ?? letter,
    );

/** ß has no capital of one letter in JavaScript. */
const capital = (letter: string): string =>
  letter === 'ß' ? 'ẞ' : letter.normalize('NFC').toUpperCase();

/** How documents print one letter of a name, folded: Ø as “o” or “oe”, Æ as “a” or “ae”, N as “n”. */
export function letterSpellings(letter: string): string[] {
  const zone = zoneSpellings[capital(letter)];
  return [...new Set([...(zone ? [zone.toLowerCase()] : []), foldLetters(letter)])];
}

/**
 * Under which a typed word of a name is looked for in folded texts: as it folds, as a passport’s lines spell it, and,
 * where it may be such a spelling itself, as the letter behind it folds: “Aeroe” finds “Ærø”.
 */
export function searchSpellings(word: string): string[] {
  const folded = foldLetters(word);
  const letters = word.normalize('NFC');
  if (!/^[\p{L}'’-]+$/u.test(letters)) return [folded];
  const zone = Array.from(letters, (letter) => letterSpellings(letter)[0]).join('');
  const short = folded.replace(/ae|aa|oe|ue|ss/g, ([first = '']) => first);
  return [...new Set([folded, zone, short])];
}

/** How many mistakes of typing lie between two words: a letter wrong, missing, too many, or two neighbours swapped. */
export function typingMistakes(one: string, other: string): number {
  const [from, to] = [Array.from(one), Array.from(other)];
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (const [i, letter] of from.entries()) {
    const row = [i + 1];
    rows.push(row);
    for (const [j, other] of to.entries()) {
      const isSwapped = i > 0 && j > 0 && letter === to[j - 1] && from[i - 1] === other;
      row.push(
        Math.min(
          at(i, j + 1) + 1,
          at(i + 1, j) + 1,
          at(i, j) + (letter === other ? 0 : 1),
          isSwapped ? at(i - 1, j - 1) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
