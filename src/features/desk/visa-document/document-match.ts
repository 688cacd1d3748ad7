import { isPlainDate, partsOf } from '~/base/dates/dates.ts';
import { machineReadable } from '~/features/application/machine-readable.ts';

/** What an e-visa says of the person it is for, and what the application says. */
export const comparedFacts = ['passportNumber', 'lastName', 'firstName', 'dateOfBirth'] as const;
export type ComparedFact = (typeof comparedFacts)[number];
export type PersonFacts = Record<ComparedFact, string>;

/** Whether each fact of the application stands in a document's text. */
export type DocumentMatch = Record<ComparedFact, boolean>;

/**
 * Looks for a person's facts in the text of a document. Case, accents, hyphens and the space that some programs put
 * between letters do not matter; dates are found as documents of the Turkish authorities write them: day before month, or
 * year first. It only finds what is there: who else the document may name, people see.
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
    // An apostrophe in a name is left out in passports: D’Souza is DSOUZA.
    .replace(/['’‘ʼ`´]/g, '');

/**
 * Every part of a name as a word of its own, in whatever order: accents left out (MULLER) or as a passport's
 * machine-readable lines spell them (MUELLER). A name in another script than the document's is not found.
 */
function namesStandIn(plain: string, name: string): boolean {
  const zone = machineReadable(name);
  return [plainText(name), ...(zone.ok ? [zone.text] : [])].some((spelling) => {
    const parts = spelling.match(/[\p{L}\p{N}]+/gu) ?? [];
    return parts.length > 0 && parts.every((part) => standsIn(plain, part));
  });
}

/** Whether a word stands in the text and is not a piece of a longer one; a little space between its letters is allowed. */
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
