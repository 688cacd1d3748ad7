import { eq } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { hashToken } from '~/platform/crypto/crypto.server.ts';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  changeAccount,
  endInvitation,
  endSessions,
  findInvitation,
  accountByEmail,
  endSession,
  insertAccount,
  lockAccounts,
  type Account,
} from './store.server.ts';
import { staffSession } from './tables.server.ts';
import { auditAccount } from './audit.server.ts';
import { deviceName } from './known-device.server.ts';
import type { Role } from './roles.ts';
import { openSession, requestSession, sessionToken } from './session.server.ts';
import { normaliseEmail } from './sign-in.server.ts';
import {
  hasSecondFactorClaim,
  type Claims,
  type SignOnProblem,
  readClaim,
  claimedRole,
  CLOCK_TOLERANCE_S,
  callbackAddress,
  identityProvider,
  type SignOn,
  readSignOn,
  signOnProblem,
} from './sign-on.server.ts';
import * as client from 'openid-client';
import { auditRefusedSignIn } from './refused-access.server.ts';
import { guessLimits } from './limits.server.ts';

/** A session; `half` where Lale's own second factor is still asked for. */
type OpenedSession = { token: string; half: boolean; accountId: string };

type Refused = { problem: SignOnProblem; accountId?: string };
type Ended<T> = Promise<Outcome<T, Refused>>;

/** The person whom the provider named, as far as Lale asks. */
type Person = {
  /** Verified by the provider; whose account it is. */
  email: string;
  role: Role | null;
  /** Whether the provider asked for a second factor, in words that the operator trusts. */
  provedFactor: boolean;
  /** When they last typed something there, in milliseconds since 1970; null where the provider does not say. */
  authenticatedAt: number | null;
};

/**
 * Does what a sign-in at the provider was begun for, with the claims that it brought. Null where the browser keeps its
 * session.
 */
async function openBySignOn(
  platform: Platform,
  request: Request,
  {
    settings,
    signOn,
    claims,
    role,
  }: { settings: SingleSignOnConfig; signOn: SignOn; claims: Claims; role: Role | null },
): Ended<OpenedSession | null> {
  const { email, email_verified: isVerified, auth_time: time } = claims;
  // An address that nobody checked is whatever its owner typed there.
  if (typeof email !== 'string' || isVerified !== true) {
    return refused({ problem: 'unverified_email' });
  }
  const person: Person = {
    email: normaliseEmail(email),
    role,
    provedFactor: hasSecondFactorClaim(claims, settings.secondFactor),
    authenticatedAt: typeof time === 'number' ? time * 1000 : null,
  };
  const { purpose } = signOn;
  if (purpose.kind === 'sign_in') return signInAs(platform, request, person);
  if (isOld(person, signOn)) return refused({ problem: 'not_again' });
  return proveBySignOn(platform, request, { person, sessionId: purpose.session });
}

/**
 * Whether the provider says that the person signed in there before this sign-in began: it may pass over `prompt` and
 * answer from the session that it has, which somebody else may have left or planted.
 */
const isOld = ({ authenticatedAt }: Person, { startedAt }: SignOn): boolean =>
  authenticatedAt !== null && authenticatedAt < startedAt - CLOCK_TOLERANCE_S * 1000;

/** Opens a session with the role that the provider gives now. */
function signInAs(platform: Platform, request: Request, person: Person): Ended<OpenedSession> {
  const now = platform.now();
  const device = deviceName(request);
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const account = await accountByEmail(tx, person.email);
    if (!account) return acceptBySignOn(tx, { person, now, device });
    const { id } = account;
    if (!account.active) return refused({ problem: 'deactivated', accountId: id });
    if (!person.role) {
      // Whom the provider no longer sends has no business in the sessions that are open.
      const sessions = await endSessions(tx, { accountId: id, now });
      if (sessions > 0) {
        await auditAccount(tx, id, {
          at: now,
          action: 'sessions_ended',
          by: null,
          detail: { sessions, by: 'identity_provider' },
        });
      }
      return refused({ problem: 'no_role', accountId: id });
    }
    if (person.role !== account.role) {
      await changeAccount(tx, id, { role: person.role, roleSince: now });
      await auditAccount(tx, id, {
        at: now,
        action: 'role_changed',
        by: null,
        detail: { from: account.role, to: person.role, by: 'identity_provider' },
      });
    }
    const previous = sessionToken(platform, request);
    if (previous) await endSession(tx, hashToken(previous), now);
    return ok(await opened(tx, { account, person, now, device }));
  });
}

async function opened(
  tx: Transaction,
  {
    account,
    person: { provedFactor },
    now,
    device,
  }: {
    account: Pick<Account, 'id' | 'totpSecret'>;
    person: Person;
    now: Date;
    device: string | null;
  },
): Promise<OpenedSession> {
  const { id } = account;
  const half = account.totpSecret !== null && !provedFactor;
  if (!half) {
    await auditAccount(tx, id, {
      at: now,
      action: 'signed_in',
      detail: { by: 'identity_provider', second_factor: provedFactor },
    });
  }
  const session = { accountId: id, half, now, device, provedFactor };
  return { token: await openSession(tx, { ...session, method: 'provider' }), half, accountId: id };
}

/** Creates the account of whoever was invited by this address, without a password. Once. */
async function acceptBySignOn(
  tx: Transaction,
  { person, now, device }: { person: Person; now: Date; device: string | null },
): Ended<OpenedSession> {
  const { email, role } = person;
  const invitation = await findInvitation(tx, { email }, now);
  if (!invitation) return refused({ problem: 'no_account' });
  if (!role) return refused({ problem: 'no_role' });
  const id = randomUUID();
  await endInvitation(tx, { id: invitation.id }, now);
  const { name } = invitation;
  await insertAccount(tx, { id, email, name, role, passwordHash: '', createdAt: now });
  await auditAccount(tx, id, {
    at: now,
    action: 'invitation_accepted',
    detail: { invitation: invitation.id, role },
  });
  return ok(await opened(tx, { account: { id, totpSecret: null }, person, now, device }));
}

/** Notes on this browser's session that its owner has just signed in at the provider again, with a second factor. */
async function proveBySignOn(
  platform: Platform,
  request: Request,
  { person, sessionId }: { person: Person; sessionId: string },
): Ended<null> {
  const found = await requestSession(platform, request);
  if (!found || found.session.half || found.session.id !== sessionId) {
    return refused({ problem: 'signed_out' });
  }
  const accountId = found.account.id;
  if (found.account.email !== person.email) return refused({ problem: 'other_person', accountId });
  if (person.authenticatedAt === null) return refused({ problem: 'no_sign_in_time', accountId });
  if (!person.provedFactor) return refused({ problem: 'not_proved', accountId });
  await platform.db
    .update(staffSession)
    .set({ provedAt: platform.now() })
    .where(eq(staffSession.id, sessionId));
  return ok(null);
}

/** Problems that say nothing about a person: the log has them, the audit trail has not. */
const UNRECORDED: readonly SignOnProblem[] = [
  'interrupted',
  'away',
  'misconfigured',
  'signed_out',
  'limit',
];

type CompletedSignOn = { opened: OpenedSession | null; next: string };

/**
 * Handles the browser's return from the identity provider, once. The library checks `state`, `iss` of the answer and,
 * of the ID token, signature, `iss`, `aud`, `exp` and `nonce`; `auth_time` is checked by what the sign-in is for.
 * `isOver`: whether the sign-in that this browser began has ended by this answer; one that another site made up does
 * not end it.
 */
export async function completeSignOn(
  platform: Platform,
  request: Request,
  address: string,
): Promise<Outcome<CompletedSignOn, { problem: SignOnProblem; isOver: boolean }>> {
  const { search, searchParams } = new URL(request.url);
  const settings = platform.config.singleSignOn;
  const signOn = readSignOn(platform, request);
  if (!settings || !signOn || searchParams.get('state') !== signOn.state) {
    return refused({ problem: 'interrupted', isOver: false });
  }
  const limits = guessLimits(platform);
  if (!(await limits.signOn.consume(address)).allowed) {
    return refused({ problem: 'limit', isOver: false });
  }
  const isFirst = await limits.signOnState.consume(signOn.state);
  if (!isFirst.allowed) return refused({ problem: 'interrupted', isOver: true });
  const outcome = await exchanged(platform, settings, { signOn, search });
  const done = outcome.ok
    ? await openBySignOn(platform, request, { settings, signOn, ...outcome.value })
    : outcome;
  if (done.ok) return ok({ opened: done.value, next: signOn.next });
  await recordRefusal(platform, done.error);
  return refused({ problem: done.error.problem, isOver: true });
}

type SignedIn = { claims: Claims; role: Role | null };
/**
 * Exchanges the code for what the provider says of the person who signed in there: the claims of the ID token, which it
 * signed for this sign-in, and their role.
 */
async function exchanged(
  platform: Platform,
  settings: SingleSignOnConfig,
  { signOn, search }: { signOn: SignOn; search: string },
): Promise<Outcome<SignedIn, Refused>> {
  try {
    const provider = await identityProvider(platform, settings);
    const answer = new URL(`${callbackAddress(platform.config)}${search}`);
    const tokens = await client.authorizationCodeGrant(provider, answer, {
      expectedState: signOn.state,
      expectedNonce: signOn.nonce,
      pkceCodeVerifier: signOn.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) return refused({ problem: 'untrusted' });
    // Some providers put groups into the answer of their userinfo address only.
    const isThere = readClaim(claims, settings.roleClaim) !== undefined;
    if (isThere || !provider.serverMetadata().userinfo_endpoint) {
      return ok({ claims, role: claimedRole(claims, settings) });
    }
    const more = await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
    return ok({ claims, role: claimedRole(more, settings) });
  } catch (error) {
    const problem = signOnProblem(error);
    platform.log.warn({ problem, err: error }, 'a sign-in at the identity provider failed');
    return refused({ problem });
  }
}

async function recordRefusal(platform: Platform, { problem, accountId }: Refused): Promise<void> {
  if (UNRECORDED.includes(problem)) return;
  const detail = { reason: problem };
  await auditRefusedSignIn(platform, 'sign_on_refused', accountId ?? null, detail);
}
