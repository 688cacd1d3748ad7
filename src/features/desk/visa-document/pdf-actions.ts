/**
 * Space as ISO 32000-1, 7.2.2 and 7.2.3 have it: a null and a comment are space as well. Between a name and its value at
 * most `MOST_SPACE` pieces are followed: without a bound a file of names and comments costs the square of its length.
 */
const MOST_SPACE = 64;
const LONGEST_COMMENT = 200;
const PIECE = String.raw`(?:[\s\0]|%[^\r\n]{0,${LONGEST_COMMENT}}[\r\n])`;
const SPACE = `${PIECE}{0,${MOST_SPACE}}`;
/** Space that goes on past the bound: what follows is not looked for, and not believed to be harmless. */
const ENDLESS = String.raw`${PIECE}{${MOST_SPACE}}[\s\0%]|${SPACE}%[^\r\n]{${LONGEST_COMMENT + 1}}`;

/** Actions that run or open something, files inside the file, forms with a life of their own, encryption. */
const NAMES =
  /\/(JavaScript|Launch|EmbeddedFiles?|FileAttachment|Filespec|RichMedia|Rendition|SubmitForm|ImportData|GoTo[ER]|XFA|Encrypt)(?![A-Za-z0-9])/;

/** Names so short that packed bytes hold them by chance count only with what follows them. */
const VALUE = String.raw`(?:<|\(|\d+[\s\0%])`;
const SHORT = [
  // Actions set off by looking at a page or leaving it, scripts, and files in a file that does not say so.
  new RegExp(String.raw`\/(?:AA|JS|EF)(?:${SPACE}${VALUE}|${ENDLESS})`),
  new RegExp(String.raw`\/(?:Subtype|S)(?:${SPACE}\/(?:3D|Movie|Sound)(?![A-Za-z0-9])|${ENDLESS})`),
];

/** A link that leads to the web or to an e-mail address, written out: nothing else opens, and only when it is pressed. */
const LINK = /^\((https?:\/\/|mailto:)/i;

/** A document has one action on opening, and one more for each time it was changed. */
const MOST_OPEN_ACTIONS = 100;
const MOST_LINKS = 5_000;

/**
 * Whether PDF syntax (names with their escapes undone) can do more than show pages: run, open or carry something, or act
 * by itself. A destination on opening and links to the web are how ordinary programs write PDFs, and may stay. Takes time
 * in proportion to the length of the text.
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
    // Packed among other objects it is not found, and not believed; written too often, not all of it is read.
    if (found.length === 0 || found.length > MOST_OPEN_ACTIONS) return true;
    return found.some((from) => !isDestination(skip(text, from)));
  });
}

/** Where the content of each object begins, by number and generation: several, where a file was changed. */
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
 * `12 0` where that stands before a place, with space around the second; null where it does not. Read backwards by hand: a
 * pattern remembers each digit of a file of digits, and its memory for that can run out.
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

/** Where the characters of one kind begin that end at a place. */
function startOf(text: string, end: number, isKind: (code: number) => boolean): number {
  let at = end;
  while (at > 0 && isKind(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** The number between two places; of nothing but zeros the last one stays. */
function withoutZeros(text: string, start: number, end: number): string {
  let at = start;
  while (at < end - 1 && text[at] === '0') at += 1;
  return text.slice(at, end);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** As `\s` has it in Latin 1, in which the file is read. */
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 160;

/** `[page /Fit]`, or the action that goes there and does nothing next. */
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

/** What stands after each writing of a name: its value, where it is a key. */
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
