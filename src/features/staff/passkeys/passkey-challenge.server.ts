import { isIP } from 'node:net';
import { z } from 'zod';
import { UnsealError } from '~/platform/crypto/crypto.server.ts';
import { readSecretCookie, secretCookie, type SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { guessLimits } from '../limits.server.ts';

const NAME = 'lale_staff_passkey';
const CONTEXT = 'staff.passkey';
/** How long somebody may look for their key, in seconds. */
const CHALLENGE_SECONDS = 5 * 60;

/** `sign_in`: alone; `second_factor`: after the password; `add`: a new one of one's own. */
export const passkeyPurposes = ['sign_in', 'second_factor', 'add'] as const;
export type PasskeyPurpose = (typeof passkeyPurposes)[number];

const content = z.object({
  challenge: z.string(),
  purpose: z.enum(passkeyPurposes),
  /** The session in which it was asked for; null before signing in. */
  session: z.uuid().nullable(),
  /** Milliseconds since 1970. */
  at: z.number(),
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
  const sealed = platform.sealer.sealJson({ ...asked, at: platform.now().getTime() }, CONTEXT);
  const value = sealed.toString('base64url');
  return secretCookie(platform, NAME, value, { maxAgeSeconds: CHALLENGE_SECONDS });
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
  const asked = readChallenge(platform, request);
  const isMeant = asked?.purpose === wanted.purpose && asked.session === wanted.session;
  if (!asked || !isMeant) return null;
  const { allowed } = await guessLimits(platform).passkeyChallenge.consume(asked.challenge);
  return allowed ? asked.challenge : null;
}

function readChallenge(platform: Platform, request: Request): z.infer<typeof content> | null {
  const cookie = readSecretCookie(platform, request, NAME);
  if (!cookie) return null;
  try {
    const opened = platform.sealer.unsealJson(Buffer.from(cookie, 'base64url'), CONTEXT);
    const parsed = content.safeParse(opened);
    if (!parsed.success) return null;
    const age = platform.now().getTime() - parsed.data.at;
    return age >= 0 && age < CHALLENGE_SECONDS * 1000 ? parsed.data : null;
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}
