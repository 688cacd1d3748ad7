import { createContext, data, type RouterContextProvider } from 'react-router';
import { problemStatuses } from '../http/problem-codes.ts';
import { problem, type HttpProblem } from '../http/problem.server.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isAscii } from 'node:buffer';
import { SMALL_BODY_BYTES } from './body-limit.ts';
import { acceptsFiles } from './limit-body.server.ts';

/**
 * Whether the database can keep a text: PostgreSQL knows no NUL, and half a surrogate pair is no character. Nobody can
 * type either; where one arrives, a program sent it.
 */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** What a text is decoded to; null where it cannot be decoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Cookies and queries may hold anything; what is not encoded is taken as it stands. */
const isHarmless = (text: string): boolean =>
  isStorable(decoded(text) ?? text.replaceAll('%00', '\0'));

/** Whether a path or a query holds a character that the database cannot store, or a path half of one. */
export function hasBadAddress(request: Request): boolean {
  const { pathname, search } = new URL(request.url);
  const path = decoded(pathname);
  return path === null || !isStorable(path) || !isHarmless(search);
}

/** The cookies that hold such a character. None of ours does: something else planted them. */
export function badCookies(request: Request): string[] {
  return (request.headers.get('cookie') ?? '').split(/;\s*/).flatMap((part) => {
    if (isHarmless(part)) return [];
    const [, name] = /^([\w!#$%&'*+.^`|~-]+)=/.exec(part) ?? [];
    return [name ?? ''];
  });
}

/** Why the body or address of a request is refused. */
export type Unreadable =
  | 'broken_off'
  | 'not_json'
  | 'not_a_form'
  | 'wrong_type'
  | 'too_deep'
  | 'too_many_fields'
  | 'bad_characters';

export const unreadableStatus = (why: Unreadable): number => problemStatuses[why];

/** The answer to a call. `extra`: what its callers find beside the code in every refusal. */
export const unreadableProblem = (why: Unreadable, extra?: HttpProblem['extra']): Response =>
  problem({ code: why, extra });

/** Why the form of a page could not be read; set by `readForm`, answered by `pages.server.tsx`. */
export const unreadableContext = createContext<Unreadable | null>(null);

const received = new WeakMap<Request, Buffer<ArrayBuffer>>();

/** `body`: what the listener received of this request before it was made; nothing has to be copied for it. */
export const setReceived = (request: Request, body: Buffer<ArrayBuffer>): void =>
  void received.set(request, body);

/**
 * The body of a request as it came: for files, and for messages whose signature covers the exact bytes. Those of a large
 * one can be read until its answer is made, not longer.
 */
export async function readBytes(
  request: Request,
): Promise<Outcome<Buffer<ArrayBuffer>, Unreadable>> {
  const known = received.get(request);
  if (known) return ok(known);
  const bytes = await request.arrayBuffer().catch(() => null);
  return bytes === null ? refused('broken_off') : ok(Buffer.from(bytes));
}

/**
 * Gives the memory of a body back now, as the next collection may come after many more of them: of one that has its
 * memory for itself, as a large one has. Whoever still read it would find it empty.
 */
export function releaseBytes({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength !== byteLength) return;
  // A worker's thread may have been given it.
  if (!buffer.detached) buffer.transfer(0);
}

/** Levels of lists and objects in one another. No call of ours has more than four. */
export const MAX_JSON_DEPTH = 32;
/** Members of all objects and lists together. An order of ten travellers has some three hundred. */
export const MAX_MEMBERS = 1000;
/**
 * Signs outside of strings, and quotes within them: what a text costs to look through. No body of `SMALL_BODY_BYTES`
 * has more; one with files is strings almost alone.
 */
const MAX_SIGNS = SMALL_BODY_BYTES;

/**
 * The JSON that a request carries; every text in it can be stored, and no walk through it overflows the stack.
 * `empty`: what a body without anything in it stands for; by default it is not JSON.
 */
export async function readJson(
  request: Request,
  { empty }: { empty?: unknown } = {},
): Promise<Outcome<unknown, Unreadable>> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) return refused('wrong_type');
  const body = await readBytes(request);
  if (!body.ok) return body;
  if (body.value.length === 0 && empty !== undefined) return ok(empty);
  const parsed = parseJson(body.value);
  releaseBytes(body.value);
  if (parsed.ok) known.set(request, parsed.value);
  return parsed;
}

/** JSON by any of its names, as `application/reports+json` is one, or no type at all. */
const JSON_TYPE = /^\s*($|application\/([\w.-]+\+)?json\s*(;|$)|application\/csp-report\s*(;|$))/i;

const known = new WeakMap<Request, unknown>();

/** What `readJson` read of a request; undefined where it read nothing. */
export const parsedJson = (request: Request): unknown => known.get(request);

/** As `readJson`, for a call whose body must be an object; otherwise the response that says what is wrong. */
export async function readObject(
  request: Request,
): Promise<Outcome<Record<string, unknown>, Response>> {
  const read = await readJson(request);
  if (!read.ok) return refused(unreadableProblem(read.error));
  const body = asObject(read.value);
  return body ? ok(body) : refused(problem({ code: 'not_json' }));
}

/** A copy of a JSON object; null for any other value. */
export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;

/** The same for a body that was read already. */
export function parseJson(body: Buffer): Outcome<unknown, Unreadable> {
  // Counted before anything is built, a text of it included: millions of brackets would be millions of lists.
  const { areTooMany, hasCharacters } = escapesIn(body);
  const fault = areTooMany ? 'too_many_fields' : faultOf(body);
  if (fault) return refused(fault);
  let value: unknown;
  try {
    value = JSON.parse(textOf(body));
  } catch {
    return refused('not_json');
  }
  // Only an escape can bring such a character into a JSON text.
  if (hasCharacters && !isAllStorable(value)) return refused('bad_characters');
  return ok(value);
}

const QUOTE = '"'.charCodeAt(0);
const SLASH = '/'.charCodeAt(0);
const SMALL_U = 'u'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
/** `[` and `{`, `]` and `}` differ from one another by this bit alone. */
const CURLY = 0x20;
const OPENING = '{'.charCodeAt(0);
const CLOSING = '}'.charCodeAt(0);

const utf8 = new TextDecoder();

/** Where a body with files is ASCII, as base64 is, its text lies outside of the heap, which would grow for good by it. */
const textOf = (body: Buffer): string =>
  isAscii(body) ? body.toString('latin1') : utf8.decode(body);

/** Slashes that are escaped without need, as PHP writes them: two in a hundred characters of a photo's data are one. */
const MAX_ESCAPED_SLASHES = 1_000_000;

/** Whether a body has more escapes than a cheap one has, and whether any stands for a character by its number. */
function escapesIn(body: Buffer): { areTooMany: boolean; hasCharacters: boolean } {
  let slashes = 0;
  let others = 0;
  let hasCharacters = false;
  for (let at = body.indexOf(BACKSLASH); at !== -1; at = body.indexOf(BACKSLASH, at + 2)) {
    const sign = body[at + 1];
    if (sign === SLASH) slashes += 1;
    else others += 1;
    hasCharacters ||= sign === SMALL_U;
    const areTooMany = slashes > MAX_ESCAPED_SLASHES || others > MAX_SIGNS;
    if (areTooMany) return { areTooMany, hasCharacters };
  }
  return { areTooMany: false, hasCharacters };
}

/** What makes a body too expensive to parse, found without building anything of it; null where nothing does. */
function faultOf(body: Buffer): 'too_deep' | 'too_many_fields' | null {
  let depth = 0;
  // Each comma begins one, and so does each list or object.
  let members = 0;
  let signs = 0;
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at] ?? 0;
    signs += 1;
    if (sign === QUOTE) {
      do {
        at = body.indexOf(QUOTE, at + 1);
        signs += 1;
      } while (at !== -1 && isEscaped(body, at) && signs <= MAX_SIGNS);
      if (at === -1) return null;
    } else if ((sign | CURLY) === OPENING) {
      depth += 1;
      members += 1;
    } else if ((sign | CURLY) === CLOSING) depth -= 1;
    else if (sign === COMMA) members += 1;
    if (depth > MAX_JSON_DEPTH) return 'too_deep';
    if (members > MAX_MEMBERS || signs > MAX_SIGNS) return 'too_many_fields';
  }
  return null;
}

/** Whether the quote at this place belongs to its string: an odd number of backslashes stand before it. */
function isEscaped(body: Buffer, quote: number): boolean {
  let before = quote - 1;
  while (body[before] === BACKSLASH) before -= 1;
  return (quote - 1 - before) % 2 === 1;
}

function isAllStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (Array.isArray(value)) return value.every(isAllStorable);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isAllStorable(inner));
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const URL_ENCODED = 'application/x-www-form-urlencoded';
/** Fields of a form. The desk's largest, a refund of ten travellers or a batch of PDFs, have a few hundred. */
export const MAX_FIELDS = 1000;
/** In bytes, of one part of a form: its delimiter, its name and the name of its file. */
const MAX_PART_HEAD = 4096;
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i;

/** The form that a request carries; every text and file name in it can be stored. For calls; pages use `readForm`. */
export async function readFormBody(request: Request): Promise<Outcome<FormData, Unreadable>> {
  const contentType = request.headers.get('content-type') ?? '';
  const type = FORM.exec(contentType)?.[1]?.toLowerCase();
  if (type === undefined) return refused('wrong_type');
  const read = await (type === URL_ENCODED ? urlEncoded(request) : multipart(request, contentType));
  if (!read.ok) return read;
  for (const [name, value] of read.value) {
    const text = typeof value === 'string' ? value : value.name;
    if (!isStorable(name) || !isStorable(text)) return refused('bad_characters');
  }
  return read;
}

/** The same as `formData()`, for which the adapter would make a stream first. */
async function urlEncoded(request: Request): Promise<Outcome<FormData, Unreadable>> {
  const text = await request.text().catch(() => null);
  if (text === null) return refused('not_a_form');
  // Files never come so: it is no longer than any other text.
  if (text.length > SMALL_BODY_BYTES || occurs(text, '&', MAX_FIELDS)) {
    return refused('too_many_fields');
  }
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value);
  return ok(form);
}

/**
 * The same as `formData()`, which copies every file four times and reads any number of parts and of lines in their heads
 * (https://html.spec.whatwg.org/#multipart-form-data, RFC 7578). An address that is not in the list of those that take
 * files gets none, however its form is written.
 */
async function multipart(
  request: Request,
  contentType: string,
): Promise<Outcome<FormData, Unreadable>> {
  const body = await readBytes(request);
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (!body.ok || boundary === undefined) return refused('not_a_form');
  const bytes = body.value;
  const delimiter = `--${boundary}`;
  const hasFiles = acceptsFiles(new URL(request.url).pathname);
  const form = new FormData();
  let characters = 0;
  let at = bytes.indexOf(delimiter);
  for (let fields = 0; at !== -1; fields += 1) {
    const start = at + delimiter.length;
    if (bytes.toString('latin1', start, start + 2) === '--') return ok(form);
    if (fields >= MAX_FIELDS) return refused('too_many_fields');
    const headLength = bytes.subarray(start, start + MAX_PART_HEAD).indexOf('\r\n\r\n');
    if (headLength === -1) break;
    const head = bytes.toString('utf8', start, start + headLength);
    const content = start + headLength + 4;
    const end = bytes.indexOf(`\r\n${delimiter}`, content);
    const name = parameter(head, 'name');
    if (name === null || end === -1) break;
    const fileName = parameter(head, 'filename');
    if (fileName === null) {
      characters += end - content;
      if (characters > SMALL_BODY_BYTES) return refused('too_many_fields');
      form.append(name, bytes.toString('utf8', content, end));
    } else if (hasFiles) {
      const type = /^content-type:[ \t]*(.*)$/im.exec(head)?.[1]?.trim();
      form.append(name, new File([bytes.subarray(content, end)], fileName, { type }));
    }
    at = end + 2;
  }
  return refused('not_a_form');
}

/** A parameter of a part's `Content-Disposition`, as browsers write it: line ends and quotes are encoded. */
function parameter(head: string, name: string): string | null {
  const [, disposition = ''] = /^content-disposition:[ \t]*form-data(.*)$/im.exec(head) ?? [];
  const pattern = new RegExp(`;[ \\t]*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i');
  const [, quoted, bare] = pattern.exec(disposition) ?? [];
  const written = quoted ?? bare;
  if (written === undefined) return null;
  return written.replaceAll(/%0d/gi, '\r').replaceAll(/%0a/gi, '\n').replaceAll('%22', '"');
}

/** Whether `part` occurs more than `most` times; looks no further than that. */
function occurs(text: string, part: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/**
 * The form that a page was sent.
 * @throws 400 or 415 to the router; the visitor is told by a page in their language
 */
export async function readForm({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}): Promise<FormData> {
  const read = await readFormBody(request);
  if (read.ok) return read.value;
  context.set(unreadableContext, read.error);
  throw data(null, { status: unreadableStatus(read.error) });
}
