import { parentPort } from 'node:worker_threads';
import { extractText, getDocumentProxy } from 'unpdf';
import { inflateSync, constants } from 'node:zlib';

/**
 * Space as in ISO 32000-1, 7.2.2 and 7.2.3, where null bytes and comments are space as well. Between a name and its
 * value at most `MAX_SPACE_PIECES` pieces are read: without a limit a file of names and comments takes quadratic time.
 */
const MAX_SPACE_PIECES = 64;
const MAX_COMMENT_LENGTH = 200;
const PIECE = String.raw`(?:[\s\0]|%[^\r\n]{0,${MAX_COMMENT_LENGTH}}[\r\n])`;
const SPACE = `${PIECE}{0,${MAX_SPACE_PIECES}}`;
/** Space beyond the limit: what follows is not searched, and the file is refused. */
const ENDLESS = String.raw`${PIECE}{${MAX_SPACE_PIECES}}[\s\0%]|${SPACE}%[^\r\n]{${MAX_COMMENT_LENGTH + 1}}`;

/** Actions that run or open something, embedded files, dynamic forms, encryption. */
const NAMES =
  /\/(JavaScript|Launch|EmbeddedFiles?|FileAttachment|Filespec|RichMedia|Rendition|SubmitForm|ImportData|GoTo[ER]|XFA|Encrypt)(?![A-Za-z0-9])/;

/** Short names also occur in compressed bytes by chance, so they count only with a value. */
const VALUE = String.raw`(?:<|\(|\d+[\s\0%])`;
const SHORT = [
  // Actions on opening or leaving a page, scripts, and embedded files.
  new RegExp(String.raw`\/(?:AA|JS|EF)(?:${SPACE}${VALUE}|${ENDLESS})`),
  new RegExp(String.raw`\/(?:Subtype|S)(?:${SPACE}\/(?:3D|Movie|Sound)(?![A-Za-z0-9])|${ENDLESS})`),
];

/** A link to the web or an email address, written out: it opens only when it is pressed. */
const LINK = /^\((https?:\/\/|mailto:)/i;

/** A document has one action on opening, and one more for each change of the file. */
const MAX_OPEN_ACTIONS = 100;
const MAX_LINKS = 5_000;

/**
 * Whether PDF syntax (names with their escapes undone) does more than show pages: runs, opens or embeds something, or
 * acts on its own. A destination on opening and links to the web are common in ordinary files, and allowed. Takes
 * linear time.
 */
function doesMoreThanShow(text: string): boolean {
  if (NAMES.test(text) || SHORT.some((one) => one.test(text))) return true;
  return opensByItself(text) || linksElsewhere(text);
}

function opensByItself(text: string): boolean {
  const values = valuesOf(text, 'OpenAction', MAX_OPEN_ACTIONS);
  if (values === 'too_many') return true;
  if (values.length === 0) return false;
  const objects = objectsIn(text);
  return values.some((value) => {
    const [, number, generation] = /^0*(\d+)\s+0*(\d+)\s+R/.exec(value) ?? [];
    if (number === undefined) return !isDestination(value);
    const found = objects.get(`${number} ${generation}`) ?? [];
    // An action among packed objects is not found, and too many are not all read: the file is refused in both cases.
    if (found.length === 0 || found.length > MAX_OPEN_ACTIONS) return true;
    return found.some((from) => !isDestination(skip(text, from)));
  });
}

/** Where the content of each object begins, by number and generation; several where a file was changed. */
function objectsIn(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let at = text.indexOf('obj'); at !== -1; at = text.indexOf('obj', at + 3)) {
    const name = objectBefore(text, at);
    if (name === null) continue;
    const known = found.get(name) ?? [];
    if (known.length <= MAX_OPEN_ACTIONS) known.push(at + 3);
    found.set(name, known);
  }
  return found;
}

/**
 * `12 0` where that precedes a position, with space after it; null where it does not. Scanned backwards by hand, as a
 * regular expression would need memory for each digit of a file of digits.
 */
function objectBefore(text: string, end: number): string | null {
  const generationEnd = startOf(text, end, isSpace);
  const generation = startOf(text, generationEnd, isDigit);
  const numberEnd = startOf(text, generation, isSpace);
  const number = startOf(text, numberEnd, isDigit);
  const isWhole =
    generationEnd < end &&
    generation < generationEnd &&
    numberEnd < generation &&
    number < numberEnd;
  if (!isWhole) return null;
  return `${withoutZeros(text, number, numberEnd)} ${withoutZeros(text, generation, generationEnd)}`;
}

/** Where a run of such characters, ending at a position, begins. */
function startOf(text: string, end: number, isKind: (code: number) => boolean): number {
  let at = end;
  while (at > 0 && isKind(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** The number between two positions; of nothing but zeros the last one stays. */
function withoutZeros(text: string, start: number, end: number): string {
  let at = start;
  while (at < end - 1 && text[at] === '0') at += 1;
  return text.slice(at, end);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** As `\s` in Latin 1, in which the file is read. */
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 160;

/** `[page /Fit]`, or an action that goes there and has no next one. */
function isDestination(value: string): boolean {
  if (value.startsWith('[')) return true;
  const [action] = /^<<[^<>]*>>/.exec(value) ?? [];
  return action !== undefined && /\/GoTo(?![A-Za-z])/.test(action) && !action.includes('/Next');
}

function linksElsewhere(text: string): boolean {
  const values = valuesOf(text, 'URI', MAX_LINKS);
  return (
    values === 'too_many' ||
    values.some((value) => /^(\(|<(?!<)|\d+[\s\0%])/.test(value) && !LINK.test(value))
  );
}

/** What follows each occurrence of a name: its value, where it is a key. */
function valuesOf(text: string, name: string, most: number): string[] | 'too_many' {
  const found: string[] = [];
  for (const match of text.matchAll(new RegExp(`/${name}(?![A-Za-z0-9])`, 'g'))) {
    if (found.length === most) return 'too_many';
    found.push(skip(text, match.index + match[0].length));
  }
  return found;
}

const MAX_VALUE_LENGTH = 2000;
const LEADING_SPACE = new RegExp(`^${PIECE}*`);
const skip = (text: string, from: number): string =>
  text.slice(from, from + MAX_VALUE_LENGTH).replace(LEADING_SPACE, '');

/** Bytes that all streams together may unpack to, so that a small file cannot exhaust the memory. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** A visa has a dozen streams; more than this is an attack on the checker. */
const MAX_STREAMS = 5_000;
/** The end mark is in the last kilobyte (ISO 32000-1, Annex H, implementation note 18). */
const TAIL_BYTES = 1024;

/** Arrays and dictionaries that begin inside one another with none ended; readers run out of stack far above it. */
const MAX_NESTING = 100;
/** A file of 5 MB has no million pages, whatever it says; readers make a list as long as the number. */
const ABSURD_COUNT = /\/Count\s{0,9}\+?\d{7}/;

/** Bytes between a stream and the `obj` before it, which hold its dictionary; a file with a longer one is refused. */
const MAX_DICTIONARY_BYTES = 64 * 1024;

/**
 * Why a PDF must not be sent to a traveller, by its content alone; null where it may. The caller has checked the file's
 * first bytes and size. Hostile files can take long: run it where it can be ended.
 */
export function findFault(buffer: Buffer): 'broken' | 'unsafe' | null {
  const raw = buffer.toString('latin1');
  const tail = raw.slice(-TAIL_BYTES);
  // Only space may follow the end mark: files that are also a web page or an archive have that there.
  if (!/startxref\s+\d+\s+%%EOF[\s\0]*$/.test(tail)) return 'broken';
  return hidesNothing(buffer, raw) ? null : 'unsafe';
}

function hidesNothing(buffer: Buffer, raw: string): boolean {
  // Names are searched in every byte, also inside streams and comments, because readers differ in what they take for an
  // object. `/J#61vaScript` is the same name as `/JavaScript`.
  const plain = namesWritten(raw);
  if (doesMoreThanShow(plain) || misleadsReaders(plain) || hasOwnParent(plain)) return false;
  const streams = [...raw.matchAll(/stream\r?\n|stream\r/g)].filter(
    ({ index }) => raw.slice(index - 3, index) !== 'end',
  );
  if (streams.length > MAX_STREAMS) return false;
  let budget = MAX_UNPACKED_BYTES;
  let announcedStreams = 0;
  for (const match of streams) {
    const written = dictionaryBefore(raw, match.index);
    if (written === null) return false;
    const dictionary = namesWritten(written);
    const content = unpack(buffer.subarray(match.index + match[0].length), budget);
    if (content === false) return false;
    budget -= content?.length ?? 0;
    if (isPackedObjects(dictionary)) {
      // Objects may be packed inside a stream; only plain deflate streams can be checked.
      if (!content || !isPlainlyPacked(dictionary)) return false;
      if (/\/ObjStm(?![A-Za-z0-9])/.test(dictionary)) announcedStreams++;
    }
    const unpacked = content && namesWritten(content);
    if (unpacked && (doesMoreThanShow(unpacked) || misleadsReaders(unpacked))) return false;
  }
  const announced = plain.match(/\/ObjStm(?![A-Za-z0-9])/g)?.length ?? 0;
  return announced === announcedStreams;
}

/** Whether a reader that follows the file step by step would run out of stack or memory. */
const misleadsReaders = (text: string): boolean => ABSURD_COUNT.test(text) || isNestedDeeply(text);

function isNestedDeeply(text: string): boolean {
  let begun = 0;
  // Bytes that are no syntax, as in pictures, end one as often as they begin one.
  for (const [mark] of text.matchAll(/[[<\]>]/g)) {
    begun = mark === '[' || mark === '<' ? begun + 1 : 0;
    if (begun > MAX_NESTING * 2) return true;
  }
  return false;
}

/** Whether an object names itself as its parent: readers look for a page's size in its parents, one after the other. */
function hasOwnParent(text: string): boolean {
  let own = '';
  for (const [, id, parent] of text.matchAll(
    /\b0*(\d{1,9})\s{1,9}\d{1,5}\s{1,9}obj\b|\/Parent\s{0,9}0*(\d{1,9})(?=\s)/g,
  )) {
    if (id !== undefined) own = id;
    else if (parent === own) return true;
  }
  return false;
}

const namesWritten = (text: string): string =>
  text.replace(/#([0-9a-fA-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/**
 * The text from the last `obj` before a stream; null where there is none within reach. Where that `obj` is in a string
 * or comment, `isPlainlyPacked` refuses it.
 */
function dictionaryBefore(raw: string, end: number): string | null {
  const near = raw.slice(Math.max(end - MAX_DICTIONARY_BYTES, 0), end);
  const start = near.lastIndexOf('obj');
  return start < 0 ? null : near.slice(start);
}

/** `/First` counts as well: some readers unpack without checking the type. */
const isPackedObjects = (dictionary: string) => /\/(ObjStm|First)(?![A-Za-z0-9])/.test(dictionary);

const isPlainlyPacked = (dictionary: string): boolean =>
  /^obj\s*<<[^()%]*>>\s*$/.test(dictionary) &&
  /\/Filter\s*(\[\s*\/FlateDecode\s*\]|\/FlateDecode(?![A-Za-z0-9])\s*(\/|>>))/.test(dictionary) &&
  dictionary.match(/\/Filter/g)?.length === 1 &&
  !/\/(DecodeParms|DP|F)(?![A-Za-z0-9])/.test(dictionary);

/** The unpacked content; null for a stream packed in another way, such as a JPEG; false above the budget. */
function unpack(bytes: Buffer, budget: number): string | null | false {
  try {
    return inflateSync(bytes, {
      maxOutputLength: Math.max(budget, 1),
      finishFlush: constants.Z_SYNC_FLUSH,
    }).toString('latin1');
  } catch (error) {
    const isBomb =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isBomb ? false : null;
  }
}

/** Messages to and from the thread that reads PDFs: first the check, then, for a harmless file, the text. */
export type WorkerRequest = { id: number; bytes: Uint8Array<ArrayBuffer> };
export type FromWorker =
  | { id: number; kind: 'checked'; fault: 'broken' | 'unsafe' | null }
  | { id: number; kind: 'text'; text: string | null };

// A worker thread (see read-pdf.server.ts), started by Node directly from this file or its build, so `~` imports do not
// work here.

/** An e-visa has one page; longer documents have the compared facts on the first. */
const MAX_PAGES_READ = 10;
const MAX_TEXT_LENGTH = 20_000;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

parentPort?.on('message', ({ id, bytes }: WorkerRequest) => void answer(id, bytes));

async function answer(id: number, bytes: Uint8Array): Promise<void> {
  const fault = findFault(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const pdf = fault === null ? await openDrawable(bytes) : null;
  send({ id, kind: 'checked', fault: fault ?? (pdf ? null : 'broken') });
  if (pdf) send({ id, kind: 'text', text: await textOf(pdf) });
}

const send = (message: FromWorker): void => parentPort?.postMessage(message, []);

/** The document, after its first pages were drawn but for their pictures; null where that cannot be done. */
async function openDrawable(bytes: Uint8Array): Promise<Pdf | null> {
  try {
    // Pictures are left out by a size that all of them exceed: to unpack them takes long, and shows nothing.
    const pdf = await getDocumentProxy(bytes, {
      stopAtErrors: false,
      maxImageSize: 1,
      verbosity: 0,
    });
    if (pdf.numPages === 0) return null;
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES_READ); number++) {
      const page = await pdf.getPage(number);
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
      if (right <= left || top <= bottom) return null;
      await page.getOperatorList();
    }
    return pdf;
  } catch {
    return null;
  }
}

/** The text of the pages; null where there is none, as in a scanned paper. */
async function textOf(pdf: Pdf): Promise<string | null> {
  try {
    if (pdf.numPages > MAX_PAGES_READ) return null;
    const { text } = await extractText(pdf, { mergePages: true });
    return text.trim() === '' ? null : text.slice(0, MAX_TEXT_LENGTH);
  } catch {
    // Its pages can be drawn: staff compare it by eye.
    return null;
  } finally {
    await pdf.loadingTask.destroy();
  }
}
