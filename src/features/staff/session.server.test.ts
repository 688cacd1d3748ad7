import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { openSessions, accountById } from './store.server.ts';
import { beginEnrolment, completeEnrolment } from './second-factor.server.ts';
import { sessionCookie, sessionOf, signOut, staffOf, staffOfAccount } from './session.server.ts';
import { confirmSignIn, signIn } from './sign-in.server.ts';
import { ABSOLUTE_MS, HALF_MS, IDLE_MS } from './staff.ts';
import { signIns } from './testing/sign-ins.ts';

const { PASSWORD, account, attempt, browser, lastAudit, platform, signedIn } = await signIns();

describe('a session', () => {
  test('ends after half an hour without a request, and lives on with one', async () => {
    const { email } = await account();
    const token = await signedIn(email);
    platform.clock.advance(IDLE_MS - 1000);
    expect(await staffOf(platform, browser(token))).not.toBeNull();
    platform.clock.advance(IDLE_MS - 1000);
    expect(await staffOf(platform, browser(token))).not.toBeNull();
    platform.clock.advance(IDLE_MS + 1000);
    expect(await staffOf(platform, browser(token))).toBeNull();
  });

  test('ends after twelve hours in any case', async () => {
    const { email } = await account();
    const token = await signedIn(email);
    for (let passed = 0; passed < ABSOLUTE_MS - IDLE_MS; passed += IDLE_MS / 2) {
      platform.clock.advance(IDLE_MS / 2);
      expect(await staffOf(platform, browser(token))).not.toBeNull();
    }
    platform.clock.advance(IDLE_MS);
    expect(await staffOf(platform, browser(token))).toBeNull();
  });

  test('names browser and system of the device that opened it, and nothing else', async () => {
    const { id, email } = await account();
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
    const request = new Request('http://127.0.0.1/admin', { headers: { 'user-agent': agent } });
    await signIn(platform, request, { email, password: PASSWORD, address: '203.0.113.7' });
    await signedIn(email);
    const sessions = await openSessions(platform.db, id, platform.now());
    expect(sessions.map(({ device }) => device).toSorted()).toEqual(['Firefox, Windows', null]);
    expect(JSON.stringify(sessions)).not.toContain('203.0.113.7');
  });

  test('ends with sign-out, and with the account', async () => {
    const { id, email } = await account();
    const token = await signedIn(email);
    expect(await signOut(platform, browser(token))).toContain('Max-Age=0');
    expect(await staffOf(platform, browser(token))).toBeNull();
    expect(await lastAudit(id)).toBe('signed_out');
    const other = await signedIn(email);
    await platform.pool.query('update staff_account set active = false where id = $1', [id]);
    expect(await staffOf(platform, browser(other))).toBeNull();
  });

  test('has a cookie that scripts and other sites do not get', () => {
    const cookie = sessionCookie(platform, 'abc');
    expect(cookie).toBe('lale_staff=abc; Path=/; HttpOnly; SameSite=Lax');
    const secure = {
      ...platform,
      config: { ...platform.config, publicUrl: 'https://lale.example' },
    };
    expect(sessionCookie(secure, 'abc')).toBe(
      '__Host-lale_staff=abc; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
  });
});

describe('the second factor', () => {
  async function enrolled() {
    const { id, email } = await account();
    const row = await accountById(platform.db, id);
    if (!row) throw new Error('no account');
    const staff = staffOfAccount(row);
    const { secret, sealed, uri } = beginEnrolment(platform, staff);
    expect(uri).toContain('otpauth://totp/Lale:');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeAt = (steps: number) =>
      totp.generate({ timestamp: platform.now().getTime() + steps * 30_000 });
    expect(await completeEnrolment(platform, staff, { sealed, code: codeAt(0) })).toMatchObject({
      ok: true,
    });
    platform.clock.advance(60_000);
    return { id, email, staff, sealed, codeAt };
  }
  const half = async (email: string) => {
    const outcome = await attempt(email);
    if (!outcome.ok) throw new Error(outcome.error.code);
    expect(outcome.value.half).toBe(true);
    return outcome.value.token;
  };
  const confirm = (token: string, code: string) => confirmSignIn(platform, browser(token), code);

  test('opens an incomplete session until the code is entered', async () => {
    const { email, codeAt } = await enrolled();
    const token = await half(email);
    expect(await staffOf(platform, browser(token))).toBeNull();
    const outcome = await confirm(token, codeAt(0));
    if (!outcome.ok) throw new Error(outcome.error.code);
    expect(await staffOf(platform, browser(outcome.value.token))).toMatchObject({ email });
    expect(await sessionOf(platform, browser(token))).toBeNull();
  });

  test('takes a code with spaces, and from a clock that is 30 seconds off', async () => {
    const { email, codeAt } = await enrolled();
    const early = codeAt(-1);
    expect(
      await confirm(await half(email), `${early.slice(0, 3)} ${early.slice(3)}`),
    ).toMatchObject({
      ok: true,
    });
    expect(await confirm(await half(email), codeAt(1))).toMatchObject({ ok: true });
  });

  test.each([-3, 3])('refuses a code that is %s steps off', async (steps) => {
    const { email, codeAt } = await enrolled();
    expect(await confirm(await half(email), codeAt(steps))).toMatchObject({
      error: { code: 'wrong_code' },
    });
  });

  test('refuses a code that was used, also by two at the same moment', async () => {
    const { email, codeAt } = await enrolled();
    const tokens = [await half(email), await half(email), await half(email)];
    const code = codeAt(0);
    const outcomes = await Promise.all(tokens.map((token) => confirm(token, code)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await confirm(await half(email), code)).toMatchObject({ error: { code: 'wrong_code' } });
  });

  test('refuses the code of an earlier moment after a later one', async () => {
    const { email, codeAt } = await enrolled();
    const earlier = codeAt(0);
    expect(await confirm(await half(email), codeAt(1))).toMatchObject({ ok: true });
    expect(await confirm(await half(email), earlier)).toMatchObject({ ok: false });
  });

  test('ends after five wrong codes, and stays ended for the account', async () => {
    const { email, codeAt } = await enrolled();
    const token = await half(email);
    for (let i = 0; i < 5; i++) await confirm(token, '000000');
    expect(await confirm(token, codeAt(0))).toMatchObject({ error: { code: 'too_many' } });
    expect(await confirm(token, codeAt(0))).toMatchObject({ error: { code: 'signed_out' } });
    expect(await confirm(await half(email), codeAt(0))).toMatchObject({
      error: { code: 'too_many' },
    });
  });

  test('is asked for within ten minutes', async () => {
    const { email, codeAt } = await enrolled();
    const token = await half(email);
    platform.clock.advance(HALF_MS + 1000);
    expect(await confirm(token, codeAt(0))).toMatchObject({ error: { code: 'signed_out' } });
  });

  test('is set up once, by its owner only', async () => {
    const { staff, sealed, codeAt } = await enrolled();
    expect(await completeEnrolment(platform, staff, { sealed, code: codeAt(0) })).toMatchObject({
      error: { code: 'already_set_up' },
    });
    const other = await account();
    const stranger = { ...staff, id: other.id };
    expect(await completeEnrolment(platform, stranger, { sealed, code: codeAt(0) })).toMatchObject({
      error: { code: 'wrong_code' },
    });
    expect(
      await completeEnrolment(platform, stranger, { sealed: 'x', code: codeAt(0) }),
    ).toMatchObject({ error: { code: 'wrong_code' } });
  });

  test('a whole session is no half one', async () => {
    const { email } = await account();
    expect(await confirm(await signedIn(email), '000000')).toMatchObject({
      error: { code: 'signed_out' },
    });
  });
});
