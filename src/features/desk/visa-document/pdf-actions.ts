/**
 * Space as in ISO 32000-1, 7.2.2 and 7.2.3, where null bytes and comments are space as well. Between a name and its
 * value at most `MOST_SPACE` pieces are read: without a limit a file of names and comments takes quadratic time.
 */
const MOST_SPACE = 64;
const LONGEST_COMMENT = 200;
const PIECE = String.raw`(?:[\s\0]|%[^\r\n]{0,${LONGEST_COMMENT}}[\r\n])`;
const SPACE = `${PIECE}{0,${MOST_SPACE}}`;
/** Space beyond the limit: what follows is not searched, and the file is refused. */
const ENDLESS = String.raw`${PIECE}{${MOST_SPACE}}[\s\0%]|${SPACE}%[^\r\n]{${LONGEST_COMMENT + 1}}`;

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
const MOST_OPEN_ACTIONS = 100;
const MOST_LINKS = 5_000;

/**
 * Whether PDF syntax (names with their escapes undone) does more than show pages: runs, opens or embeds something, or
 * acts on its own. A destination on opening and links to the web are common in ordinary files, and allowed. Takes
 * linear time.
 */
export function doesMoreThanShow(text: string): boolean {
  if (NAMES.test(text) || SHORT.some((one) => one.test(text))) return true;
  return opensByItself(text) || linksElsewhere(text);
}

function opensByItself(text: string): boolean {
  const values = valuesOf(text, 'OpenAction', MOST_OPEN_ACTIONS);
  if (values === 'too_many') return true;
  if (values.length === 0) return false;
  const objects = objectsIn(text);
  return values.some((value) => {
    const [, number, generation] = /^0*(\d+)\s+0*(\d+)\s+R/.exec(value) ?? [];
    if (number === undefined) return !isDestination(value);
    const found = objects.get(`${number} ${generation}`) ?? [];
    // An action among packed objects is not found, and too many are not all read: the file is refused in both cases.
    if (found.length === 0 || found.length > MOST_OPEN_ACTIONS) return true;
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
    if (known.length <= MOST_OPEN_ACTIONS) known.push(at + 3);
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
  const values = valuesOf(text, 'URI', MOST_LINKS);
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

const LONGEST_VALUE = 2000;
const LEADING_SPACE = new RegExp(`^${PIECE}*`);
const skip = (text: string, from: number): string =>
  text.slice(from, from + LONGEST_VALUE).replace(LEADING_SPACE, '');
