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
  invitationOf,
  accountByEmail,
  endSession,
  insertAccount,
  lockAccounts,
  setProved,
  type Account,
} from '../store.server.ts';
import { audit } from '../audit.server.ts';
import { deviceName } from '../known-device.server.ts';
import type { Role } from '../roles.ts';
import { openSession, sessionOf, sessionToken } from '../session.server.ts';
import { normaliseEmail } from '../sign-in.server.ts';
import { tellsOfSecondFactor, type Claims, type SignOnProblem } from './claims.ts';
import { CLOCK_TOLERANCE_S } from './identity-provider.server.ts';
import type { SignOn } from './sign-on.server.ts';

/** A session; `half` where Lale's own second factor is still asked for. */
export type Opened = { token: string; half: boolean; accountId: string };

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
export async function openBySignOn(
  platform: Platform,
  request: Request,
  {
    settings,
    signOn,
    claims,
    role,
  }: { settings: SingleSignOnConfig; signOn: SignOn; claims: Claims; role: Role | null },
): Ended<Opened | null> {
  const { email, email_verified: isVerified, auth_time: time } = claims;
  // An address that nobody checked is whatever its owner typed there.
  if (typeof email !== 'string' || isVerified !== true) {
    return refused({ problem: 'unverified_email' });
  }
  const person: Person = {
    email: normaliseEmail(email),
    role,
    provedFactor: tellsOfSecondFactor(claims, settings.secondFactor),
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
function signInAs(platform: Platform, request: Request, person: Person): Ended<Opened> {
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
        await audit(tx, {
          at: now,
          staffId: null,
          action: 'sessions_ended',
          subject: { kind: 'account', id },
          detail: { sessions, by: 'identity_provider' },
        });
      }
      return refused({ problem: 'no_role', accountId: id });
    }
    if (person.role !== account.role) {
      await changeAccount(tx, id, { role: person.role, roleSince: now });
      await audit(tx, {
        at: now,
        staffId: null,
        action: 'role_changed',
        subject: { kind: 'account', id },
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
): Promise<Opened> {
  const { id } = account;
  const half = account.totpSecret !== null && !provedFactor;
  if (!half) {
    await audit(tx, {
      at: now,
      staffId: id,
      action: 'signed_in',
      subject: { kind: 'account', id },
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
): Ended<Opened> {
  const { email, role } = person;
  const invitation = await invitationOf(tx, { email }, now);
  if (!invitation) return refused({ problem: 'no_account' });
  if (!role) return refused({ problem: 'no_role' });
  const id = randomUUID();
  await endInvitation(tx, { id: invitation.id }, now);
  const { name } = invitation;
  await insertAccount(tx, { id, email, name, role, passwordHash: '', createdAt: now });
  await audit(tx, {
    at: now,
    staffId: id,
    action: 'invitation_accepted',
    subject: { kind: 'account', id },
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
  const found = await sessionOf(platform, request);
  if (!found || found.session.half || found.session.id !== sessionId) {
    return refused({ problem: 'signed_out' });
  }
  const accountId = found.account.id;
  if (found.account.email !== person.email) return refused({ problem: 'other_person', accountId });
  if (person.authenticatedAt === null) return refused({ problem: 'no_sign_in_time', accountId });
  if (!person.provedFactor) return refused({ problem: 'not_proved', accountId });
  await setProved(platform.db, sessionId, platform.now());
  return ok(null);
}
