import { randomUUID } from 'node:crypto';
import {
  cookieName,
  readSecretCookie,
  secretCookie,
  type SetCookie,
} from '~/platform/http/cookies.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { auditAccount } from './audit.server.ts';
import { ABSOLUTE_MS, HALF_MS, IDLE_MS, PROOF_MS, type SignInMethod, type Staff } from './staff.ts';
import {
  endSession,
  insertSession,
  liveSession,
  markSeen,
  type Account,
  type Session,
} from './store.server.ts';

const NAME = 'lale_staff';

/** The name of the session's cookie. */
export const staffCookieName = (platform: Pick<Platform, 'config'>): string =>
  cookieName(platform, NAME);

export function sessionToken(platform: Platform, request: Request): string | undefined {
  return readSecretCookie(platform, request, NAME);
}

/** The cookie of a session; an empty token deletes it. */
export const sessionCookie = (platform: Platform, token: string): SetCookie =>
  secretCookie(platform, NAME, token, token === '' ? { maxAgeSeconds: 0 } : {});

/** Opens a session with a new id, whatever cookie the browser sent, and returns its token. */
export async function openSession(
  db: Queryable,
  {
    accountId,
    half,
    now,
    device = null,
    method = 'password',
    provedFactor = false,
  }: {
    accountId: string;
    half: boolean;
    now: Date;
    device?: string | null;
    method?: SignInMethod;
    provedFactor?: boolean;
  },
): Promise<string> {
  const token = randomToken(256);
  await insertSession(db, {
    id: randomUUID(),
    tokenHash: hashToken(token),
    accountId,
    half,
    method,
    provedFactor,
    device,
    createdAt: now,
    seenAt: now,
    expiresAt: new Date(now.getTime() + (half ? HALF_MS : ABSOLUTE_MS)),
  });
  return token;
}

/** Milliseconds between two updates of a session's last activity, to avoid a write with every request. */
const SEEN_STEP_MS = 60_000;

/** The valid session of this browser, one without its second factor included; extends it. */
export async function requestSession(
  platform: Platform,
  request: Request,
): Promise<{ session: Session; account: Account } | null> {
  const found = await sessionAsItIs(platform, request);
  const now = platform.now();
  if (found && now.getTime() - found.session.seenAt.getTime() >= SEEN_STEP_MS) {
    await markSeen(platform.db, found.session.id, now);
  }
  return found;
}

/** `requestSession` without extending the session. */
async function sessionAsItIs(
  platform: Platform,
  request: Request,
): Promise<{ session: Session; account: Account } | null> {
  const token = sessionToken(platform, request);
  if (!token) return null;
  const now = platform.now();
  const seenAfter = new Date(now.getTime() - IDLE_MS);
  return liveSession(platform.db, hashToken(token), { now, seenAfter });
}

/** When a session ends, in milliseconds since 1970. `isFinal`: whatever its owner does. */
export type SessionEnd = { at: number; isFinal: boolean };

/** When it ends if nothing more is opened; `requestSession` has just extended it, unless `isWatching`. */
export function sessionEndMoment(
  { seenAt, expiresAt }: Pick<Session, 'seenAt' | 'expiresAt'>,
  now: Date,
  { isWatching = false } = {},
): SessionEnd {
  const isExtended = !isWatching && now.getTime() - seenAt.getTime() >= SEEN_STEP_MS;
  const idle = (isExtended ? now : seenAt).getTime() + IDLE_MS;
  const last = expiresAt.getTime();
  return { at: Math.min(idle, last), isFinal: last <= idle };
}

/** The owner of an account; with the session that they have opened. */
export const toStaff = (account: Account, session?: Pick<Session, 'provedFactor'>): Staff => ({
  id: account.id,
  email: account.email,
  name: account.name,
  isNamed: account.named,
  role: account.role,
  hasSecondFactor: account.totpSecret !== null,
  undoSeconds: account.undoSeconds,
  provedFactor: session?.provedFactor ?? false,
  startView: account.startView,
});

/** The person who has signed in completely; null for nobody and for a password without its second factor. */
export async function requestStaff(platform: Platform, request: Request): Promise<Staff | null> {
  const found = await requestSession(platform, request);
  return found && !found.session.half ? toStaff(found.account, found.session) : null;
}

/**
 * The signed-in person, for automatic requests of a page: they do not extend the session, so it ends after `IDLE_MS`
 * without use.
 */
export async function requestWatcher(
  platform: Platform,
  request: Request,
): Promise<(Staff & { sessionEnd: SessionEnd }) | null> {
  const found = await sessionAsItIs(platform, request);
  if (!found || found.session.half) return null;
  const sessionEnd = sessionEndMoment(found.session, platform.now(), { isWatching: true });
  return { ...toStaff(found.account, found.session), sessionEnd };
}

/** Whether the owner of a session has just proved again that it is them. */
export const isProved = ({ provedAt }: Pick<Session, 'provedAt'>, now: Date): boolean =>
  provedAt !== null && now.getTime() - provedAt.getTime() < PROOF_MS;

/** Ends this browser's session; returns the cookie that deletes it. */
export async function signOut(platform: Platform, request: Request): Promise<SetCookie> {
  const token = sessionToken(platform, request);
  const now = platform.now();
  const ended = token ? await endSession(platform.db, hashToken(token), now) : null;
  if (ended) {
    const { accountId } = ended;
    await auditAccount(platform.db, accountId, { at: now, action: 'signed_out' });
  }
  return sessionCookie(platform, '');
}
