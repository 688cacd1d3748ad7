import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import { untilBlocked } from '../../../../test/locks.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { openSessions } from '../account-store.server.ts';
import { changeRole, endAllSessions, setActive } from './accounts.server.ts';
import type { Role } from '../roles.ts';
import { openSession, sessionCookie } from '../session.server.ts';
import { storeAccount } from '../testing/accounts.ts';
import { confirmSignIn, signIn } from '../sign-in.server.ts';
import { IDLE_MS } from '../staff.ts';
import { accountById } from '../store.server.ts';
import { beginEnrolment, completeEnrolment } from '../second-factor.server.ts';
import { makeRecoveryCodes } from '../recovery-codes.server.ts';
import { Secret, TOTP } from 'otpauth';

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
