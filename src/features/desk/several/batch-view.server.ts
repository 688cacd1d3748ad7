import { countryName } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Language } from '~/base/languages.ts';
import { maskNumber, tidyDocumentNumber } from '~/features/application/document-number.ts';
import { listedName } from '~/features/application/full-name.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { Application } from '~/features/application/store.server.ts';
import { auditReveals, auditViews } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { actionRefusal } from '../application/case-actions.ts';
import { samePersonMarks } from '../application/duplicates.server.ts';
import { claimHolders } from '../application/claim.server.ts';
import { sameFileElsewhere } from '../application/store.server.ts';
import type { BatchFault, PersonFacts } from '../application/pdf-rules.ts';
import { batchFiles, findVisas, type PdfBatch, type BatchFile } from './batch.server.ts';
import { readNumber } from '~/features/application/number.ts';
import { matchDocument } from '../application/match-document.server.ts';

/** What a file says: its name, and its text; null where none can be read. */
type FileFacts = { name: string; text: string | null };

/** An application that a file may be for. `isOpen`: it can be approved. */
export type Candidate = PersonFacts & { id: string; number: string; isOpen: boolean };

/** Where a number of the application stands: in the PDF's text, only in the file's name, or nowhere. */
type Place = 'text' | 'name' | null;

/** What of an application was found in a file. */
type Found = {
  passportNumber: Place;
  number: Place;
  lastName: boolean;
  firstName: boolean;
  dateOfBirth: boolean;
};

type Matched<C> = { candidate: C; found: Found };

/**
 * `exact`: one application, beyond doubt. `likely`: one, of which not enough was found. `several`: two or more, or
 * numbers that contradict one another. `nothing`: none.
 */
type MatchKind = 'exact' | 'likely' | 'several' | 'nothing';
type FileMatch<C> = { kind: MatchKind; matched: readonly Matched<C>[] };

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
  return { kind, matched: ordered.slice(0, MAX_MATCHES_LISTED) };
}

const isSure = ({ found }: Matched<Candidate>): boolean =>
  found.passportNumber === 'text' &&
  (found.number !== null || found.dateOfBirth || (found.lastName && found.firstName));

/** What of an application is found in a file. Names and birth dates count in the text alone. */
function foundIn({ name, text }: FileFacts, candidate: Candidate): Found {
  const inText = matchDocument(text ?? '', candidate);
  const words = wordsOf(name);
  const isNamedIn = (where: string) => extractNumbers(where).includes(candidate.number);
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
const numbersOfFile = ({ name, text }: FileFacts): string[] => [
  ...extractNumbers(wordsOf(name)),
  ...extractNumbers(text ?? ''),
];

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

/** Why an application cannot be approved now, as far as its row tells; the command decides. */
type DecisionObstacle =
  | { code: 'decided' }
  | { code: 'unpaid' }
  | { code: 'claimed'; name: string; until: Date };

/** An application that a file may be for, as the desk shows it. */
export type FileChoice = {
  id: string;
  number: string;
  name: string;
  country: string;
  /** Masked where it stands in the PDF's text; in full where it has to be compared by eye. */
  passport: string;
  status: ApplicationStatus;
  found: Found;
  obstacle: DecisionObstacle | null;
  /** Numbers of others who got the same file. */
  usedFor: string[];
  /** Whether it may be a duplicate of another application. */
  hasDuplicate: boolean;
};

/** `chosen`: somebody typed the application's number. */
export type ShownMatch = MatchKind | 'chosen';

export type BatchFileView = { id: string; name: string } & (
  | { kind: 'fault'; fault: BatchFault }
  /** An application was approved with it, or got it otherwise. */
  | { kind: 'used'; number: string; applicant: string }
  | {
      kind: 'waiting';
      match: ShownMatch;
      /** Whether the PDF has text that can be read. */
      hasText: boolean;
      choices: FileChoice[];
      /**
       * Whether its application can be approved without anybody looking: found exactly, every fact in the text, nobody
       * else has the file, it is no possible duplicate, and no other file of the batch is for it.
       */
      isSafe: boolean;
    }
);

export type BatchView = { id: string; leftOut: number; files: BatchFileView[] };

type Known = Candidate & { application: Application; refusal: ReturnType<typeof actionRefusal> };
type Waiting = { file: BatchFile; facts: FileFacts; contentHash: Buffer | null };

/**
 * The files of a batch with the applications that they may be for, as they are now. The audit trail says who viewed these,
 * and whose passport number was shown in full.
 */
export async function openBatchView(
  platform: Platform,
  staff: Staff,
  batch: PdfBatch,
  language: Language,
): Promise<BatchView> {
  const rows = await batchFiles(platform.db, batch.id);
  const named = rows.map((row) => ({ ...row, name: nameOf(platform, row.file) }));
  const waiting = new Map<string, Waiting>();
  for (const { file, upload, name } of named) {
    if (!upload || upload.applicationId !== null) continue;
    const text =
      upload.text && platform.sealer.unsealText(upload.text, `desk_upload.text:${upload.fileId}`);
    waiting.set(file.id, { file, facts: { name, text }, contentHash: upload.contentHash });
  }
  const used = named.flatMap(({ upload }) => upload?.applicationId ?? []);
  const known = await candidatesOf(platform, staff, [...waiting.values()], used);
  const holders = await claimHolders(platform, staff, [...known.keys()]);
  const alike = await samePersonMarks(platform.db, [...known.keys()]);
  const countries = await allCountries(platform);
  const all = [...known.values()];

  const files: BatchFileView[] = [];
  for (const { file, upload, name } of named) {
    const about = { id: file.id, name };
    const one = waiting.get(file.id);
    if (file.fault !== null) files.push({ ...about, kind: 'fault', fault: file.fault });
    else if (one) files.push({ ...about, ...(await match(one)) });
    else {
      const application = known.get(upload?.applicationId ?? '')?.application;
      files.push({
        ...about,
        kind: 'used',
        number: application?.number ?? '',
        applicant: application ? listedName(application) : '',
      });
    }
  }
  const choices = files.flatMap((one) => (one.kind === 'waiting' ? one.choices : []));
  const revealed = choices.filter(({ found }) => isRevealed(found));
  const seen = new Set([...choices.map(({ id }) => id), ...used]);
  const now = platform.now();
  await auditViews(platform.db, staff, [...seen], now);
  await auditReveals(platform.db, staff, [...new Set(revealed.map(({ id }) => id))], now);
  return { id: batch.id, leftOut: batch.leftOut, files: aloneSafe(files) };

  async function match({ file, facts, contentHash }: Waiting) {
    const chosen = known.get(file.applicationId ?? '');
    const { kind, matched } = chosen
      ? { kind: 'chosen' as const, matched: [{ candidate: chosen, found: foundIn(facts, chosen) }] }
      : matchFile(facts, all);
    const choices: FileChoice[] = [];
    for (const { candidate, found } of matched) {
      const { application, passportNumber } = candidate;
      const usedFor = contentHash
        ? await sameFileElsewhere(platform.db, { contentHash, applicationId: application.id })
        : [];
      choices.push({
        id: application.id,
        number: application.number,
        name: listedName(application),
        country: countryName(countryOf(application), language),
        passport: isRevealed(found) ? passportNumber : maskNumber(passportNumber),
        status: application.status,
        found,
        obstacle: obstacleOf(candidate),
        usedFor,
        hasDuplicate: alike.has(application.id),
      });
    }
    const [only] = choices;
    const isSafe = kind === 'exact' && only !== undefined && isWhole(only);
    return {
      kind: 'waiting' as const,
      // The right person by number and one fact is no match while another fact is missing.
      match: kind === 'exact' && only && !hasEveryFact(only) ? ('likely' as const) : kind,
      hasText: facts.text !== null,
      choices,
      isSafe,
    };
  }

  function countryOf({ countryCode: code }: Application) {
    return countries.find((one) => one.code === code) ?? { code, name: code };
  }

  function obstacleOf({ application, refusal }: Known): DecisionObstacle | null {
    const { name = null, until } = holders.get(application.id) ?? {};
    if (refusal !== null) return { code: refusal === 'unpaid' ? 'unpaid' : 'decided' };
    return name !== null && until ? { code: 'claimed', name, until } : null;
  }
}

const isRevealed = ({ passportNumber }: Found): boolean => passportNumber !== 'text';

/** Everything that the command would ask about agrees. */
const isWhole = (choice: FileChoice): boolean =>
  choice.obstacle === null &&
  choice.usedFor.length === 0 &&
  !choice.hasDuplicate &&
  hasEveryFact(choice);

const hasEveryFact = ({ found }: FileChoice): boolean =>
  found.passportNumber === 'text' && found.lastName && found.firstName && found.dateOfBirth;

/** Of two files for one application neither is safe. */
function aloneSafe(files: readonly BatchFileView[]): BatchFileView[] {
  const times = new Map<string, number>();
  for (const one of files) {
    if (one.kind !== 'waiting') continue;
    for (const { id } of one.choices) times.set(id, (times.get(id) ?? 0) + 1);
  }
  const isAlone = ({ id }: FileChoice) => times.get(id) === 1;
  return files.map((one) =>
    one.kind === 'waiting' ? { ...one, isSafe: one.isSafe && one.choices.every(isAlone) } : one,
  );
}

const nameOf = ({ sealer }: Pick<Platform, 'sealer'>, { id, name }: BatchFile): string =>
  sealer.unsealText(name, `desk_pdf_batch_file.name:${id}`);

/** Every application that these files name or may name, by id, and those that got files already. */
async function candidatesOf(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  staff: Staff,
  waiting: readonly Waiting[],
  used: readonly string[],
): Promise<Map<string, Known>> {
  const words = new Set(waiting.flatMap(({ facts }) => extractPassportWords(facts)));
  const found = await findVisas(db, {
    numbers: [...new Set(waiting.flatMap(({ facts }) => numbersOfFile(facts)))],
    ids: [...used, ...waiting.flatMap(({ file }) => file.applicationId ?? [])],
    hashes: [...words].map((word) => sealer.keyedHash(word, 'visa_application.passport_number')),
  });
  return new Map(
    found.map(({ application, passportNumber }) => {
      const { id, number, firstName, lastName, dateOfBirth, status, paidAt } = application;
      const refusal = actionRefusal('approve', { status, paid: paidAt !== null }, staff.role);
      const known = {
        id,
        number,
        firstName,
        lastName,
        dateOfBirth,
        isOpen: refusal === null,
        refusal,
        passportNumber: sealer.unsealText(passportNumber, `visa_application.passport_number:${id}`),
        application,
      };
      return [id, known] as const;
    }),
  );
}
