import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than anything takes on a busy machine, including a start after a kill. */
const GIVE_UP_MS = 15 * 60_000;

/** Repeats until it works: a killed service, a killed database and a lost answer look the same to a client. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(150);
    }
  }
}

/** Milliseconds after which a client repeats a request. */
const ANSWER_MS = 10_000;

/** `fetch` with a time limit: a dying service may accept a call and never answer. */
export const call: typeof fetch = (address, init) =>
  fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), ...init });

/** A call that may be lost. Every traveller has an address of their own, so that no limit applies to all. */
export const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export function field(body: unknown, name: string): string {
  const value =
    typeof body === 'object' && body !== null
      ? Object.entries(body).find(([key]) => key === name)?.[1]
      : undefined;
  if (typeof value !== 'string') throw new Error(`no ${name} in the answer`);
  return value;
}

/** The hidden fields and the address of the page's form. */
export function findForm(page: string): { action: string; fields: URLSearchParams } {
  const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
  if (!action) throw new Error('no form on the page');
  const fields = [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => [
    unescape(/name="([^"]*)"/.exec(tag)?.[1] ?? ''),
    unescape(/value="([^"]*)"/.exec(tag)?.[1] ?? ''),
  ]);
  return { action: unescape(action), fields: new URLSearchParams(fields) };
}

const unescape = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
