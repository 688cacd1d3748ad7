import { readNumber } from '~/features/application/number.ts';
import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import { matchDocument } from '../visa-document/document-match.ts';
import { type PersonFacts } from '../visa-document/comparison.ts';

/** What a file says: its name, and its text; null where none can be read. */
export type FileFacts = { name: string; text: string | null };

/** An application that a file may be for. `isOpen`: it can be approved. */
export type Candidate = PersonFacts & { id: string; number: string; isOpen: boolean };

/** Where a number of the application stands: in the PDF's text, only in the file's name, or nowhere. */
export type Place = 'text' | 'name' | null;

/** What of an application was found in a file. */
export type Found = {
  passportNumber: Place;
  number: Place;
  lastName: boolean;
  firstName: boolean;
  dateOfBirth: boolean;
};

export type Matched<C> = { candidate: C; found: Found };

/**
 * `exact`: one application, beyond doubt. `likely`: one, of which not enough was found. `several`: two or more, or
 * numbers that contradict one another. `nothing`: none.
 */
export type MatchKind = 'exact' | 'likely' | 'several' | 'nothing';
export type FileMatch<C> = { kind: MatchKind; matched: readonly Matched<C>[] };

/** Applications listed for one file. */
const MOST_LISTED = 8;

/**
 * Which of the candidates a file is for. Exact is one whose passport number stands in the text together with a second
 * fact: the whole name, the birth date, or the application's number in text or file name. Of several such only the one
 * whose number is named counts, and none where the file names another application. Applications that are decided or
 * unpaid are left out beside open ones, unless the file names them.
 */
export function matchFile<C extends Candidate>(
  file: FileFacts,
  candidates: readonly C[],
): FileMatch<C> {
  const all = candidates
    .map((candidate) => ({ candidate, found: foundIn(file, candidate) }))
    .filter(({ found }) => found.passportNumber !== null || found.number !== null);
  const current = all.filter(({ candidate, found }) => candidate.isOpen || found.number !== null);
  const left = current.length > 0 ? current : all;
  const named = left.filter(({ found }) => found.number !== null);
  const sure = left.filter(isSure);
  const [first, ...more] = sure.length > 1 ? sure.filter((one) => named.includes(one)) : sure;
  if (first && more.length === 0 && named.every((one) => one === first)) {
    return { kind: 'exact', matched: [first] };
  }
  const kind = left.length === 0 ? 'nothing' : left.length === 1 ? 'likely' : 'several';
  const rest = left.filter((one) => !sure.includes(one) && !named.includes(one));
  const ordered = [...new Set([...sure, ...named, ...rest])];
  return { kind, matched: ordered.slice(0, MOST_LISTED) };
}

const isSure = ({ found }: Matched<Candidate>): boolean =>
  found.passportNumber === 'text' &&
  (found.number !== null || found.dateOfBirth || (found.lastName && found.firstName));

/** What of an application is found in a file. Names and birth dates count in the text alone. */
export function foundIn({ name, text }: FileFacts, candidate: Candidate): Found {
  const inText = matchDocument(text ?? '', candidate);
  const words = wordsOf(name);
  const isNamedIn = (where: string) => numbersIn(where).includes(candidate.number);
  return {
    ...inText,
    passportNumber: inText.passportNumber
      ? 'text'
      : matchDocument(words, candidate).passportNumber
        ? 'name'
        : null,
    number: isNamedIn(text ?? '') ? 'text' : isNamedIn(words) ? 'name' : null,
  };
}

/** A file's name as words: "e-visa_A01234547.pdf" is "e-visa A01234547". */
const wordsOf = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\.pdf$/i, '')
    .replace(/[._()[\]]+/g, ' ');

/** Numbers of applications in a file's name and text. */
export const numbersOfFile = ({ name, text }: FileFacts): string[] => [
  ...numbersIn(wordsOf(name)),
  ...numbersIn(text ?? ''),
];

const NUMBER = /(?<![0-9A-Z])TR[VI](?:[\s\p{Dash}]?[0-9A-Z]){13}(?![0-9A-Z])/gu;

/** Numbers of applications that a text contains, with or without spaces and hyphens. */
export function numbersIn(text: string): string[] {
  const found = text.toUpperCase().match(NUMBER);
  const read = (found ?? []).map((one) => readNumber(one));
  return [...new Set(read.flatMap((one) => (one.ok ? [one.number] : [])))];
}

/** Shorter and longer words are no passport numbers. */
const SHORTEST = 5;
const LONGEST = 20;
/** Words that are looked for in the database, of one file. */
const MOST_WORDS = 600;

/**
 * Whatever in a file may be a passport number, as it is stored: words with a digit, and two words that stand together,
 * since some documents write the letters of a number apart.
 */
export function passportWordsIn({ name, text }: FileFacts): string[] {
  const words = `${wordsOf(name)}\n${text ?? ''}`
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`);
  const found = [...words, ...pairs].filter(
    (word) => word.length >= SHORTEST && word.length <= LONGEST && /\d/.test(word),
  );
  return [...new Set(found.map((word) => tidyDocumentNumber(word)))].slice(0, MOST_WORDS);
}
