import { parseDate, parseMonthName, type PlainDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { bareName, foldLetters, letterSpellings, typingMistakes } from '~/base/letters.ts';
import type {
  ComparedFact,
  ComparedField,
  Comparison,
  PersonFacts,
  Validity,
} from './pdf-rules.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import { synonyms } from '~/features/catalog/picker/synonyms.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { auditReveals } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import {
  readDocumentNumbers,
  sameFileElsewhere,
  uploadById,
  type DeskUpload,
} from './store.server.ts';

/**
 * Compares the text of a document with an application. Case, accents, hyphens and the space that some programs put
 * between letters are ignored; dates are found as documents of the Turkish authorities write them: day before month, or
 * year first. It does not tell whom else the document names; that is for staff to see. `text`: null where it has none.
 */
export function compareText(
  text: string | null,
  person: PersonFacts,
): Pick<Comparison, 'fields' | 'validity'> {
  const validity = readValidity(plainText(text ?? ''));
  const field = (fact: ComparedFact, applied: string, found: boolean): ComparedField => {
    if (text === null) return { fact, applied, mark: null, says: [] };
    if (found) return { fact, applied, mark: 'match', says: saidAnyway(fact) };
    const like = fact === 'validity' ? saidAnyway(fact) : likeFact[fact](text, person);
    const says = [...new Set(like)].slice(0, MAX_SAID_INSTEAD);
    return { fact, applied, mark: says.length > 0 ? 'differs' : 'missing', says };
  };
  const saidAnyway = (fact: ComparedFact) =>
    fact === 'validity' && validity ? [`${validity.from}/${validity.until}`] : [];
  const { passportNumber, lastName, firstName, dateOfBirth, visa } = person;
  const found = readPeople(text ?? '');
  const fields = [
    field('passportNumber', passportNumber, found.hasPassportNumber(person)),
    field('lastName', lastName, found.hasLastName(person)),
    field('firstName', firstName, found.hasFirstName(person)),
    field('dateOfBirth', dateOfBirth, found.hasDateOfBirth(person)),
  ];
  if (!visa) return { fields, validity };
  const [country = ''] = visa.nationality;
  const isNational = nationalityStandsIn(text ?? '', visa.nationality);
  const { arrival } = visa;
  const isValid = validity !== null && validity.from <= arrival && arrival <= validity.until;
  fields.push(field('nationality', country, isNational), field('validity', arrival, isValid));
  return { fields, validity };
}

/** Reads a text once, to look in it for the facts of many people. */
export function readPeople(text: string) {
  const plain = plainText(text);
  const days = new Set<string>(readDays(plain).map(({ day }) => day));
  return {
    hasPassportNumber: ({ passportNumber }: PersonFacts) =>
      standsIn(plain, plainText(passportNumber).replace(/[^A-Z0-9]/g, '')),
    hasLastName: ({ lastName }: PersonFacts) => namesStandIn(plain, lastName),
    hasFirstName: ({ firstName }: PersonFacts) => namesStandIn(plain, firstName),
    hasDateOfBirth: ({ dateOfBirth }: PersonFacts) => days.has(dateOfBirth),
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
  const parts = wordsOf(name);
  return (
    parts.length > 0 &&
    (parts.every((part) => occurs(plain, lettersOf(part))) ||
      occurs(plain, parts.flatMap(lettersOf)))
  );
}

const wordsOf = (name: string): string[] => bareName(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

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

/** Things of one kind that are named at most, so that they can be compared at a glance. */
const MAX_SAID_INSTEAD = 3;

/**
 * What a document says where a fact of the application was not found: passport numbers and dates that it contains, names
 * that stand behind their label or are nearly the person’s, most alike first.
 */
const likeFact: Record<
  Exclude<ComparedFact, 'validity'>,
  (text: string, person: PersonFacts) => string[]
> = {
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
    const days = readDays(text);
    const labelled = [...text.matchAll(/birth|born|doğum/gi)].flatMap(
      ({ index: at }) => days.find(({ index }) => index > at && index < at + 40) ?? [],
    );
    return (labelled.length > 0 ? labelled : days).map(({ day }) => day);
  },
  nationality: (text) => behind(text, NATIONALITY),
};

const NATIONALITY = 'nationality|citizenship|uyruğu|uyruk|vatandaşlığı';

/** Behind its label a country as it is written there, or its code; without a label its name anywhere. */
function nationalityStandsIn(text: string, written: readonly string[]): boolean {
  const labelled = behind(text, NATIONALITY).map(lettersAlone);
  if (labelled.length > 0) return written.some((name) => labelled.includes(lettersAlone(name)));
  const plain = plainText(text);
  // A code of three letters is a word as well.
  return written.some((name) => name.length > 3 && occurs(plain, wordsOf(name).flatMap(lettersOf)));
}

const lettersAlone = (text: string): string => plainText(text).replace(/[^\p{L}]/gu, '');

/** Characters between a label and its date. */
const LABEL_REACH = 60;
/** A passport is valid as well. */
const NOT_OF_PASSPORT = String.raw`(?<!(?:PASSPORT|DOCUMENT|PASAPORT|BELGE)[^.\d]{0,20})(?<!\p{L})`;
const VALID_UNTIL = new RegExp(
  String.raw`${NOT_OF_PASSPORT}(?:UNTIL|TO|TILL|ENDS?|BITIS\p{L}*)(?!\p{L})`,
  'gu',
);
const VALID_FROM = new RegExp(
  String.raw`${NOT_OF_PASSPORT}(?:VALID|GECERLI)\p{L}*(?!\p{L}|\s+(?:UNTIL|TO|TILL|BITIS)(?!\p{L}))`,
  'gu',
);

/** The days between which a document says that it is valid; null where it does not say both. */
function readValidity(plain: string): Validity | null {
  const dates = readDays(plain);
  const behindLabel = (label: RegExp) =>
    [...plain.matchAll(label)].flatMap(({ index: at }) =>
      dates.filter(({ index }) => index > at && index < at + LABEL_REACH),
    );
  const [from] = behindLabel(VALID_FROM);
  if (!from) return null;
  const until =
    behindLabel(VALID_UNTIL).find(({ index }) => index !== from.index) ??
    dates.find(({ index }) => index > from.index && index < from.index + LABEL_REACH);
  return until && from.day <= until.day ? { from: from.day, until: until.day } : null;
}

/** Day before month, or year first, in numbers; or the month's name in any of our languages, before or after the day. */
const DATE =
  /(?<![\p{L}\p{N}])(?:(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{4})|(\d{4})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{1,2})|(\d{1,2})[\s./-]{0,2}(\p{L}{3,9})[\s.,/-]{0,2}(\d{4})|(\p{L}{3,9})\s?(\d{1,2}),?\s?(\d{4}))(?![\p{L}\p{N}])/gu;

/** The days that a text names, and where. */
function readDays(text: string): { day: PlainDate; index: number }[] {
  return [...text.matchAll(DATE)].flatMap((found) => {
    const { index } = found;
    const [, d1, m1, y1, y2, m2, d2, d3, m3, y3, m4, d4, y4] = found;
    const named = m3 ?? m4;
    const month = named === undefined ? (m1 ?? m2) : String(parseMonthName(named) ?? '');
    const parts = [y1 ?? y2 ?? y3 ?? y4, month, d1 ?? d2 ?? d3 ?? d4];
    const day = parseDate(parts.map((part = '') => part.padStart(2, '0')).join('-'));
    return day ? [{ day, index }] : [];
  });
}

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

type Opening = { db: Queryable; sealer: Sealer };

/** `language`: of the country's name as it is shown. */
export function personFacts(
  { kind, firstName, lastName, dateOfBirth, countryCode: code, startsOn }: Application,
  passportNumber: string,
  language: Language,
): PersonFacts {
  const person = { passportNumber, firstName, lastName, dateOfBirth };
  if (kind !== 'visa') return person;
  const country = { code, name: code };
  const names = ([language, 'en', 'tr'] as const).flatMap((one) => [
    countryName(country, one),
    placeName(code, one),
  ]);
  return {
    ...person,
    visa: { nationality: [...names, code, ...(synonyms[code] ?? [])], arrival: startsOn },
  };
}

/** The text that was read in an upload; null where there is none. */
export const uploadText = ({ sealer }: Pick<Opening, 'sealer'>, { fileId, text }: DeskUpload) =>
  text && sealer.unsealText(text, `desk_upload.text:${fileId}`);

/** Compares an upload with an application. */
export async function compareUpload(
  { db, sealer }: Opening,
  upload: DeskUpload,
  application: Application,
  person: PersonFacts,
): Promise<Comparison> {
  const { contentHash } = upload;
  const usedFor = contentHash
    ? await sameFileElsewhere(db, { contentHash, applicationId: application.id })
    : [];
  return { ...compareText(uploadText({ sealer }, upload), person), usedFor };
}

/** Compares an uploaded PDF with its application; null for an unknown file. */
export async function compareDocument(
  opening: Opening,
  application: Application,
  fileId: string,
  language: Language = 'en',
): Promise<Comparison | null> {
  const upload = await uploadById(opening.db, fileId);
  if (!upload) return null;
  const numbers = await readDocumentNumbers(opening, application);
  const person = personFacts(application, numbers?.passport ?? '', language);
  return compareUpload(opening, upload, application, person);
}

/**
 * `compareDocument` for the eyes of somebody. The passport number is shown in full, because nobody can compare a masked
 * one; that is recorded like every other look at it.
 */
export async function showComparison(
  platform: Pick<Platform, 'db' | 'sealer' | 'now'>,
  staff: Pick<Staff, 'id'>,
  application: Application,
  fileId: string,
  language: Language,
): Promise<Comparison | null> {
  const comparison = await compareDocument(platform, application, fileId, language);
  if (comparison) await auditReveals(platform.db, staff, [application.id], platform.now());
  return comparison;
}
