import { z } from 'zod';
import { readSecretCookie, secretCookie, type SetCookie } from '~/platform/http/cookies.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { PAYER_LINK_DAYS } from './payer-link-days.ts';

const NAME = 'lale_session';
const PURPOSE = 'browser-session';
const DAYS = PAYER_LINK_DAYS;
const DAY_MS = 24 * 3600_000;

const content = z.object({ id: z.string() });

type Needed = Pick<Platform, 'config' | 'signer' | 'now'>;

/** The id of this browser's session; null where it has none, or one that is forged or expired. */
function sessionId(platform: Needed, request: Request): string | null {
  const token = readSecretCookie(platform, request, NAME);
  const verified = token ? platform.signer.verify(token, PURPOSE, platform.now()) : null;
  const parsed = content.safeParse(verified?.ok ? verified.payload : null);
  return parsed.success ? parsed.data.id : null;
}

/**
 * The stored form of a browser's session: a hash, so that the database holds no keys to sessions. Null where the
 * browser has none that was issued here: a planted cookie counts for nothing.
 */
export function sessionHashOf(platform: Needed, request: Request): Buffer | null {
  const id = sessionId(platform, request);
  return id === null ? null : hashToken(id);
}

/**
 * The session of this browser, created if there is none. Send `setCookie` with the response: it extends the session by
 * 30 days.
 */
export function ensureSession(
  platform: Needed,
  request: Request,
): { hash: Buffer; setCookie: SetCookie } {
  const id = sessionId(platform, request) ?? randomToken(128);
  const expires = new Date(platform.now().getTime() + DAYS * DAY_MS);
  const token = platform.signer.sign({ id }, PURPOSE, expires);
  const setCookie = secretCookie(platform, NAME, token, { maxAgeSeconds: (DAYS * DAY_MS) / 1000 });
  return { hash: hashToken(id), setCookie };
}
