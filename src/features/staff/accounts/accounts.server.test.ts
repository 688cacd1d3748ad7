import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import {
  openInvitations,
  openSessions,
  accountById,
  auditEntriesBySubject,
} from '../store.server.ts';
import { requestStaff, openSession, sessionCookie } from '../session.server.ts';
import { INVITATION_DAYS, IDLE_MS } from '../staff.ts';
import { staffAccounts, storeAccount } from '../testing/accounts.ts';
import { untilBlocked, useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import type { Role } from '../roles.ts';
import { confirmSignIn, signIn } from '../sign-in.server.ts';
import { beginEnrolment, completeEnrolment, makeRecoveryCodes } from '../second-factor.server.ts';
import { audit } from '../audit.server.ts';
import {
  changeRole,
  setActive,
  endAllSessions,
  changePassword,
  endAllOwnSessions,
  endOwnSession,
} from './accounts.server.ts';
import {
  acceptInvitation,
  invite,
  readInvitation,
  withdrawInvitation,
} from './invitation.server.ts';
import { ensureFirstAdministrator } from './first-administrator.server.ts';
import { deleteExpiredOfStaff } from './jobs.server.ts';

const { DAY, PASSWORD, account, actionsOn, administrator, browser, db, enter, invited, platform } =
  await staffAccounts();

describe('an invitation', () => {
  test('makes an account with the invited role and a password of the person’s own, once', async () => {
    const token = await invited(administrator, 'deniz@office.example');
    const outcomes = await Promise.all([
      acceptInvitation(platform, token, 'seven quiet lanterns'),
      acceptInvitation(platform, token, 'seven quiet lanterns'),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const session = outcomes.find((one) => one.ok);
    const staff = session?.ok ? await requestStaff(platform, browser(session.value.token)) : null;
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

  test('ends when it expires, is withdrawn, or is followed by another one', async () => {
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
    expect(await requestStaff(platform, request)).toBeNull();
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
    // Of two who demote each other at the same moment, one stays an administrator.
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
    expect(await requestStaff(platform, here)).not.toBeNull();
    expect(await requestStaff(platform, elsewhere)).toBeNull();
    await enter(staff.email, next);
  });

  test('signs out everywhere at once, and nobody else', async () => {
    const [mine, other] = [await account('reviewer'), await account('reviewer')];
    const [here, elsewhere] = [await enter(mine.email), await enter(mine.email)];
    const theirs = await enter(other.email);
    await endAllOwnSessions(platform, mine.id);
    expect(await requestStaff(platform, here)).toBeNull();
    expect(await requestStaff(platform, elsewhere)).toBeNull();
    expect(await requestStaff(platform, theirs)).not.toBeNull();
    expect(
      (await auditEntriesBySubject(db, { kind: 'account', id: mine.id })).at(-1),
    ).toMatchObject({
      action: 'sessions_ended',
      detail: { sessions: 2 },
    });
  });

  test('ends a session of its own, never one of somebody else', async () => {
    const [mine, other] = [await account('reviewer'), await account('reviewer')];
    const request = await enter(other.email);
    const [session] = await openSessions(db, other.id, platform.now());
    expect(await endOwnSession(platform, mine.id, session?.id ?? '')).toBe(false);
    expect(await requestStaff(platform, request)).not.toBeNull();
    expect(await endOwnSession(platform, other.id, session?.id ?? '')).toBe(true);
    expect(await requestStaff(platform, request)).toBeNull();
  });
});

describe('account races', async () => {
  const platform = await makeTestPlatform();
  const { db, pool } = platform;
  const PASSWORD = 'correct horse battery';
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);

  const account = (role: Role) => storeAccount(platform, { role, passwordHash });

  const browser = (token = '') =>
    new Request('http://127.0.0.1/admin', {
      headers: { cookie: sessionCookie(platform, token).split(';')[0] ?? '' },
    });

  const enter = (email: string) =>
    signIn(platform, browser(), { email, password: PASSWORD, address: randomUUID() });

  /** Changes an account in a transaction that commits only while the other one is signing in. */
  async function whileChanging<T>(change: string, id: string, other: () => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`update staff_account set ${change} where id = $1`, [id]);
      const pending = other();
      // The password was accepted, and the sign-in waits for the locked row.
      await untilBlocked(db);
      await client.query('update staff_session set ended_at = now() where account_id = $1', [id]);
      await client.query('commit');
      return await pending;
    } finally {
      client.release();
    }
  }

  describe('a session that begins while', () => {
    test('its account is deactivated does not outlive that', async () => {
      const { id, email } = await account('reviewer');
      const outcome = await whileChanging('active = false', id, () => enter(email));
      expect(outcome).toEqual({ ok: false, error: { code: 'wrong_password' } });
      expect(await openSessions(db, id, platform.now())).toEqual([]);
    });

    test('its password is changed does not outlive that', async () => {
      const { id, email } = await account('reviewer');
      const outcome = await whileChanging("password_hash = 'another'", id, () => enter(email));
      expect(outcome).toEqual({ ok: false, error: { code: 'wrong_password' } });
      expect(await openSessions(db, id, platform.now())).toEqual([]);
    });

    test('its account is deactivated between password and code does not outlive that', async () => {
      const staff = await account('manager');
      const { secret, sealed } = beginEnrolment(platform, staff);
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      const code = totp.generate({ timestamp: platform.now().getTime() });
      await completeEnrolment(platform, staff, { sealed, code });
      const [recovery = ''] = await makeRecoveryCodes(platform, staff.id);
      const half = await enter(staff.email);
      if (!half.ok) throw new Error(half.error.code);
      const outcome = await whileChanging('active = false', staff.id, () =>
        confirmSignIn(platform, browser(half.value.token), recovery),
      );
      expect(outcome).toEqual({ ok: false, error: { code: 'signed_out' } });
      expect(await openSessions(db, staff.id, platform.now())).toEqual([]);
    });
  });

  test('of two administrators who demote each other at once one stays, though a third is left', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await account('administrator'), await account('administrator')];
      await account('administrator');
      const outcomes = await Promise.all([
        changeRole(platform, one, two.id, 'reviewer'),
        changeRole(platform, two, one.id, 'reviewer'),
      ]);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      expect(outcomes).toContainEqual({ ok: false, error: 'forbidden' });
    }
  });

  test('the last administrator is neither demoted nor deactivated', async () => {
    const [last, deputy] = [await account('administrator'), await account('administrator')];
    await pool.query(`update staff_account set role = 'manager' where id <> all($1)`, [
      [last.id, deputy.id],
    ]);
    // Rights that ended a moment ago no longer count; nobody may change their own account.
    await changeRole(platform, last, deputy.id, 'manager');
    for (const by of [deputy, last]) {
      expect((await changeRole(platform, by, last.id, 'reviewer')).ok).toBe(false);
      expect((await setActive(platform, by, last.id, false)).ok).toBe(false);
    }
    expect(await accountById(db, last.id)).toMatchObject({ role: 'administrator', active: true });
  });

  describe('the list of sessions', () => {
    const sessionsOf = async (id: string) => (await openSessions(db, id, platform.now())).length;

    test('leaves out those that ended by idling', async () => {
      const { id } = await account('reviewer');
      await openSession(db, { accountId: id, half: false, now: platform.now() });
      platform.clock.advance(IDLE_MS - 1000);
      expect(await sessionsOf(id)).toBe(1);
      platform.clock.advance(2000);
      expect(await sessionsOf(id)).toBe(0);
    });

    test('is emptied by an administrator, incomplete ones included', async () => {
      const administrator = await account('administrator');
      const { id, email } = await account('reviewer');
      await enter(email);
      await openSession(db, { accountId: id, half: true, now: platform.now() });
      expect(await endAllSessions(platform, administrator, id)).toMatchObject({ ok: true });
      expect(await sessionsOf(id)).toBe(0);
      const { rows } = await pool.query(
        'select count(*)::int n from staff_session where account_id = $1 and ended_at is null',
        [id],
      );
      expect(rows).toEqual([{ n: 0 }]);
    });
  });
});

const signsIn = async (
  platform: Parameters<typeof signIn>[0],
  email: string,
  password: string,
): Promise<boolean> => {
  const request = new Request('http://127.0.0.1/admin');
  return (await signIn(platform, request, { email, password, address: 'test' })).ok;
};

describe('the first administrator', () => {
  test('gets a generated password, told once', async () => {
    const platform = await makeTestPlatform();
    const first = await ensureFirstAdministrator(platform);
    expect(first).toMatchObject({ created: true, password: expect.stringMatching(/^[\w-]{20,}$/) });
    expect(await signsIn(platform, first.email, first.password ?? '')).toBe(true);
    const again = await ensureFirstAdministrator(platform);
    expect(again.created).toBe(false);
    expect(again.password).toBeUndefined();
  });

  test('is the one of the environment, whose password is not told', async () => {
    const variables = {
      ADMIN_EMAIL: 'First@Lale.example',
      ADMIN_PASSWORD: 'lantern quarry otter mist',
    };
    const platform = await makeTestPlatform({ variables });
    const first = await ensureFirstAdministrator(platform);
    expect(first).toEqual({ created: true, email: 'first@lale.example' });
    expect(await signsIn(platform, 'first@lale.example', 'lantern quarry otter mist')).toBe(true);
  });

  test('is not made of an ADMIN_EMAIL that comes after other staff, which is told', async () => {
    const database = await useDatabase();
    await ensureFirstAdministrator(await makeTestPlatform({ database }));
    const late = { ADMIN_EMAIL: 'chief@lale.example', ADMIN_PASSWORD: 'lantern quarry otter mist' };
    const again = await makeTestPlatform({ variables: late, database });
    const told = { created: false, email: 'chief@lale.example', ignored: true };
    expect(await ensureFirstAdministrator(again)).toEqual(told);
    const known = { ...late, ADMIN_EMAIL: 'admin@lale.example' };
    const same = await makeTestPlatform({ variables: known, database });
    expect((await ensureFirstAdministrator(same)).ignored).toBeUndefined();
  });

  test.each([
    ['correct horse battery staple', 'common or breached'],
    ['Password1234567', 'common or breached'],
    ['seven quiet lale lanterns', 'must not contain'],
  ])('is not made with the password %s', async (ADMIN_PASSWORD, mistake) => {
    const variables = { ADMIN_EMAIL: 'first@lale.example', ADMIN_PASSWORD };
    const platform = await makeTestPlatform({ variables, database: await useDatabase() });
    await expect(ensureFirstAdministrator(platform)).rejects.toThrow(mistake);
    const { rows } = await platform.pool.query('select id from staff_account');
    expect(rows).toEqual([]);
  });

  test('is one, also when processes start together', async () => {
    const platform = await makeTestPlatform({ database: await useDatabase() });
    const made = await Promise.all(
      Array.from({ length: 5 }, () => ensureFirstAdministrator(platform)),
    );
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    const { rows } = await platform.pool.query('select role from staff_account');
    expect(rows).toEqual([{ role: 'administrator' }]);
  });
});

describe('jobs', async () => {
  const platform = await makeTestPlatform({ now: new Date('2021-01-10T10:00:00Z') });

  test('audit rows are kept a year, by whole days, not longer', async () => {
    const subject = { kind: 'account', id: 'x' } as const;
    const row = { staffId: null, action: 'signed_in', subject } as const;
    await audit(platform.db, { ...row, at: new Date('2020-01-09T23:59:00Z') });
    await audit(platform.db, { ...row, at: new Date('2020-01-10T00:01:00Z') });
    await deleteExpiredOfStaff(platform);
    expect(await auditEntriesBySubject(platform.db, subject)).toMatchObject([
      { at: new Date('2020-01-10T00:01:00Z') },
    ]);
  });
});
