import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { hashPassword, hashToken } from '~/platform/crypto.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { knownDeviceCookie } from './known-device.server.ts';
import { GUESSES, GUESSES_FROM_ANYWHERE } from './limits.server.ts';
import { openSessions } from './account-store.server.ts';
import { beginEnrolment, completeEnrolment } from './second-factor.server.ts';
import { sessionCookie, sessionOf, signOut, staffOf, staffOfAccount } from './session.server.ts';
import { confirmSignIn, signIn } from './sign-in.server.ts';
import { ABSOLUTE_MS, HALF_MS, IDLE_MS } from './staff.ts';
import { accountById, auditEntriesOf, insertAccount, liveSession } from './store.server.ts';

const platform = await makeTestPlatform();
const PASSWORD = 'correct horse battery';
const passwordHash = await hashPassword(PASSWORD);

async function account(active = true) {
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
  (await auditEntriesOf(platform.db, { kind: 'account', id })).at(-1)?.action;

describe('signing in', () => {
  test('takes the e-mail in any case and with spaces round it', async () => {
    const { id, email } = await account();
    const outcome = await attempt(`  ${email.toUpperCase()} `);
    expect(outcome).toMatchObject({ ok: true, value: { half: false } });
    expect(await lastAudit(id)).toBe('signed_in');
  });

  test.each(['', 'wrong', `${PASSWORD} `, PASSWORD.toUpperCase(), 'x'.repeat(100_000)])(
    'refuses the password %.20j',
    async (password) => {
      const { id, email } = await account();
      expect(await attempt(email, password)).toEqual({
        ok: false,
        error: { code: 'wrong_password' },
      });
      expect(await lastAudit(id)).toBe('sign_in_failed');
    },
  );

  test('answers the same for unknown, inactive and wrong', async () => {
    const known = await account();
    const inactive = await account(false);
    const outcomes = await Promise.all([
      attempt('nobody@lale.example'),
      attempt(inactive.email),
      attempt(known.email, 'wrong'),
    ]);
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });

  test('takes as long for an unknown address as for a known one', async () => {
    const { email } = await account();
    const time = async (address: string) => {
      const before = performance.now();
      await attempt(address, 'wrong');
      return performance.now() - before;
    };
    const known = [await time(email), await time(email)];
    const unknown = [await time('nobody1@x.example'), await time('nobody2@x.example')];
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
  });

  test('gives a new session and ends the one that was brought along', async () => {
    const { email } = await account();
    const first = await signedIn(email);
    const outcome = await attempt(email, PASSWORD, first);
    if (!outcome.ok) throw new Error(outcome.error.code);
    expect(outcome.value.token).not.toBe(first);
    expect(await staffOf(platform, browser(first))).toBeNull();
    expect(await staffOf(platform, browser(outcome.value.token))).toMatchObject({ email });
  });

  test('never takes over a token that a stranger planted', async () => {
    const { email } = await account();
    const outcome = await attempt(email, PASSWORD, 'planted');
    expect(outcome).toMatchObject({ ok: true });
    expect(await staffOf(platform, browser('planted'))).toBeNull();
  });

  test('stores no token, only its hash', async () => {
    const { email } = await account();
    const token = await signedIn(email);
    const { rows } = await platform.pool.query(
      `select count(*)::int n from staff_session where encode(token_hash, 'escape') like $1`,
      [`%${token}%`],
    );
    expect(rows).toEqual([{ n: 0 }]);
    const at = { now: platform.now(), seenAfter: new Date(0) };
    expect(await liveSession(platform.db, hashToken(token), at)).not.toBeNull();
  });
});

describe('guessing', () => {
  test('from one address ends after five tries, for the right password as well', async () => {
    const { id, email } = await account();
    const here = randomUUID();
    for (let i = 0; i < GUESSES; i++) {
      expect(await attempt(email, `guess ${i}`, undefined, here)).toMatchObject({
        error: { code: 'wrong_password' },
      });
    }
    const outcome = await attempt(email, PASSWORD, undefined, here);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'too_many' } });
    expect(await lastAudit(id)).toBe('sign_in_blocked');
    // Its owner is somewhere else.
    expect(await attempt(email)).toMatchObject({ ok: true });
  });

  test('is refused for an unknown e-mail just so', async () => {
    const email = `${randomUUID()}@x.example`;
    const here = randomUUID();
    for (let i = 0; i < GUESSES; i++) await attempt(email, 'guess', undefined, here);
    expect(await attempt(email, 'guess', undefined, here)).toMatchObject({
      error: { code: 'too_many' },
    });
  });

  test('from many addresses is bounded, also at once: of sixty tries together twenty are looked at', async () => {
    const { email } = await account();
    const outcomes = await Promise.all(
      Array.from({ length: 3 * GUESSES_FROM_ANYWHERE }, (_, i) => attempt(email, `guess ${i}`)),
    );
    const looked = outcomes.filter((o) => !o.ok && o.error.code === 'wrong_password');
    expect(looked).toHaveLength(GUESSES_FROM_ANYWHERE);
    // Nobody gets in on a device that the account has not been on.
    expect(await attempt(email)).toMatchObject({ error: { code: 'too_many' } });
  });

  test('elsewhere does not lock the owner out on a known device', async () => {
    const { id, email } = await account();
    const mine = withDevice(id);
    for (let i = 0; i <= GUESSES_FROM_ANYWHERE; i += 1) await attempt(email, 'guess');
    expect(await attempt(email)).toMatchObject({ error: { code: 'too_many' } });
    const here = { email, password: PASSWORD, address: randomUUID() };
    expect(await signIn(platform, mine, here)).toMatchObject({ ok: true });
  });

  test('on a known device ends after five tries as well, wherever it is', async () => {
    const { id, email } = await account();
    const stolen = withDevice(id);
    const on = (password: string) =>
      signIn(platform, stolen, { email, password, address: randomUUID() });
    for (let i = 0; i < GUESSES; i += 1) {
      expect(await on('guess')).toMatchObject({ error: { code: 'wrong_password' } });
    }
    expect(await on(PASSWORD)).toMatchObject({ error: { code: 'too_many' } });
  });

  test('gains nothing by a cookie of another account, a forged or an old one', async () => {
    const [{ id, email }, other] = [await account(), await account()];
    for (let i = 0; i <= GUESSES_FROM_ANYWHERE; i += 1) await attempt(email, 'guess');
    const own = cookiesOf(withDevice(id));
    const [name = ''] = own.split('=');
    const foreign = cookiesOf(withDevice(other.id)).split('=').slice(1).join('=');
    const cookies = [`${name}=${foreign}`, `${own}x`, `${name}=x`];
    const signs = (cookie: string) =>
      signIn(platform, new Request('http://127.0.0.1/admin', { headers: { cookie } }), {
        email,
        password: PASSWORD,
        address: randomUUID(),
      });
    for (const cookie of cookies) {
      expect(await signs(cookie)).toMatchObject({ error: { code: 'too_many' } });
    }
    platform.clock.advance(181 * 24 * 3600_000);
    expect(await signs(own)).toMatchObject({ error: { code: 'too_many' } });
  });

  test('a success forgets earlier slips', async () => {
    const { email } = await account();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await attempt(email, 'slip');
      expect(await attempt(email)).toMatchObject({ ok: true });
    }
  });

  test('from one address at many accounts ends after a hundred tries', async () => {
    const address = randomUUID();
    const codes = new Set<string>();
    for (let i = 0; i < 101; i += 25) {
      const outcomes = await Promise.all(
        Array.from({ length: 25 }, () =>
          attempt(`${randomUUID()}@x.example`, 'x', undefined, address),
        ),
      );
      for (const o of outcomes) if (!o.ok) codes.add(o.error.code);
    }
    expect(codes).toContain('too_many');
  });
});

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

  test('leaves the door half open until the code', async () => {
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

  test('waits ten minutes', async () => {
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
