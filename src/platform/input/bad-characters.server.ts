import { isStorable } from './storable-text.ts';

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
