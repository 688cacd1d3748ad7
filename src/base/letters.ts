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
export const foldedLetters = { from: 'ıøłđðæœßħŧəŋĸ', to: 'iolddaoshtenq' } as const;

/** The one letter that stands for two: no name without it is found by one of them. */
export const thorn = { letter: 'þ', stands: 'th' } as const;

/**
 * Marks of letters that Unicode takes apart, and signs that nobody sees: what stands in the brackets of a regular
 * expression, here and in PostgreSQL.
 */
export const unseen = String.raw`\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff`;

/**
 * Signs of a name that a passport's machine-readable lines leave out (ICAO Doc 9303-3, section 4.6): apostrophes, and
 * what transliterations write for ʿayn, hamza and ʻokina; the middle dot of “Col·lell”; full stops and commas.
 */
export const LEFT_OUT_SIGNS = `'’‘‛\`´ʹʻʼʽʾʿˈ′.,·‧∙⋅•`;

/** Signs between the parts of a name, which the lines fill: “a/l”, “Jean-Pierre”, “Ｊｏｈｎ・Ｓｍｉｔｈ”. */
export const GAP_SIGNS = '-‐‑‒–—―−/∕⁄・';

const leftOut = new RegExp(String.raw`[${LEFT_OUT_SIGNS}\p{Cf}]`, 'gu');
/** An @ by itself stands before an alias, as passports of Malaysia print it. */
const gaps = new RegExp(
  String.raw`(?:\s@(?=\s)|[\s<\p{Dash}${GAP_SIGNS.replaceAll('-', '')}])+`,
  'gu',
);

/**
 * What was typed or pasted with plain letters and signs: those of Chinese and Japanese keyboards, ligatures and other
 * forms of the same letter (Unicode NFKC), without the signs that nobody sees: marks of direction, soft hyphens, joiners.
 * Fractions, ordinals and signs such as № stay, as they would read as digits and letters of what stands beside them.
 */
export const plainForms = (typed: string): string =>
  typed
    .replaceAll('´', "'")
    .replace(/\p{Cf}+/gu, '')
    .replace(/[^\p{No}\p{So}ªº]+/gu, (run) => run.normalize('NFKC'));

/** A name as the machine-readable lines part it: signs left out or filled, its parts apart by one space. */
export const bareName = (name: string): string =>
  name.replaceAll('´', "'").normalize('NFKC').replace(leftOut, '').replace(gaps, ' ').trim();

const undecomposed = new RegExp(`[${foldedLetters.from}]`, 'g');
const unseenSigns = new RegExp(`[${unseen}]`, 'g');

/** Small letters without marks, each but Þ as one: “Ærø” is “aro”, “Müller” “muller”. Other signs stay. */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(unseenSigns, '')
    .replace(
      undecomposed,
      (letter) => foldedLetters.to[foldedLetters.from.indexOf(letter)] ?? letter,
    )
    .replaceAll(thorn.letter, thorn.stands);

/** A name as it is compared: “O’Brien” is “obrien”, “Al-Hasan” “al hasan”. */
export const foldName = (name: string): string => foldLetters(bareName(name));

/** ß has no capital of one letter in JavaScript. */
const capital = (letter: string): string =>
  letter === 'ß' ? 'ẞ' : letter.normalize('NFC').toUpperCase();

/** How documents print one letter of a name, folded: Ø as “o” or “oe”, Æ as “a” or “ae”, N as “n”. */
export function letterSpellings(letter: string): string[] {
  const zone = zoneSpellings[capital(letter)];
  return [...new Set([...(zone ? [zone.toLowerCase()] : []), foldLetters(letter)])];
}

/** Two letters that a passport's lines may have for one, folded. */
const PAIRS = ['ae', 'aa', 'oe', 'ue', 'ss'];
/** So many spellings of one word are looked for at most; beyond, all its letters are spelled in one way. */
const MAX_SPELLINGS = 16;

/**
 * Under which a typed word of a name is looked for in folded texts: as it is, which an e-mail address may be, and as a
 * name with and without gaps. Each letter is taken as it folds and as a passport’s lines spell it, two letters that may
 * be such a spelling also as the letter behind them folds: “Muellerstrauss” finds “Müllerstrauss”.
 */
export function searchSpellings(word: string): string[] {
  const folded = foldLetters(word);
  const bare = bareName(word);
  if (!/^[\p{L}\p{M} ]+$/u.test(bare)) return [folded];
  const names = bare.includes(' ') ? [bare, bare.replaceAll(' ', '')] : [bare];
  return [...new Set([folded, ...names.flatMap(nameSpellings)])];
}

function nameSpellings(name: string): string[] {
  const letters = Array.from(name.normalize('NFC'));
  const choices: string[][] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? '';
    const pair = (letter + (letters[at + 1] ?? '')).toLowerCase();
    if (PAIRS.includes(pair)) {
      choices.push([pair, pair.charAt(0)]);
      at++;
    } else choices.push(letterSpellings(letter).toReversed());
  }
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count > MAX_SPELLINGS) {
    return [0, -1].map((way) => choices.map((choice) => choice.at(way)).join(''));
  }
  return choices.reduce<string[]>(
    (beginnings, choice) => beginnings.flatMap((one) => choice.map((next) => one + next)),
    [''],
  );
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
