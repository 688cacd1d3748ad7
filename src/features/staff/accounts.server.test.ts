import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { hashPassword, hashToken } from '~/platform/crypto.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import {
  countRecoveryCodes,
  openInvitations,
  openSessions,
  setRecoveryCodes,
  unusedRecoveryCodes,
} from './account-store.server.ts';
import { changeRole, resetSecondFactor, setActive } from './accounts.server.ts';
import {
  acceptInvitation,
  invitationMailOf,
  INVITATION_DAYS,
  INVITATION_JOB,
  invite,
  readInvitation,
  withdrawInvitation,
} from './invitation.server.ts';
import { changePassword, endAllOwnSessions, endOwnSession } from './own-account.server.ts';
import { acceptRecoveryCode, makeRecoveryCodes } from './recovery-codes.server.ts';
import type { Role } from './roles.ts';
import { beginEnrolment, completeEnrolment } from './second-factor.server.ts';
import { sessionCookie, sessionOf, staffOf, staffOfAccount } from './session.server.ts';
import { confirmSignIn, signIn } from './sign-in.server.ts';
import type { Staff } from './staff.ts';
import { accountById, auditEntriesOf, insertAccount } from './store.server.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const PASSWORD = 'correct horse battery';
const passwordHash = await hashPassword(PASSWORD);
const DAY = 24 * 3600_000;

async function account(role: Role): Promise<Staff> {
  const id = randomUUID();
  const email = `${id.slice(0, 8)}@office.example`;
  const row = { id, email, name: 'E. Aydın', role, passwordHash, createdAt: platform.now() };
  await insertAccount(db, row);
  return { id, email, name: row.name, role, hasSecondFactor: false };
}

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

/** Sends an invitation and answers the token of its link, as it stands in the e-mail. */
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
      const { url, email: to } = invitationMailOf(platform, payload);
      if (to === email) mails.push(url);
    },
  });
  expect(mails[0]).toContain('/tr/admin/invitation/');
  return mails[0]?.split('/').at(-1) ?? '';
}

const administrator = await account('administrator');
const actionsOn = async (id: string) =>
  (await auditEntriesOf(db, { kind: 'account', id })).map(({ action }) => action);

describe('an invitation', () => {
  test('makes an account with the invited role and a password of the person’s own, once', async () => {
    const token = await invited(administrator, 'deniz@office.example');
    const outcomes = await Promise.all([
      acceptInvitation(platform, token, 'seven quiet lanterns'),
      acceptInvitation(platform, token, 'seven quiet lanterns'),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const session = outcomes.find((one) => one.ok);
    const staff = session?.ok ? await staffOf(platform, browser(session.value.token)) : null;
    expect(staff).toMatchObject({ email: 'deniz@office.example', role: 'reviewer' });
    await enter('deniz@office.example', 'seven quiet lanterns');
  });

  test.each([
    ['short', 'too_short'],
    ['x'.repeat(201), 'too_long'],
    ['deniz-kaya-2026', 'guessable'],
    ['aaaaaaaaaaaaaaaa', 'guessable'],
    ['Password1234567', 'guessable'],
  ])('refuses the password %.20s and stays open', async (password, problem) => {
    const token = await invited(administrator, `${randomUUID().slice(0, 6)}@office.example`);
    expect(await acceptInvitation(platform, token, password)).toEqual({
      ok: false,
      error: problem,
    });
    expect(await readInvitation(platform, token)).not.toBeNull();
  });

  test('is over after its days, when withdrawn, and when another one follows', async () => {
    const late = await invited(administrator, 'late@office.example');
    platform.clock.advance(INVITATION_DAYS * DAY + 1);
    expect(await readInvitation(platform, late)).toBeNull();
    expect(await acceptInvitation(platform, late, 'seven quiet lanterns')).toEqual({
      ok: false,
      error: 'invitation_over',
    });
    const first = await invited(administrator, 'twice@office.example');
    const second = await invited(administrator, 'twice@office.example');
    expect(await readInvitation(platform, first)).toBeNull();
    const [open] = await openInvitations(db, platform.now());
    await withdrawInvitation(platform, administrator, open?.id ?? '');
    expect(await readInvitation(platform, second)).toBeNull();
  });

  test('needs an administrator, and an address without an account', async () => {
    const manager = await account('manager');
    const typed = { email: manager.email, name: 'X', role: 'reviewer' as const, language: 'en' };
    expect(await invite(platform, manager, typed)).toEqual({ ok: false, error: 'forbidden' });
    expect(await invite(platform, administrator, typed)).toEqual({
      ok: false,
      error: 'email_taken',
    });
  });

  test('that lapsed is followed by another; a deactivated account says what to do instead', async () => {
    const email = `${randomUUID().slice(0, 8)}@office.example`;
    const lapsed = await invited(administrator, email);
    platform.clock.advance(INVITATION_DAYS * DAY + 1);
    const again = await invited(administrator, email);
    expect(await readInvitation(platform, lapsed)).toBeNull();
    expect(await acceptInvitation(platform, again, 'seven quiet lanterns')).toMatchObject({
      ok: true,
    });
    const gone = await account('reviewer');
    await setActive(platform, administrator, gone.id, false);
    const typed = { email: gone.email, name: 'X', role: 'reviewer' as const, language: 'en' };
    expect(await invite(platform, administrator, typed)).toEqual({
      ok: false,
      error: 'email_deactivated',
    });
  });
});

describe('an administrator', () => {
  test('deactivates somebody: sessions end at once and the password opens nothing', async () => {
    const reviewer = await account('reviewer');
    const request = await enter(reviewer.email);
    await setActive(platform, administrator, reviewer.id, false);
    expect(await staffOf(platform, request)).toBeNull();
    await expect(enter(reviewer.email)).rejects.toThrow('wrong_password');
    await setActive(platform, administrator, reviewer.id, true);
    await enter(reviewer.email);
    expect(await actionsOn(reviewer.id)).toEqual(
      expect.arrayContaining(['account_deactivated', 'account_reactivated']),
    );
  });

  test('changes neither their own account nor, as the last one, the rights of administration', async () => {
    expect(await changeRole(platform, administrator, administrator.id, 'reviewer')).toEqual({
      ok: false,
      error: 'own_account',
    });
    const other = await account('administrator');
    // Two who demote each other at the same moment: one of them stays.
    const outcomes = await Promise.all([
      changeRole(platform, administrator, other.id, 'manager'),
      changeRole(platform, other, administrator.id, 'manager'),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    for (const { id } of [administrator, other]) {
      const stored = await accountById(db, id);
      if (stored?.role === 'manager') {
        await changeRole(platform, id === other.id ? administrator : other, id, 'administrator');
      }
    }
  });

  test('is who it takes: others are refused', async () => {
    const [manager, reviewer] = [await account('manager'), await account('reviewer')];
    for (const by of [manager, reviewer]) {
      const target = by === manager ? reviewer : manager;
      expect(await setActive(platform, by, target.id, false)).toEqual({
        ok: false,
        error: 'forbidden',
      });
    }
    expect((await accountById(db, reviewer.id))?.active).toBe(true);
  });
});

describe('a second factor', () => {
  async function enrolled() {
    const staff = await account('manager');
    const { secret, sealed } = beginEnrolment(platform, staff);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: platform.now().getTime(),
    });
    await completeEnrolment(platform, staff, { sealed, code });
    return staff;
  }
  /** An administrator with a second factor, and their recovery codes. */
  async function withFactor() {
    const { id } = await enrolled();
    await changeRole(platform, administrator, id, 'administrator');
    const stored = await accountById(db, id);
    if (!stored) throw new Error('no account');
    return { by: staffOfAccount(stored), codes: await makeRecoveryCodes(platform, id) };
  }

  test('is replaced by each recovery code once, however it is typed', async () => {
    const staff = await enrolled();
    const [code = ''] = await makeRecoveryCodes(platform, staff.id);
    const half = await enter(staff.email);
    const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o');
    expect(await confirmSignIn(platform, half, typed)).toMatchObject({ ok: true });
    expect(await countRecoveryCodes(db, staff.id)).toBe(9);
    const again = await enter(staff.email);
    expect(await confirmSignIn(platform, again, code)).toEqual({
      ok: false,
      error: { code: 'wrong_code' },
    });
  });

  test('takes only one of two who present the same recovery code', async () => {
    const staff = await enrolled();
    const [code = ''] = await makeRecoveryCodes(platform, staff.id);
    const browsers = [await enter(staff.email), await enter(staff.email)];
    const outcomes = await Promise.all(browsers.map((one) => confirmSignIn(platform, one, code)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('is gone once reset, with its recovery codes', async () => {
    const staff = await enrolled();
    await makeRecoveryCodes(platform, staff.id);
    const { by, codes } = await withFactor();
    const typed = { reason: 'lost', code: codes[0] ?? '' } as const;
    expect(await resetSecondFactor(platform, by, staff.id, typed)).toMatchObject({ ok: true });
    expect(await countRecoveryCodes(db, staff.id)).toBe(0);
    expect((await auditEntriesOf(db, { kind: 'account', id: staff.id })).at(-1)).toMatchObject({
      action: 'second_factor_reset',
      staffId: by.id,
      detail: { reason: 'lost' },
    });
    expect((await sessionOf(platform, await enter(staff.email)))?.session.half).toBe(false);
  });
});

describe('who takes a second factor away', () => {
  async function factorOf(id: string, secret: Buffer | null) {
    await platform.pool.query('update staff_account set totp_secret = $2 where id = $1', [
      id,
      secret,
    ]);
  }
  const reset = (by: Staff, id: string, code: string) =>
    resetSecondFactor(platform, by, id, { reason: 'lost', code });

  test('proves their own, says why, and is somebody else', async () => {
    const [by, other] = [await account('administrator'), await account('reviewer')];
    await factorOf(other.id, Buffer.from('sealed'));
    const refusal = (error: string) => ({ ok: false, error });
    expect(await reset(by, other.id, '123456')).toEqual(refusal('own_factor_missing'));
    const codes = await makeRecoveryCodes(platform, by.id);
    await factorOf(
      by.id,
      platform.sealer.seal(Buffer.alloc(20), `staff_account.totp_secret:${by.id}`),
    );
    expect(await reset(by, other.id, 'AAAAA-AAAAA')).toEqual(refusal('wrong_code'));
    const unsaid = { reason: undefined, code: codes[0] ?? '' };
    expect(await resetSecondFactor(platform, by, other.id, unsaid)).toEqual(
      refusal('reason_required'),
    );
    expect(await reset(by, by.id, codes[0] ?? '')).toEqual(refusal('own_account'));
    expect(await reset(await account('manager'), other.id, '1')).toEqual(refusal('forbidden'));
    expect((await accountById(db, other.id))?.totpSecret).not.toBeNull();
    expect(await reset(by, other.id, codes[0] ?? '')).toEqual({ ok: true, value: null });
    expect((await accountById(db, other.id))?.totpSecret).toBeNull();
    expect(await reset(by, other.id, codes[1] ?? '')).toEqual(refusal('no_factor'));
  });
});

describe('recovery codes', () => {
  test('are kept under a memory-hard hash', async () => {
    const { id } = await account('reviewer');
    await makeRecoveryCodes(platform, id);
    const hashes = await unusedRecoveryCodes(db, id);
    expect(hashes).toHaveLength(10);
    for (const hash of hashes) expect(hash.toString('latin1')).toMatch(/^[0-9A-Z]\$argon2id\$/);
  });

  test('of earlier releases still work, once', async () => {
    const { id } = await account('reviewer');
    await setRecoveryCodes(db, id, [hashToken(`${id}:ABCDE12345`)]);
    expect(await acceptRecoveryCode(platform, id, 'abcde-12345')).toBe(true);
    expect(await acceptRecoveryCode(platform, id, 'abcde-12345')).toBe(false);
  });
});

describe('one’s own account', () => {
  test('takes another password from whoever knows the old one, and ends the other sessions', async () => {
    const staff = await account('reviewer');
    const [here, elsewhere] = [await enter(staff.email), await enter(staff.email)];
    const next = 'nine green harbours';
    expect(await changePassword(platform, here, { current: 'wrong', next })).toEqual({
      ok: false,
      error: 'wrong_password',
    });
    expect(await changePassword(platform, here, { current: PASSWORD, next })).toMatchObject({
      ok: true,
    });
    expect(await staffOf(platform, here)).not.toBeNull();
    expect(await staffOf(platform, elsewhere)).toBeNull();
    await enter(staff.email, next);
  });

  test('signs out everywhere at once, and nobody else', async () => {
    const [mine, other] = [await account('reviewer'), await account('reviewer')];
    const [here, elsewhere] = [await enter(mine.email), await enter(mine.email)];
    const theirs = await enter(other.email);
    await endAllOwnSessions(platform, mine.id);
    expect(await staffOf(platform, here)).toBeNull();
    expect(await staffOf(platform, elsewhere)).toBeNull();
    expect(await staffOf(platform, theirs)).not.toBeNull();
    expect((await auditEntriesOf(db, { kind: 'account', id: mine.id })).at(-1)).toMatchObject({
      action: 'sessions_ended',
      detail: { sessions: 2 },
    });
  });

  test('ends a session of its own, never one of somebody else', async () => {
    const [mine, other] = [await account('reviewer'), await account('reviewer')];
    const request = await enter(other.email);
    const [session] = await openSessions(db, other.id, platform.now());
    expect(await endOwnSession(platform, mine.id, session?.id ?? '')).toBe(false);
    expect(await staffOf(platform, request)).not.toBeNull();
    expect(await endOwnSession(platform, other.id, session?.id ?? '')).toBe(true);
    expect(await staffOf(platform, request)).toBeNull();
  });
});

describe('an invitation to an address that looks mistyped', () => {
  const typed = { name: 'Deniz Kaya', role: 'reviewer', language: 'en' } as const;

  test('asks first, and goes where the administrator says', async () => {
    const email = 'deniz@gmial.com';
    const asked = await invite(platform, administrator, { ...typed, email });
    expect(asked).toEqual({ ok: false, error: 'email_mistyped' });
    for (const emailAnswer of [email, 'deniz@gmail.com']) {
      const sent = await invite(platform, administrator, { ...typed, email, emailAnswer });
      expect(sent.ok).toBe(true);
    }
    const open = await openInvitations(db, platform.now());
    expect(open.map((one) => one.email)).toEqual(
      expect.arrayContaining([email, 'deniz@gmail.com']),
    );
  });

  test.each(['a,b@c.de', 'a@example..com', 'x@example.com.'])('refuses %s', async (email) => {
    const outcome = await invite(platform, administrator, { ...typed, email });
    expect(outcome).toEqual({ ok: false, error: 'email_invalid' });
  });
});
