import { isPlainDate, partsOf } from '~/base/dates/dates.ts';
import { machineReadable } from '~/features/application/machine-readable.ts';

/** The facts of a person that an e-visa and the application both contain. */
export const comparedFacts = ['passportNumber', 'lastName', 'firstName', 'dateOfBirth'] as const;
export type ComparedFact = (typeof comparedFacts)[number];
export type PersonFacts = Record<ComparedFact, string>;

/** Whether a document's text contains each fact of the application. */
export type DocumentMatch = Record<ComparedFact, boolean>;

/** The comparison of a PDF with its application. */
export type Comparison = {
  /** Which of the person's facts it contains; null where it has no readable text. */
  match: DocumentMatch | null;
  /** Numbers of other applications that got the same file, newest first. */
  usedFor: string[];
};

/**
 * Whether a person must check it before it is sent: a fact is missing in it, or another traveller got the same file.
 */
export const needsALook = ({ match, usedFor }: Comparison): boolean =>
  usedFor.length > 0 || (match !== null && Object.values(match).includes(false));

/**
 * Searches the text of a document for a person's facts. Case, accents, hyphens and the space that some programs put
 * between letters are ignored; dates are found as documents of the Turkish authorities write them: day before month, or
 * year first. It does not tell whom else the document names; that is for staff to see.
 */
export function matchDocument(text: string, person: PersonFacts): DocumentMatch {
  const plain = plainText(text);
  return {
    passportNumber: standsIn(plain, plainText(person.passportNumber).replace(/[^A-Z0-9]/g, '')),
    firstName: namesStandIn(plain, person.firstName),
    lastName: namesStandIn(plain, person.lastName),
    dateOfBirth: dateStandsIn(plain, person.dateOfBirth),
  };
}

const plainText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ı/g, 'I')
    .toUpperCase()
    // Passports leave an apostrophe in a name out: D’Souza is DSOUZA.
    .replace(/['’‘ʼ`´]/g, '');

/**
 * Every part of a name as a word of its own, in any order: without accents (MULLER) or as machine-readable lines spell
 * it (MUELLER). A name in another script is not found.
 */
function namesStandIn(plain: string, name: string): boolean {
  const zone = machineReadable(name);
  return [plainText(name), ...(zone.ok ? [zone.text] : [])].some((spelling) => {
    const parts = spelling.match(/[\p{L}\p{N}]+/gu) ?? [];
    return parts.length > 0 && parts.every((part) => standsIn(plain, part));
  });
}

/** Whether a word occurs in the text, not as part of a longer one; small gaps between its letters are allowed. */
function standsIn(plain: string, word: string): boolean {
  if (word === '') return false;
  const spaced = Array.from(word).join(String.raw`\s?`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${spaced}(?![\p{L}\p{N}])`, 'u').test(plain);
}

const MONTHS = [
  'JANUARY OCAK',
  'FEBRUARY SUBAT',
  'MARCH MART',
  'APRIL NISAN',
  'MAY MAYIS',
  'JUNE HAZIRAN',
  'JULY TEMMUZ',
  'AUGUST AGUSTOS',
  'SEPTEMBER EYLUL',
  'OCTOBER EKIM',
  'NOVEMBER KASIM',
  'DECEMBER ARALIK',
].map((names) => names.split(' ').flatMap((name) => [name, name.slice(0, 3)]));

function dateStandsIn(plain: string, date: string): boolean {
  if (!isPlainDate(date)) return false;
  const { year, month, day } = partsOf(date);
  const [d, m] = [`0?${day}`, `0?${month}`];
  const between = String.raw`\s?[./\s-]\s?`;
  const words = MONTHS[month - 1]?.join('|') ?? '';
  const ways = [
    `${d}${between}${m}${between}${year}`,
    `${year}${between}${m}${between}${d}`,
    String.raw`${d}[\s./-]{0,2}(?:${words})[\s.,/-]{0,2}${year}`,
    String.raw`(?:${words})\s?${d},?\s?${year}`,
  ];
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${ways.join('|')})(?![\p{L}\p{N}])`, 'u').test(
    plain,
  );
}
