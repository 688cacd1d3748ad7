import { and, asc, count, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Language } from '~/base/languages.ts';
import { refused, type Outcome } from '~/base/outcome.ts';
import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import { listedName } from '~/features/application/full-name.ts';
import { readNumber } from '~/features/application/number.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { auditReveals, auditViews } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { removeFilesLater } from '~/platform/files/files.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { actionRefusal } from '../application/case-actions.ts';
import { claimHolders } from '../application/claim.server.ts';
import { openDuplicates, samePersonMarks } from '../application/duplicates.server.ts';
import { isSamePerson, type OpenDuplicate } from '../application/duplicates.ts';
import {
  compareUpload,
  personFacts,
  readPeople,
  uploadText,
} from '../application/match-document.server.ts';
import {
  isMatch,
  MAX_PDF_BYTES,
  MAX_WAITING_PDFS,
  needsCheck,
  type Comparison,
  type PersonFacts,
  type WaitingError,
} from '../application/pdf-rules.ts';
import type { DeskUpload } from '../application/store.server.ts';
import { deskUpload } from '../application/tables.server.ts';
import { hashUpload, upload, type UploadedFile } from '../application/uploads.server.ts';

/** The PDFs that somebody added and that no application got yet: for that person alone, in the order of adding. */
const waitsFor = (staffId: string) =>
  and(
    eq(deskUpload.staffId, staffId),
    isNull(deskUpload.applicationId),
    isNotNull(deskUpload.name),
  );

export const waitingUploads = (db: Queryable, staffId: string): Promise<DeskUpload[]> =>
  db
    .select()
    .from(deskUpload)
    .where(waitsFor(staffId))
    .orderBy(asc(deskUpload.createdAt), asc(deskUpload.fileId));

/** One of them; null for any other file. */
export async function waitingUpload(
  db: Queryable,
  staffId: string,
  fileId: string,
): Promise<DeskUpload | null> {
  const [row] = await db
    .select()
    .from(deskUpload)
    .where(and(waitsFor(staffId), eq(deskUpload.fileId, fileId)));
  return row ?? null;
}

export const uploadName = (
  { sealer }: Pick<Platform, 'sealer'>,
  { fileId, name }: DeskUpload,
): string => (name ? sealer.unsealText(name, `desk_upload.name:${fileId}`) : '');

/** Adds a PDF, which is checked as every PDF of the desk. */
export async function addPdf(
  platform: Platform,
  staff: Pick<Staff, 'id'>,
  file: File,
): Promise<Outcome<UploadedFile, WaitingError>> {
  if (file.size > MAX_PDF_BYTES) return refused('too_large');
  const { db, sealer } = platform;
  const mine = waitsFor(staff.id);
  const [{ waiting } = { waiting: 0 }] = await db
    .select({ waiting: count() })
    .from(deskUpload)
    .where(mine);
  // Checking a PDF costs the most: not for one that has no place.
  if (waiting >= MAX_WAITING_PDFS) return refused('full');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isSame = eq(deskUpload.contentHash, hashUpload(sealer, bytes));
  if ((await db.$count(deskUpload, and(mine, isSame))) > 0) return refused('same_file');
  return upload(platform, staff, bytes, { name: file.name });
}

/** Removes a waiting PDF. */
export async function removePdf(
  { db }: Pick<Platform, 'db'>,
  staff: Pick<Staff, 'id'>,
  fileId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const removed = await tx
      .delete(deskUpload)
      .where(and(waitsFor(staff.id), eq(deskUpload.fileId, fileId)))
      .returning({ fileId: deskUpload.fileId });
    await removeFilesLater(
      tx,
      removed.map((one) => one.fileId),
    );
  });
}

/** Says whose PDF it is; from then on it is compared with that application alone. */
export async function choosePerson(
  db: Queryable,
  staff: Pick<Staff, 'id'>,
  { fileId, applicationId }: { fileId: string; applicationId: string },
): Promise<void> {
  await db
    .update(deskUpload)
    .set({ draftFor: applicationId })
    .where(and(waitsFor(staff.id), eq(deskUpload.fileId, fileId)));
}

/** What a file says: its name, and its text; null where none can be read. */
type FileFacts = { name: string; text: string | null };

/** An application that a file may be for. `isOpen`: it can be approved. */
export type Candidate = { id: string; number: string; isOpen: boolean; person: PersonFacts };

/**
 * `exact`: one application, beyond doubt. `likely`: one, of which not enough was found. `several`: two or more, or
 * numbers that contradict one another. `nothing`: none. `chosen`: somebody said whose it is.
 */
export type PdfMatch = 'exact' | 'likely' | 'several' | 'nothing' | 'chosen';
type FileMatch<C> = { kind: PdfMatch; matched: readonly C[] };

/** Applications listed for one file. */
const MAX_MATCHES_LISTED = 8;

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
  const find = candidateFinder(file);
  const all = candidates
    .map((candidate) => ({ candidate, ...find(candidate) }))
    .filter(({ isNear }) => isNear);
  const current = all.filter(({ candidate, isNamed }) => candidate.isOpen || isNamed);
  const left = current.length > 0 ? current : all;
  const named = left.filter(({ isNamed }) => isNamed);
  const sure = left.filter(({ isSure }) => isSure);
  const [first, ...more] = sure.length > 1 ? sure.filter((one) => named.includes(one)) : sure;
  if (first && more.length === 0 && named.every((one) => one === first)) {
    return { kind: 'exact', matched: [first.candidate] };
  }
  const rest = left.filter((one) => !sure.includes(one) && !named.includes(one));
  const ordered = [...new Set([...sure, ...named, ...rest])].map(({ candidate }) => candidate);
  return { kind: kindOf(ordered.length), matched: ordered.slice(0, MAX_MATCHES_LISTED) };
}

function kindOf(matches: number): PdfMatch {
  if (matches === 0) return 'nothing';
  return matches === 1 ? 'likely' : 'several';
}

/** Tells how a file is about an application. Names and birth dates count in the text alone. */
function candidateFinder({ name, text }: FileFacts) {
  const words = wordsOf(name);
  const numbers = extractNumbers(`${words}\n${text ?? ''}`);
  const inText = readPeople(text ?? '');
  const inName = readPeople(words);
  return ({ number, person }: Candidate) => {
    const isNamed = numbers.includes(number);
    const hasPassport = inText.hasPassportNumber(person);
    return {
      isNamed,
      isNear: isNamed || hasPassport || inName.hasPassportNumber(person),
      isSure:
        hasPassport &&
        (isNamed ||
          inText.hasDateOfBirth(person) ||
          (inText.hasLastName(person) && inText.hasFirstName(person))),
    };
  };
}

/** A file's name as words: "e-visa_A01234547.pdf" is "e-visa A01234547". */
const wordsOf = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\.pdf$/i, '')
    .replace(/[._()[\]]+/g, ' ');

const NUMBER = /(?<![0-9A-Z])TR[VI](?:[\s\p{Dash}]?[0-9A-Z]){13}(?![0-9A-Z])/gu;

/** Numbers of applications that a text contains, with or without spaces and hyphens. */
export function extractNumbers(text: string): string[] {
  const found = text.toUpperCase().match(NUMBER);
  const read = (found ?? []).map((one) => readNumber(one));
  return [...new Set(read.flatMap((one) => (one.ok ? [one.number] : [])))];
}

/** Shorter and longer words are no passport numbers. */
const MIN_PASSPORT_NUMBER_LENGTH = 5;
const MAX_PASSPORT_NUMBER_LENGTH = 20;
/** Words that are looked for in the database, of one file. */
const MAX_WORDS_SEARCHED = 600;

/**
 * Whatever in a file may be a passport number, as it is stored: words with a digit, and two words that stand together,
 * since some documents write the letters of a number apart.
 */
export function extractPassportWords({ name, text }: FileFacts): string[] {
  const words = `${wordsOf(name)}\n${text ?? ''}`
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`);
  const found = [...words, ...pairs].filter(
    (word) =>
      word.length >= MIN_PASSPORT_NUMBER_LENGTH &&
      word.length <= MAX_PASSPORT_NUMBER_LENGTH &&
      /\d/.test(word),
  );
  return [...new Set(found.map((word) => tidyDocumentNumber(word)))].slice(0, MAX_WORDS_SEARCHED);
}

/** An application that a file may be for, compared with it. */
export type PdfChoice = {
  id: string;
  number: string;
  name: string;
  status: ApplicationStatus;
  /** Why it cannot be approved now, as far as its row tells; the command decides. */
  obstacle:
    | { code: 'decided' }
    | { code: 'unpaid' }
    | { code: 'claimed'; name: string; until: Date }
    | null;
  comparison: Comparison;
  /** Possible duplicates of the same person. */
  duplicates: readonly OpenDuplicate[];
};

export type WaitingPdf = {
  id: string;
  name: string;
  match: PdfMatch;
  /** Whether the PDF has text that can be read. */
  hasText: boolean;
  choices: PdfChoice[];
  /**
   * Whether its application can be approved without anybody looking: found exactly, every fact in the text, nobody else
   * has the file, it is no possible duplicate, and no other waiting file is for it.
   */
  isSafe: boolean;
};

/**
 * Somebody's waiting PDFs beside the applications that they may be for, as they are now. The passport numbers are shown
 * in full: the audit trail says so, and who viewed which. `orderNumber`: of a PDF that names nobody, the undecided
 * travellers of that order may be meant.
 */
export async function openWaitingPdfs(
  platform: Platform,
  staff: Staff,
  { language, orderNumber }: { language: Language; orderNumber: string | null },
): Promise<WaitingPdf[]> {
  const { db } = platform;
  const uploads = (await waitingUploads(db, staff.id)).map((row) => ({
    row,
    facts: { name: uploadName(platform, row), text: uploadText(platform, row) },
  }));
  const known = await candidatesOf(platform, staff, uploads, { language, orderNumber });
  const ids = known.map(({ id }) => id);
  const holders = await claimHolders(platform, staff, ids);
  const alike = await samePersonMarks(db, ids);
  const fellows = known.filter((one) => one.isOpen && one.application.orderNumber === orderNumber);
  const pdfs: WaitingPdf[] = [];
  for (const { row, facts } of uploads) {
    const chosen = known.filter(({ id }) => id === row.draftFor);
    const found = matchFile(facts, known);
    const isOpenToOrder = found.kind === 'nothing' && fellows.length > 0;
    const kind = isOpenToOrder ? kindOf(fellows.length) : found.kind;
    const matched = isOpenToOrder ? fellows : found.matched;
    const choices: PdfChoice[] = [];
    const isChosen = chosen.length > 0;
    for (const one of isChosen ? chosen : matched) choices.push(await choiceOf(row, one));
    const [only] = choices;
    const isExact = kind === 'exact' && only !== undefined && isMatch(only.comparison);
    // The right person by number and one fact is no match while another fact is missing.
    const match = kind === 'exact' && !isExact ? 'likely' : kind;
    pdfs.push({
      id: row.fileId,
      name: facts.name,
      match: isChosen ? 'chosen' : match,
      hasText: facts.text !== null,
      choices,
      isSafe:
        isExact &&
        !isChosen &&
        only.obstacle === null &&
        !needsCheck(only.comparison) &&
        only.duplicates.length === 0,
    });
  }
  const now = platform.now();
  const seen = [...new Set(pdfs.flatMap(({ choices }) => choices.map(({ id }) => id)))];
  await auditViews(db, staff, seen, now);
  await auditReveals(db, staff, seen, now);
  return aloneSafe(pdfs);

  async function choiceOf(row: DeskUpload, one: Known): Promise<PdfChoice> {
    const { id, number, status } = one.application;
    return {
      id,
      number,
      name: listedName(one.application),
      status,
      obstacle: obstacleOf(one),
      comparison: await compareUpload(platform, row, one.application, one.person),
      duplicates: alike.has(id)
        ? (await openDuplicates(platform, id)).filter(({ reasons }) => isSamePerson(reasons))
        : [],
    };
  }

  function obstacleOf({ id, refusal }: Known): PdfChoice['obstacle'] {
    const { name = null, until } = holders.get(id) ?? {};
    if (refusal !== null) return { code: refusal === 'unpaid' ? 'unpaid' : 'decided' };
    return name !== null && until ? { code: 'claimed', name, until } : null;
  }
}

/** Of two files for one application neither is safe. */
function aloneSafe(pdfs: readonly WaitingPdf[]): WaitingPdf[] {
  const times = new Map<string, number>();
  for (const { id } of pdfs.flatMap(({ choices }) => choices))
    times.set(id, (times.get(id) ?? 0) + 1);
  return pdfs.map((one) => ({
    ...one,
    isSafe: one.isSafe && one.choices.every(({ id }) => times.get(id) === 1),
  }));
}

/** Applications loaded at most, so that a text full of numbers does not load the whole queue. */
const MAX_CANDIDATES = 300;

type Known = Candidate & { application: Application; refusal: ReturnType<typeof actionRefusal> };

/** Every visa application that these files name or may name, each found by an index of its own. */
async function candidatesOf(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  staff: Staff,
  uploads: readonly { row: DeskUpload; facts: FileFacts }[],
  { language, orderNumber }: { language: Language; orderNumber: string | null },
): Promise<Known[]> {
  if (uploads.length === 0) return [];
  const numbers = uploads.flatMap(({ facts: { name, text } }) =>
    extractNumbers(`${wordsOf(name)}\n${text ?? ''}`),
  );
  const words = new Set(uploads.flatMap(({ facts }) => extractPassportWords(facts)));
  const hashes = [...words].map((word) =>
    sealer.keyedHash(word, 'visa_application.passport_number'),
  );
  const found = new Map<string, { row: Application; passportNumber: Buffer }>();
  const chosen = uploads.flatMap(({ row }) => row.draftFor ?? []);
  for (const where of [
    numbers.length > 0 && inArray(application.number, [...new Set(numbers)]),
    chosen.length > 0 && inArray(application.id, chosen),
    hashes.length > 0 && inArray(visaApplication.passportHash, hashes),
    orderNumber !== null && eq(application.orderNumber, orderNumber),
  ]) {
    if (!where) continue;
    const rows = await db
      .select({ row: application, passportNumber: visaApplication.passportNumber })
      .from(application)
      .innerJoin(visaApplication, eq(visaApplication.applicationId, application.id))
      .where(where)
      .orderBy(desc(application.createdAt))
      .limit(MAX_CANDIDATES);
    for (const one of rows) found.set(one.row.id, one);
  }
  return [...found.values()].map(({ row, passportNumber }) => {
    const { id, number, status, paidAt } = row;
    const refusal = actionRefusal('approve', { status, paid: paidAt !== null }, staff.role);
    const passport = sealer.unsealText(passportNumber, `visa_application.passport_number:${id}`);
    const person = personFacts(row, passport, language);
    return { id, number, isOpen: refusal === null, refusal, person, application: row };
  });
}
