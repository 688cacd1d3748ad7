import { DAY_MS } from '~/base/dates/dates.ts';
import { z } from 'zod';
import { readSecretCookie, secretCookie, type SetCookie } from '~/platform/http/cookies.server.ts';
import type { KeyedCaller } from '~/platform/http/answer-once.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { PAYER_LINK_DAYS } from './payer-links.ts';

const NAME = 'lale_session';
const PURPOSE = 'browser-session';
const DAYS = PAYER_LINK_DAYS;
const content = z.object({ id: z.string(), lab: z.literal(true).optional() });

type Session = z.infer<typeof content>;

type Needed = Pick<Platform, 'config' | 'signer' | 'now'>;

/** This browser's session; null where it has none, or one that is forged or expired. */
function sessionOf(platform: Needed, request: Request): Session | null {
  const token = readSecretCookie(platform, request, NAME);
  const verified = token ? platform.signer.verify(token, PURPOSE, platform.now()) : null;
  const parsed = content.safeParse(verified?.ok ? verified.payload : null);
  return parsed.success ? parsed.data : null;
}

/**
 * The stored form of a browser's session: a hash, so that the database holds no keys to sessions. Null where the
 * browser has none that was issued here: a planted cookie counts for nothing.
 */
export function payerSessionHash(platform: Needed, request: Request): Buffer | null {
  const session = sessionOf(platform, request);
  return session && hashToken(session.id);
}

/**
 * The session of this browser, created if there is none. Send `setCookie` with the response: it extends the session by
 * 30 days.
 */
export function ensureSession(
  platform: Needed,
  request: Request,
): { hash: Buffer; setCookie: SetCookie } {
  return renewed(platform, sessionOf(platform, request) ?? { id: randomToken(128) });
}

/**
 * The cookie of a session that has opened a page of the payment lab: its payment calls need no reference
 * (`hasOpenedLab`).
 */
export function labSession(platform: Needed, request: Request): SetCookie {
  const { id } = sessionOf(platform, request) ?? { id: randomToken(128) };
  return renewed(platform, { id, lab: true }).setCookie;
}

export const hasOpenedLab = (platform: Needed, request: Request): boolean =>
  sessionOf(platform, request)?.lab ?? false;

/** The caller of a call that makes an order: whoever has its session is the order's payer. */
export function requestCaller(
  platform: Needed,
  request: Request,
  address: string,
): KeyedCaller & { sessionHash: Buffer } {
  const known = sessionOf(platform, request);
  const session = known ?? { id: randomToken(128) };
  return {
    address,
    session: { id: session.id, isNew: known === null },
    sessionHash: hashToken(session.id),
    cookieOf: (id) => renewed(platform, id === session.id ? session : { id }).setCookie,
  };
}

function renewed(platform: Needed, session: Session): { hash: Buffer; setCookie: SetCookie } {
  const expires = new Date(platform.now().getTime() + DAYS * DAY_MS);
  const token = platform.signer.sign(session, PURPOSE, expires);
  const setCookie = secretCookie(platform, NAME, token, { maxAgeSeconds: (DAYS * DAY_MS) / 1000 });
  return { hash: hashToken(session.id), setCookie };
}
