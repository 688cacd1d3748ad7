import { asc, eq } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { staffPasskey } from '../tables.server.ts';
import { isIP } from 'node:net';
import { z } from 'zod';
import { type SetCookie, sealedCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { guessLimits } from '../limits.server.ts';

export type Passkey = typeof staffPasskey.$inferSelect;

export const passkeysOf = (db: Queryable, accountId: string): Promise<Passkey[]> =>
  db
    .select()
    .from(staffPasskey)
    .where(eq(staffPasskey.accountId, accountId))
    .orderBy(asc(staffPasskey.createdAt));

/** How long somebody may look for their key, in seconds. */
const CHALLENGE_SECONDS = 5 * 60;

/** `sign_in`: alone; `second_factor`: after the password; `add`: a new one of one's own. */
const passkeyPurposes = ['sign_in', 'second_factor', 'add'] as const;
export type PasskeyPurpose = (typeof passkeyPurposes)[number];

const content = z.object({
  challenge: z.string(),
  purpose: z.enum(passkeyPurposes),
  /** The session in which it was asked for; null before signing in. */
  session: z.uuid().nullable(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

const cookie = sealedCookie({
  name: 'lale_staff_passkey',
  context: 'staff.passkey',
  seconds: CHALLENGE_SECONDS,
  content,
});

/**
 * The site that passkeys belong to: host and origin of the public address. Null where browsers make none: for an IP
 * address, and without TLS on another host than this machine.
 */
export function passkeySite({
  config,
}: Pick<Platform, 'config'>): { id: string; origin: string } | null {
  const { hostname, origin, protocol } = new URL(config.publicUrl);
  const isNamed = isIP(hostname) === 0 && !hostname.startsWith('[');
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isNamed && isSecure ? { id: hostname, origin } : null;
}

/** Keeps a challenge in the browser that asked for it, sealed. */
export function challengeCookie(
  platform: Platform,
  asked: { challenge: string; purpose: PasskeyPurpose; session: string | null },
): SetCookie {
  return cookie.give(platform, { ...asked, startedAt: platform.now().getTime() });
}

/**
 * The challenge that this browser asked for, for this purpose and in this session; it is consumed. Null for none, an old
 * one, or one that was used.
 */
export async function consumeChallenge(
  platform: Platform,
  request: Request,
  wanted: { purpose: PasskeyPurpose; session: string | null },
): Promise<string | null> {
  const asked = cookie.read(platform, request);
  const isMeant = asked?.purpose === wanted.purpose && asked.session === wanted.session;
  if (!asked || !isMeant) return null;
  const { allowed } = await guessLimits(platform).passkeyChallenge.consume(asked.challenge);
  return allowed ? asked.challenge : null;
}

/**
 * Whether the sign-in page offers passkeys: to everybody whose password would be taken, and after the password to those
 * who have one.
 */
export async function canShowPasskey(
  platform: Platform,
  accountId: string | null,
): Promise<boolean> {
  if (!passkeySite(platform)) return false;
  if (accountId !== null) return (await passkeysOf(platform.db, accountId)).length > 0;
  const { passwordAccounts } = platform.config;
  return passwordAccounts === 'all' || passwordAccounts.length > 0;
}
