import { readCookie } from '~/platform/cookies.server.ts';
import { hashToken, randomToken } from '~/platform/crypto.server.ts';

const NAME = 'lale_session';

/** What is stored of a browser's session: a hash, so that the table does not hold keys to it. */
export function sessionHashOf(request: Request): Buffer | null {
  const token = readCookie(request, NAME);
  return token ? hashToken(token) : null;
}

/** The session of this browser, made if there is none; `setCookie` is null when it already had one. */
export function ensureSession(
  request: Request,
  { secure }: { secure: boolean },
): { hash: Buffer; setCookie: string | null } {
  const known = readCookie(request, NAME);
  if (known) return { hash: hashToken(known), setCookie: null };
  const token = randomToken(128);
  const setCookie = `${NAME}=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return { hash: hashToken(token), setCookie };
}
