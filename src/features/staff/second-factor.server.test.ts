import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { countRecoveryCodes, accountById, auditEntriesOf } from './store.server.ts';
import { unusedRecoveryCodes, makeRecoveryCodes } from './recovery-codes.server.ts';
import { changeRole, resetSecondFactor } from './accounts/accounts.server.ts';
import { mustSetUpSecondFactor } from './require.server.ts';
import { beginEnrolment, completeEnrolment } from './second-factor.server.ts';
import { sessionOf, staffOfAccount } from './session.server.ts';
import { confirmSignIn } from './sign-in.server.ts';
import type { Staff } from './staff.ts';
import { staffAccounts } from './testing/accounts.ts';

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
    return { by: staffOfAccount(stored), codes: await makeRecoveryCodes(platform, id) };
  }

  test.each(['reviewer', 'manager', 'administrator'] as const)(
    'has to be set up first by every %s in live mode',
    async (role) => {
      const stored = await accountById(db, (await account(role)).id);
      if (!stored) throw new Error('no account');
      const staff = staffOfAccount(stored);
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
    expect((await auditEntriesOf(db, { kind: 'account', id: staff.id })).at(-1)).toMatchObject({
      action: 'second_factor_reset',
      staffId: by.id,
      detail: { reason: 'lost' },
    });
    expect((await sessionOf(platform, await enter(staff.email)))?.session.half).toBe(false);
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
