import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isStorable } from './storable-text.ts';
import { unreadableProblem, type Unreadable } from './unreadable.server.ts';
import { problem } from '../http/problem.server.ts';

/** Levels of lists and objects in one another. No call of ours has more than four. */
export const DEEPEST_JSON = 32;

/**
 * The JSON that a request carries; every text in it can be stored, and no walk through it overflows the stack.
 * `empty`: what a body without anything in it stands for; by default it is not JSON.
 */
export async function readJson(
  request: Request,
  { empty }: { empty?: unknown } = {},
): Promise<Outcome<unknown, Unreadable>> {
  const text = await request.text().catch(() => null);
  if (text === '' && empty !== undefined) return ok(empty);
  return text === null ? refused('broken_off') : parseJson(text);
}

/** As `readJson`, for a call whose body must be an object; otherwise the response that says what is wrong. */
export async function readObject(
  request: Request,
): Promise<Outcome<Record<string, unknown>, Response>> {
  const read = await readJson(request);
  if (!read.ok) return refused(unreadableProblem(read.error));
  const body = asObject(read.value);
  return body
    ? ok(body)
    : refused(
        problem({ status: 400, code: 'not_json', detail: 'The body must be a JSON object.' }),
      );
}

/** A copy of a JSON object; null for any other value. */
export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;

/** The same for a text that was read already. */
export function parseJson(text: string): Outcome<unknown, Unreadable> {
  // Counted before anything is built: millions of brackets would be millions of lists.
  if (depthOf(text) > DEEPEST_JSON) return refused('too_deep');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused('not_json');
  }
  // Only an escape can bring such a character into a JSON text.
  if (/\\u(0000|d[89a-f])/i.test(text) && !isAllStorable(value)) return refused('bad_characters');
  return ok(value);
}

/** How deep lists and objects stand in one another; stops counting beyond what is allowed. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= DEEPEST_JSON; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '[' || sign === '{') deepest = Math.max(deepest, (depth += 1));
    else if (sign === ']' || sign === '}') depth -= 1;
  }
  return deepest;
}

/** Where the string that begins at `start` has its closing quote; the text's end where it has none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function isAllStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (Array.isArray(value)) return value.every(isAllStorable);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isAllStorable(inner));
}
