import { inflateSync, constants } from 'node:zlib';
import { doesMoreThanShow } from './pdf-actions.ts';

/** Bytes that all streams together may unpack to, so that a small file cannot exhaust the memory. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** A visa has a dozen streams; more than this is an attack on the checker. */
const MAX_STREAMS = 5_000;
/** The end mark is in the last kilobyte (ISO 32000-1, Annex H, implementation note 18). */
const TAIL_BYTES = 1024;

/** Arrays and dictionaries that begin inside one another with none ended; readers run out of stack far above it. */
const MOST_NESTED = 100;
/** A file of 5 MB has no million pages, whatever it says; readers make a list as long as the number. */
const ABSURD_COUNT = /\/Count\s{0,9}\+?\d{7}/;

/** Bytes between a stream and the `obj` before it, which hold its dictionary; a file with a longer one is refused. */
const LONGEST_DICTIONARY = 64 * 1024;

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
    if (begun > MOST_NESTED * 2) return true;
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
  const near = raw.slice(Math.max(end - LONGEST_DICTIONARY, 0), end);
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
