import { describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { hashToken } from '~/platform/crypto/crypto.server.ts';
import { GUESSES, GUESSES_FROM_ANYWHERE, guessLimits } from './limits.server.ts';
import { requestStaff } from './session.server.ts';
import { signIn } from './sign-in.server.ts';
import { auditEntriesBySubject, liveSession } from './store.server.ts';
import { REFUSALS_AUDITED } from './refused-access.server.ts';
import { signIns } from './testing/accounts.ts';

const {
  PASSWORD,
  account,
  attempt,
  browser,
  cookiesOf,
  lastAudit,
  platform,
  signedIn,
  withDevice,
} = await signIns();

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

  test('gives a new session and ends the one that was brought along', async () => {
    const { email } = await account();
    const first = await signedIn(email);
    const outcome = await attempt(email, PASSWORD, first);
    if (!outcome.ok) throw new Error(outcome.error.code);
    expect(outcome.value.token).not.toBe(first);
    expect(await requestStaff(platform, browser(first))).toBeNull();
    expect(await requestStaff(platform, browser(outcome.value.token))).toMatchObject({ email });
  });

  test('never accepts a session token that was planted', async () => {
    const { email } = await account();
    const outcome = await attempt(email, PASSWORD, 'planted');
    expect(outcome).toMatchObject({ ok: true });
    expect(await requestStaff(platform, browser('planted'))).toBeNull();
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
    // The owner, at another address, is not affected.
    expect(await attempt(email)).toMatchObject({ ok: true });
  });

  test('from one address does not lock the account on a new device elsewhere', async () => {
    const { email } = await account();
    const here = randomUUID();
    for (let i = 0; i < 2 * GUESSES_FROM_ANYWHERE; i += 1) {
      await attempt(email, 'guess', undefined, here);
    }
    expect(await attempt(email)).toMatchObject({ ok: true });
  });

  test('leaves five entries an hour of one kind in the audit trail, and others their own', async () => {
    const [{ id, email }, other] = [await account(), await account()];
    const here = randomUUID();
    for (let i = 0; i < 40; i += 1) await attempt(email, 'guess', undefined, here);
    const entries = await auditEntriesBySubject(platform.db, { kind: 'account', id });
    const count = (action: string) => entries.filter((one) => one.action === action).length;
    expect(count('sign_in_failed')).toBe(REFUSALS_AUDITED);
    expect(count('sign_in_blocked')).toBe(REFUSALS_AUDITED);
    for (let i = 0; i < 20; i += 1) await attempt(`${randomUUID()}@x.example`, 'guess');
    const unknown = await auditEntriesBySubject(platform.db, { kind: 'account', id: 'unknown' });
    expect(unknown.length).toBeLessThanOrEqual(2 * REFUSALS_AUDITED);
    await attempt(other.email, 'guess');
    expect(await lastAudit(other.id)).toBe('sign_in_failed');
  });

  test('is limited for an unknown e-mail in the same way', async () => {
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
    // Not on a device that is not known for the account.
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

  test('a successful sign-in resets the count', async () => {
    const { email } = await account();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await attempt(email, 'slip');
      expect(await attempt(email)).toMatchObject({ ok: true });
    }
  });

  test('from one address at many accounts ends after a hundred tries', async () => {
    const address = randomUUID();
    const guess = () => attempt(`${randomUUID()}@x.example`, 'x', undefined, address);
    // As many tries as the others would take, but without hashing a password for each.
    await guessLimits(platform).address.consume(address, 99);
    expect(await guess()).toMatchObject({ error: { code: 'wrong_password' } });
    expect(await guess()).toMatchObject({ error: { code: 'too_many' } });
  });
});
