import { z } from 'zod';
import { UnsealError } from '~/platform/crypto/crypto.server.ts';
import { readSecretCookie, secretCookie, type SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

const NAME = 'lale_staff_sso';
const CONTEXT = 'staff.sign_on';
/** How long somebody may stay at the provider, in seconds. */
export const SIGN_ON_SECONDS = 10 * 60;

/**
 * What a sign-in at the provider is for. `again`: to prove who is there before one action; `connect`: to connect the
 * account of a session; `invitation`: to accept one, by the token of its link.
 */
const purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign_in') }),
  z.object({ kind: z.literal('again'), session: z.uuid() }),
  z.object({ kind: z.literal('connect'), session: z.uuid() }),
  z.object({ kind: z.literal('invitation'), token: z.string().max(200) }),
]);
export type Purpose = z.infer<typeof purpose>;

const content = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  purpose,
  next: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

/** A sign-in that is under way in one browser. */
export type SignOn = z.infer<typeof content>;

/** Keeps it in the browser that began it, sealed, so that no other one can end it. */
export const signOnCookie = (platform: Platform, signOn: SignOn): SetCookie =>
  secretCookie(platform, NAME, platform.sealer.sealJson(signOn, CONTEXT).toString('base64url'), {
    maxAgeSeconds: SIGN_ON_SECONDS,
  });

export const signOnOver = (platform: Platform): SetCookie =>
  secretCookie(platform, NAME, '', { maxAgeSeconds: 0 });

/** The sign-in that this browser began; null for none, one of another browser, or one that took too long. */
export function signOnOf(platform: Platform, request: Request): SignOn | null {
  const cookie = readSecretCookie(platform, request, NAME);
  if (!cookie) return null;
  try {
    const opened = platform.sealer.unsealJson(Buffer.from(cookie, 'base64url'), CONTEXT);
    const parsed = content.safeParse(opened);
    if (!parsed.success) return null;
    const age = platform.now().getTime() - parsed.data.startedAt;
    return age >= 0 && age < SIGN_ON_SECONDS * 1000 ? parsed.data : null;
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}
