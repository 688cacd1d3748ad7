import { z } from 'zod';
import type { SetCookie } from '~/platform/http/cookies.server.ts';
import { sealedCookie } from '~/platform/http/sealed-cookie.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** How long somebody may stay at the provider, in seconds. */
const SIGN_ON_SECONDS = 10 * 60;

/** What a sign-in at the provider is for. `again`: to prove who is there before one action. */
const purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign_in') }),
  z.object({ kind: z.literal('again'), session: z.uuid() }),
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

const cookie = sealedCookie({
  name: 'lale_staff_sso',
  context: 'staff.sign_on',
  seconds: SIGN_ON_SECONDS,
  content,
});

export const signOnCookie = (platform: Platform, signOn: SignOn): SetCookie =>
  cookie.give(platform, signOn);

export const signOnOver = (platform: Platform): SetCookie => cookie.takeAway(platform);

/** The sign-in that this browser began; null for none, one of another browser, or one that took too long. */
export const signOnOf = (platform: Platform, request: Request): SignOn | null =>
  cookie.read(platform, request);
