import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openInvitations, openSessions } from '../account-store.server.ts';
import { changeRole, setActive } from './accounts.server.ts';
import {
  acceptInvitation,
  invite,
  readInvitation,
  withdrawInvitation,
} from './invitation.server.ts';
import { changePassword, endAllOwnSessions, endOwnSession } from './own-account.server.ts';
import { staffOf } from '../session.server.ts';
import { INVITATION_DAYS } from '../staff.ts';
import { accountById, auditEntriesOf } from '../store.server.ts';
import { staffAccounts } from '../testing/accounts.ts';

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
