import { asc, eq, and } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { staffPasskey, staffAccount } from '../tables.server.ts';
import { isIP } from 'node:net';
import { z } from 'zod';
import { type SetCookie, sealedCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { guessLimits } from '../limits.server.ts';
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { hashToken } from '~/platform/crypto/crypto.server.ts';
import { auditAccount } from '../audit.server.ts';
import { auditRefusedSignIn } from '../refused-access.server.ts';
import { deviceName } from '../known-device.server.ts';
import { usesPassword } from '../passwords.ts';
import { openSession, requestSession, sessionToken } from '../session.server.ts';
import { endSession, lockAccount, type Account } from '../store.server.ts';
import { readShownPasskey } from './passkey.ts';

export type Passkey = typeof staffPasskey.$inferSelect;

export const passkeysByAccount = (db: Queryable, accountId: string): Promise<Passkey[]> =>
  db
    .select()
    .from(staffPasskey)
    .where(eq(staffPasskey.accountId, accountId))
    .orderBy(asc(staffPasskey.createdAt));

/** How long somebody may look for their key, in seconds. */
const CHALLENGE_SECONDS = 5 * 60;

/** `sign_in`: alone; `second_factor`: after the password; `add`: a new one of one's own. */
const passkeyPurposes = ['sign_in', 'second_factor', 'add'] as const;
type PasskeyPurpose = (typeof passkeyPurposes)[number];

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
  if (accountId !== null) return (await passkeysByAccount(platform.db, accountId)).length > 0;
  const { passwordAccounts } = platform.config;
  return passwordAccounts === 'all' || passwordAccounts.length > 0;
}

/**
 * The options for the browser's request for a passkey, with the cookie that holds the challenge. Where the password was
 * given, only passkeys of that account are accepted; otherwise any passkey of this site, if the device verifies its user.
 * Null where passkeys are not set up.
 */
export async function beginPasskeySignIn(
  platform: Platform,
  request: Request,
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; cookie: SetCookie } | null> {
  const site = passkeySite(platform);
  if (!site) return null;
  const found = await requestSession(platform, request);
  const half = found?.session.half ? found : null;
  const own = half ? await passkeysByAccount(platform.db, half.account.id) : [];
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    userVerification: half ? 'preferred' : 'required',
    ...(half && { allowCredentials: own.map(({ id }) => ({ id })) }),
  });
  const purpose: PasskeyPurpose = half ? 'second_factor' : 'sign_in';
  const asked = { challenge: options.challenge, purpose, session: half?.session.id ?? null };
  return { options, cookie: challengeCookie(platform, asked) };
}

type PasskeySignInError =
  | { code: 'wrong_passkey' }
  | { code: 'too_many'; retryAfterSeconds: number };

/**
 * Signs in with a passkey: alone, where the authenticator verified the person, which counts as both factors; or as the
 * second factor of a session whose password was accepted. Alone it is taken of accounts whose password is, so that an
 * identity provider keeps the last word on the others.
 */
export async function signInWithPasskey(
  platform: Platform,
  request: Request,
  { response: text, address }: { response: string; address: string },
): Promise<Outcome<{ token: string; half: false; accountId: string }, PasskeySignInError>> {
  const site = passkeySite(platform);
  const found = await requestSession(platform, request);
  const half = found?.session.half ? found : null;
  const limits = guessLimits(platform);
  const limit = half ? limits.code : limits.passkey;
  const key = half?.account.id ?? address;
  const { allowed, retryAfterSeconds } = await limit.consume(key);
  if (!allowed) return refused({ code: 'too_many', retryAfterSeconds });
  const now = platform.now();
  const refuse = async (accountId: string | null = null) => {
    await auditRefusedSignIn(platform, 'passkey_failed', accountId);
    return refused({ code: 'wrong_passkey' } as const);
  };
  const expectedChallenge = await consumeChallenge(platform, request, {
    purpose: half ? 'second_factor' : 'sign_in',
    session: half?.session.id ?? null,
  });
  const response = readShownPasskey(text);
  const known = response && (await passkeyById(platform.db, response.id));
  if (!site || expectedChallenge === null || !known) return refuse();
  const { passkey, account } = known;
  const isMeant = half ? half.account.id === account.id : usesPassword(platform, account.email);
  if (!isMeant) return refuse(account.id);
  // A counter that goes back tells of a copied key: the library refuses it.
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: half === null,
  }).catch(() => null);
  if (!verified?.verified) return refuse(account.id);
  const previous = sessionToken(platform, request);
  const token = await platform.db.transaction(async (tx) => {
    const held = await lockAccount(tx, account.id);
    if (!held?.active) return null;
    const used = { counter: verified.authenticationInfo.newCounter, at: now };
    if (!(await markPasskeyUsed(tx, passkey, used))) return null;
    const ended = previous ? await endSession(tx, hashToken(previous), now) : null;
    // Of two browsers with the same incomplete session only one succeeds.
    if (half && !ended) return null;
    const detail = { by: 'passkey', alone: half === null };
    await auditAccount(tx, account.id, { at: now, action: 'signed_in', detail });
    return openSession(tx, {
      accountId: account.id,
      half: false,
      now,
      device: deviceName(request),
      method: half?.session.method ?? 'passkey',
      provedFactor: true,
    });
  });
  if (!token) return refuse(account.id);
  await limit.reset(key);
  return ok({ token, half: false, accountId: account.id });
}

/** A passkey with its account, a deactivated one included; null for an unknown id. */
async function passkeyById(
  db: Queryable,
  id: string,
): Promise<{ passkey: Passkey; account: Account } | null> {
  const [row] = await db
    .select({ passkey: staffPasskey, account: staffAccount })
    .from(staffPasskey)
    .innerJoin(staffAccount, eq(staffAccount.id, staffPasskey.accountId))
    .where(eq(staffPasskey.id, id));
  return row ?? null;
}

/** Notes a use; false where another use came between, so that its counter would go back. */
async function markPasskeyUsed(
  db: Queryable,
  { id, counter }: Passkey,
  used: { counter: number; at: Date },
): Promise<boolean> {
  const rows = await db
    .update(staffPasskey)
    .set({ counter: used.counter, usedAt: used.at })
    .where(and(eq(staffPasskey.id, id), eq(staffPasskey.counter, counter)))
    .returning({ id: staffPasskey.id });
  return rows.length === 1;
}
