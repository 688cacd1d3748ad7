import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import {
  openSessions,
  accountById,
  countRecoveryCodes,
  auditEntriesBySubject,
} from './store.server.ts';
import {
  beginEnrolment,
  completeEnrolment,
  unusedRecoveryCodes,
  makeRecoveryCodes,
} from './second-factor.server.ts';
import { sessionCookie, requestSession, signOut, requestStaff, toStaff } from './session.server.ts';
import { confirmSignIn, signIn } from './sign-in.server.ts';
import { ABSOLUTE_MS, HALF_MS, IDLE_MS, type Staff, pageAfterSignIn } from './staff.ts';
import { signIns, staffAccounts } from './testing/accounts.ts';
import { changeRole, resetSecondFactor } from './accounts/accounts.server.ts';
import { mustSetUpSecondFactor } from './require.server.ts';
import { may, roles, staffActions } from './roles.ts';

const { PASSWORD, account, attempt, browser, lastAudit, platform, signedIn } = await signIns();

describe('a session', () => {
  test('ends after half an hour without a request, and lives on with one', async () => {
    const { email } = await account();
    const token = await signedIn(email);
    platform.clock.advance(IDLE_MS - 1000);
    expect(await requestStaff(platform, browser(token))).not.toBeNull();
    platform.clock.advance(IDLE_MS - 1000);
    expect(await requestStaff(platform, browser(token))).not.toBeNull();
    platform.clock.advance(IDLE_MS + 1000);
    expect(await requestStaff(platform, browser(token))).toBeNull();
  });

  test('ends after twelve hours in any case', async () => {
    const { email } = await account();
    const token = await signedIn(email);
    for (let passed = 0; passed < ABSOLUTE_MS - IDLE_MS; passed += IDLE_MS / 2) {
      platform.clock.advance(IDLE_MS / 2);
      expect(await requestStaff(platform, browser(token))).not.toBeNull();
    }
    platform.clock.advance(IDLE_MS);
    expect(await requestStaff(platform, browser(token))).toBeNull();
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
    expect(await requestStaff(platform, browser(token))).toBeNull();
    expect(await lastAudit(id)).toBe('signed_out');
    const other = await signedIn(email);
    await platform.pool.query('update staff_account set active = false where id = $1', [id]);
    expect(await requestStaff(platform, browser(other))).toBeNull();
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
    const staff = toStaff(row);
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
    expect(await requestStaff(platform, browser(token))).toBeNull();
    const outcome = await confirm(token, codeAt(0));
    if (!outcome.ok) throw new Error(outcome.error.code);
    expect(await requestStaff(platform, browser(outcome.value.token))).toMatchObject({ email });
    expect(await requestSession(platform, browser(token))).toBeNull();
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

describe('second factor', async () => {
  const { account, administrator, db, enter, platform } = await staffAccounts();

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
      return { by: toStaff(stored), codes: await makeRecoveryCodes(platform, id) };
    }

    test.each(['reviewer', 'manager', 'administrator'] as const)(
      'has to be set up first by every %s in live mode',
      async (role) => {
        const stored = await accountById(db, (await account(role)).id);
        if (!stored) throw new Error('no account');
        const staff = toStaff(stored);
        const at = (mode: 'test' | 'live') =>
          mustSetUpSecondFactor({ config: { ...platform.config, mode } }, staff);
        expect([at('live'), at('test')]).toEqual([true, false]);
      },
    );

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
      const typed = { reason: 'lost', sessionId: null, code: codes[0] ?? '' } as const;
      expect(await resetSecondFactor(platform, by, staff.id, typed)).toMatchObject({ ok: true });
      expect(await countRecoveryCodes(db, staff.id)).toBe(0);
      expect(
        (await auditEntriesBySubject(db, { kind: 'account', id: staff.id })).at(-1),
      ).toMatchObject({
        action: 'second_factor_reset',
        staffId: by.id,
        detail: { reason: 'lost' },
      });
      expect((await requestSession(platform, await enter(staff.email)))?.session.half).toBe(false);
    });
  });

  describe('an administrator who removes a second factor', () => {
    async function factorOf(id: string, secret: Buffer | null) {
      await platform.pool.query('update staff_account set totp_secret = $2 where id = $1', [
        id,
        secret,
      ]);
    }
    const reset = (by: Staff, id: string, code: string) =>
      resetSecondFactor(platform, by, id, { reason: 'lost', sessionId: null, code });

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
      const withoutReason = { reason: undefined, sessionId: null, code: codes[0] ?? '' };
      expect(await resetSecondFactor(platform, by, other.id, withoutReason)).toEqual(
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
  });
});

/** What each role may not do; everything else is allowed. */
const forbidden = {
  reviewer: [
    'strike_note',
    'share_view',
    'view_revenue',
    'view_work',
    'export_applications',
    'replace_document',
    'release_refund',
    'view_outbox',
    'view_payments',
    'resolve_alerts',
    'export_ledger',
    'close_days',
    'set_chase',
    'edit_templates',
    'second_look',
    'view_audit',
    'administer',
  ],
  manager: ['view_outbox', 'view_audit', 'administer'],
  administrator: [],
} as const;

test.each(roles.flatMap((role) => staffActions.map((action) => [role, action] as const)))(
  'a %s and %s',
  (role, action) => {
    const list: readonly string[] = forbidden[role];
    expect(may(role, action)).toBe(!list.includes(action));
  },
);

test('every action is allowed to somebody', () => {
  for (const action of staffActions) expect(may('administrator', action)).toBe(true);
});

test.each([
  ['/admin/applications/TRV7K2M9QXD4HPBR', '/admin/applications/TRV7K2M9QXD4HPBR'],
  ['/admin', '/admin'],
  [null, '/admin'],
  ['https://evil.example/admin', '/admin'],
  ['//evil.example', '/admin'],
  ['/admin//evil.example', '/admin'],
  ['/administrator', '/admin'],
  ['/admin/../status', '/admin'],
  ['/admin\\evil', '/admin'],
  ['/admin?next=x', '/admin'],
  ['javascript:alert(1)', '/admin'],
])('%s leads to %s', (asked, page) => {
  expect(pageAfterSignIn(asked)).toBe(page);
});
