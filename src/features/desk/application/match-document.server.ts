import { isPlainDate, splitDate } from '~/base/dates/dates.ts';
import { bareName, foldLetters, letterSpellings, typingMistakes } from '~/base/letters.ts';
import {
  comparedFacts,
  type ComparedFact,
  type DocumentMatch,
  type PersonFacts,
  type WrittenInstead,
  needsCheck,
  type Comparison,
} from './pdf-rules.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import { readDocumentNumbers, sameFileElsewhere, uploadById } from './store.server.ts';
import { auditReveals } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';

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
  // Passports leave an apostrophe and a middle dot in a name out: D’Souza is DSOUZA.
  foldLetters(text).toUpperCase().replace(INSIDE, '');

const INSIDE = /['’‘‛`´ʹʻʼʽʾʿˈ′·‧∙⋅•]/g;

/**
 * Every part of a name as a word of its own, in any order, or all of them as one word; each letter as documents print
 * it: MULLER or MUELLER, SOREN or SOEREN. A name in another script is not found.
 */
function namesStandIn(plain: string, name: string): boolean {
  const parts = bareName(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return (
    parts.length > 0 &&
    (parts.every((part) => occurs(plain, lettersOf(part))) ||
      occurs(plain, parts.flatMap(lettersOf)))
  );
}

const lettersOf = (word: string): string[] =>
  Array.from(word.normalize('NFC'), (letter) => {
    const spellings = letterSpellings(letter).map((one) => spaced(one.toUpperCase()));
    return `(?:${spellings.join('|')})`;
  });

/** Whether a word occurs in the text, not as part of a longer one; small gaps between its letters are allowed. */
const standsIn = (plain: string, word: string): boolean => occurs(plain, Array.from(word));

const spaced = (word: string): string => Array.from(word).join(GAP);
const GAP = String.raw`\s?`;

function occurs(plain: string, letters: readonly string[]): boolean {
  if (letters.length === 0) return false;
  const word = letters.join(GAP);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${word}(?![\p{L}\p{N}])`, 'u').test(plain);
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
  const { year, month, day } = splitDate(date);
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

/** Things of one kind that are named at most, so that they can be compared at a glance. */
const MAX_WRITTEN_INSTEAD = 3;

/**
 * What a document says where a fact of the person was not found: passport numbers and dates that it contains, names
 * that stand behind their label or are nearly the person’s, most alike first. Nothing where it has nothing like it.
 */
export function findWrittenInstead(
  text: string,
  person: PersonFacts,
  match: DocumentMatch,
): WrittenInstead {
  const instead: WrittenInstead = {};
  for (const fact of comparedFacts) {
    if (match[fact]) continue;
    const found = [...new Set(likeFact[fact](text, person))].slice(0, MAX_WRITTEN_INSTEAD);
    if (found.length > 0) instead[fact] = found;
  }
  return instead;
}

const likeFact: Record<ComparedFact, (text: string, person: PersonFacts) => string[]> = {
  passportNumber: (text, { passportNumber }) => {
    const words = text.toUpperCase().match(/(?<![A-Z0-9])[A-Z]{0,3}\d[A-Z0-9]{4,10}(?![A-Z0-9])/g);
    return closest(words ?? [], passportNumber);
  },
  lastName: (text, { lastName }) => [
    ...behind(text, 'surname|last name|family name|soyadı|soyad'),
    ...nearly(text, lastName),
  ],
  firstName: (text, { firstName }) => [
    ...behind(text, String.raw`given names?(?:\(s\))?|first names?|(?<!\p{L})adı|(?<!\p{L})ad`),
    ...nearly(text, firstName),
  ],
  dateOfBirth: (text) => {
    const dates = [...text.matchAll(DATE)];
    const labelled = [...text.matchAll(/birth|born|doğum/gi)].flatMap(({ index: at }) => {
      const date = dates.find(({ index }) => index > at && index < at + 40);
      return date ? [date] : [];
    });
    return (labelled.length > 0 ? labelled : dates).map(([date]) => date);
  },
};

const DATE =
  /(?<![\p{L}\p{N}])(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2} ?\p{L}{3,9}\.? ?\d{4})(?!\d)/gu;

const closest = (words: readonly string[], to: string): string[] => {
  const wanted = foldLetters(to);
  const far = (word: string) => typingMistakes(foldLetters(word), wanted);
  return words.toSorted((one, other) => far(one) - far(other));
};

/** The capitals behind a label, which may be printed in two languages: “Surname / Soyadı”. */
function behind(text: string, label: string): string[] {
  const labels = text.matchAll(new RegExp(String.raw`(?<!\p{L})(?:${label})(?!\p{L})`, 'giu'));
  return [...labels].flatMap(({ index, 0: { length } }) => {
    const [, name] = VALUE.exec(text.slice(index + length, index + length + 100)) ?? [];
    return name === undefined ? [] : [name];
  });
}

const VALUE =
  /^\s*(?:\/\s*\p{Lu}?\p{Ll}+(?: \p{Ll}+)?)?\s*:?\s*(\p{Lu}[\p{Lu}'’-]+(?: \p{Lu}[\p{Lu}'’-]+){0,3})(?!\p{L})/u;

/** Words that are nearly a part of a name, but not it. */
function nearly(text: string, name: string): string[] {
  const parts = (name.match(/[\p{L}\p{M}]{4,}/gu) ?? []).map(foldLetters);
  const words = text.match(/[\p{L}\p{M}]{3,}/gu) ?? [];
  return words.filter((word) =>
    parts.some((part) => {
      const mistakes = typingMistakes(foldLetters(word), part);
      return mistakes > 0 && mistakes <= 2 && mistakes * 3 < part.length + 2;
    }),
  );
}

/** Compares an uploaded PDF with its application; null for an unknown file. */
export async function compareDocument(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  application: Application,
  fileId: string,
): Promise<Comparison | null> {
  const upload = await uploadById(db, fileId);
  if (!upload) return null;
  const usedFor = upload.contentHash
    ? await sameFileElsewhere(db, {
        contentHash: upload.contentHash,
        applicationId: application.id,
      })
    : [];
  const numbers = upload.text && (await readDocumentNumbers({ db, sealer }, application));
  if (!upload.text || !numbers) return { match: null, instead: {}, usedFor };
  const { firstName, lastName, dateOfBirth } = application;
  const text = sealer.unsealText(upload.text, `desk_upload.text:${fileId}`);
  const person = { passportNumber: numbers.passport, firstName, lastName, dateOfBirth };
  const match = matchDocument(text, person);
  return { match, instead: findWrittenInstead(text, person, match), usedFor };
}

/** What the preview shows beside the PDF: the application's facts, and which of them the PDF contains. */
export type ComparisonView = Comparison & {
  needsALook: boolean;
  /** As the application has them: the passport number in full, the birth date as `YYYY-MM-DD`. */
  facts: Record<ComparedFact, string>;
};

/**
 * A PDF beside its application; null for an unknown file. The passport number is shown in full, because nobody can
 * compare a masked one; that is recorded like every other look at it.
 */
export async function showComparison(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  staff: Pick<Staff, 'id'>,
  application: Application,
  fileId: string,
): Promise<ComparisonView | null> {
  const comparison = await compareDocument({ db, sealer }, application, fileId);
  if (!comparison) return null;
  const { firstName, lastName, dateOfBirth } = application;
  const numbers = await readDocumentNumbers({ db, sealer }, application);
  if (numbers) await auditReveals(db, staff, [application.id], now());
  return {
    ...comparison,
    needsALook: needsCheck(comparison),
    facts: { passportNumber: numbers?.passport ?? '', lastName, firstName, dateOfBirth },
  };
}
