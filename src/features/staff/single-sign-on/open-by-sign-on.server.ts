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
  hasEmail,
  invitationOf,
} from '../account-store.server.ts';
import { audit } from '../audit.server.ts';
import { deviceName } from '../device-name.server.ts';
import type { Role } from '../roles.ts';
import { openSession, sessionOf, sessionToken } from '../session.server.ts';
import {
  accountById,
  endSession,
  insertAccount,
  lockAccounts,
  setProved,
  type Account,
} from '../store.server.ts';
import { tellsOfSecondFactor, type Claims } from './claims.ts';
import { CLOCK_TOLERANCE_S } from './identity-provider.server.ts';
import { accountOfIdentity, insertIdentity, type Identity } from './identity-store.server.ts';
import type { SignOn } from './sign-on-cookie.server.ts';
import type { SignOnProblem } from './sign-on-problem.ts';

/** A session; `half` where Lale's own second factor is still asked for. */
export type Opened = { token: string; half: boolean; accountId: string };

type Refused = { problem: SignOnProblem; accountId?: string };
type Ended<T> = Promise<Outcome<T, Refused>>;

/** The person whom the provider named, as far as Lale asks. */
type Person = {
  identity: Identity;
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
  const person = personOf(claims, role, settings);
  if (!person) return refused({ problem: 'untrusted' });
  const { purpose } = signOn;
  if (purpose.kind !== 'sign_in' && isOld(person, signOn)) return refused({ problem: 'not_again' });
  switch (purpose.kind) {
    case 'sign_in':
      return signInAs(platform, request, person);
    case 'invitation':
      return acceptBySignOn(platform, request, { person, token: purpose.token });
    case 'connect':
      return connect(platform, request, { person, sessionId: purpose.session });
    case 'again':
      return proveBySignOn(platform, request, {
        person,
        sessionId: purpose.session,
      });
  }
}

/**
 * Whether the provider says that the person signed in there before this sign-in began: it may pass over `prompt` and
 * answer from the session that it has, which somebody else may have left or planted.
 */
const isOld = ({ authenticatedAt }: Person, { startedAt }: SignOn): boolean =>
  authenticatedAt !== null && authenticatedAt < startedAt - CLOCK_TOLERANCE_S * 1000;

function personOf(claims: Claims, role: Role | null, settings: SingleSignOnConfig): Person | null {
  const { iss: issuer, sub: subject, auth_time: time } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || subject === '') return null;
  return {
    identity: { issuer, subject },
    role,
    provedFactor: tellsOfSecondFactor(claims, settings.secondFactor),
    authenticatedAt: typeof time === 'number' ? time * 1000 : null,
  };
}

/** Opens a session with the role that the provider gives now. */
function signInAs(platform: Platform, request: Request, person: Person): Ended<Opened> {
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const account = await accountOfIdentity(tx, person.identity);
    if (!account) return refused({ problem: 'no_account' });
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
    return ok(await opened(tx, { account, person, now, device: deviceName(request) }));
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

/** Creates the account of an invitation, connected and without a password. Once. */
function acceptBySignOn(
  platform: Platform,
  request: Request,
  { person, token }: { person: Person; token: string },
): Ended<Opened> {
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const invitation = await invitationOf(tx, hashToken(token), now);
    if (!invitation || (await hasEmail(tx, invitation.email))) {
      return refused({ problem: 'invitation_over' });
    }
    const { role } = person;
    if (!role) return refused({ problem: 'no_role' });
    if (await accountOfIdentity(tx, person.identity)) {
      return refused({ problem: 'already_connected' });
    }
    const { email, name } = invitation;
    const id = randomUUID();
    await endInvitation(tx, { id: invitation.id }, now);
    await insertAccount(tx, { id, email, name, role, passwordHash: '', createdAt: now });
    await insertIdentity(tx, { ...person.identity, accountId: id, connectedAt: now });
    const entry = { at: now, staffId: id, subject: { kind: 'account', id } } as const;
    const detail = { invitation: invitation.id, role };
    await audit(tx, { ...entry, action: 'invitation_accepted', detail });
    await audit(tx, { ...entry, action: 'identity_connected' });
    const account = { id, totpSecret: null };
    return ok(await opened(tx, { account, person, now, device: deviceName(request) }));
  });
}

/** Connects the account of this browser's session, whose owner proved it before. Its role changes at the next sign-in. */
async function connect(
  platform: Platform,
  request: Request,
  { person, sessionId }: { person: Person; sessionId: string },
): Ended<null> {
  const found = await sessionOf(platform, request);
  if (!found || found.session.half || found.session.id !== sessionId) {
    return refused({ problem: 'signed_out' });
  }
  const { id } = found.account;
  if (!person.role) return refused({ problem: 'no_role', accountId: id });
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const account = await accountById(tx, id);
    if (!account?.active) return refused({ problem: 'signed_out' });
    const row = { ...person.identity, accountId: id, connectedAt: now };
    if (!(await insertIdentity(tx, row))) {
      return refused({ problem: 'already_connected', accountId: id });
    }
    const subject = { kind: 'account', id } as const;
    await audit(tx, { at: now, staffId: id, action: 'identity_connected', subject });
    return ok(null);
  });
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
  const account = await accountOfIdentity(platform.db, person.identity);
  if (account?.id !== accountId) return refused({ problem: 'other_person', accountId });
  if (person.authenticatedAt === null) return refused({ problem: 'no_sign_in_time', accountId });
  if (!person.provedFactor) return refused({ problem: 'not_proved', accountId });
  await setProved(platform.db, sessionId, { at: platform.now(), by: 'factor' });
  return ok(null);
}
