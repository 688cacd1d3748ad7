import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { readInvitationMail, INVITATION_JOB, invite } from '../accounts/invitation.server.ts';
import type { Role } from '../roles.ts';
import { sessionCookie, toStaff } from '../session.server.ts';
import { signIn } from '../sign-in.server.ts';
import type { Staff } from '../staff.ts';
import { accountByEmail, auditEntriesBySubject, insertAccount } from '../store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { knownDeviceCookie } from '../known-device.server.ts';

/** Stores an account with an address of its own. */
export async function storeAccount(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  account: { role: Role; passwordHash: string; active?: boolean },
): Promise<Staff> {
  const id = randomUUID();
  const email = `${id.slice(0, 8)}@office.example`;
  await insertAccount(db, { id, email, name: 'E. Aydın', createdAt: now(), ...account });
  return toStaff(needed(await accountByEmail(db, email)));
}

/** Staff accounts by role, and their invitations. Call it at the top of a test file. */
export async function staffAccounts() {
  const platform = await makeTestPlatform();
  const { db } = platform;
  const PASSWORD = 'correct horse battery';
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);
  const DAY = 24 * 3600_000;

  const account = (role: Role) => storeAccount(platform, { role, passwordHash });

  const browser = (token: string) =>
    new Request('http://127.0.0.1/admin', {
      headers: { cookie: sessionCookie(platform, token).split(';')[0] ?? '' },
    });

  async function enter(email: string, password = PASSWORD): Promise<Request> {
    const request = new Request('http://127.0.0.1/admin');
    const outcome = await signIn(platform, request, { email, password, address: randomUUID() });
    if (!outcome.ok) throw new Error(outcome.error.code);
    return browser(outcome.value.token);
  }

  /** Sends an invitation; returns the token of its link in the email. */
  async function invited(by: Staff, email: string): Promise<string> {
    const mails: string[] = [];
    const outcome = await invite(platform, by, {
      email,
      name: 'Deniz Kaya',
      role: 'reviewer',
      language: 'tr',
    });
    if (!outcome.ok) throw new Error(outcome.error);
    await platform.runJobs({
      [INVITATION_JOB]: async (payload) => {
        const { url, email: to } = readInvitationMail(platform, payload);
        if (to === email) mails.push(url);
      },
    });
    expect(mails[0]).toContain('/tr/admin/invitation/');
    return mails[0]?.split('/').at(-1) ?? '';
  }

  const administrator = await account('administrator');
  const actionsOn = async (id: string) =>
    (await auditEntriesBySubject(db, { kind: 'account', id })).map(({ action }) => action);
  return {
    DAY,
    PASSWORD,
    account,
    actionsOn,
    administrator,
    browser,
    db,
    enter,
    invited,
    platform,
  };
}

/** Staff accounts, and browsers that sign in. Call it at the top of a test file. */
export async function signIns() {
  const platform = await makeTestPlatform();
  const PASSWORD = 'correct horse battery';
  const lowHash = await hashPassword(PASSWORD, LOW_COST);

  async function account(active = true, passwordHash = lowHash) {
    const id = randomUUID();
    const email = `${id.slice(0, 8)}@lale.example`;
    const row = { id, email, name: 'E. Aydın', role: 'reviewer' as const, passwordHash, active };
    await insertAccount(platform.db, { ...row, createdAt: platform.now() });
    return { id, email };
  }

  const browser = (token?: string) =>
    new Request('http://127.0.0.1/admin', {
      headers: token ? { cookie: sessionCookie(platform, token).split(';')[0] ?? '' } : {},
    });

  const attempt = (email: string, password = PASSWORD, token?: string, address = randomUUID()) =>
    signIn(platform, browser(token), { email, password, address });

  async function signedIn(email: string): Promise<string> {
    const outcome = await attempt(email);
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value.token;
  }

  const cookiesOf = (request: Request) => request.headers.get('cookie') ?? '';

  /** A browser on which somebody has signed in to the account before. */
  function withDevice(accountId: string): Request {
    const cookie = knownDeviceCookie(platform, browser(), accountId).split(';')[0] ?? '';
    return new Request('http://127.0.0.1/admin', { headers: { cookie } });
  }

  const lastAudit = async (id: string) =>
    (await auditEntriesBySubject(platform.db, { kind: 'account', id })).at(-1)?.action;
  return {
    PASSWORD,
    account,
    attempt,
    browser,
    cookiesOf,
    lastAudit,
    platform,
    signedIn,
    withDevice,
  };
}
