import { isAscii } from 'node:buffer';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { SMALL_BODY_BYTES } from './body-limit.ts';
import { readBytes, releaseBytes } from './read-bytes.server.ts';
import { isStorable } from './storable-text.ts';
import { unreadableProblem, type Unreadable } from './unreadable.server.ts';
import { problem } from '../http/problem.server.ts';

/** Levels of lists and objects in one another. No call of ours has more than four. */
export const DEEPEST_JSON = 32;
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
export const jsonRead = (request: Request): unknown => known.get(request);

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
    if (depth > DEEPEST_JSON) return 'too_deep';
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
