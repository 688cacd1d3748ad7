import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword, hashToken } from '~/platform/crypto/crypto.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { openSessions, auditEntriesBySubject } from '../store.server.ts';
import { setActive } from './accounts.server.ts';
import { RESETS_PER_EMAIL } from '../limits.server.ts';
import { makeRecoveryCodes } from '../second-factor.server.ts';
import type { Role } from '../roles.ts';
import { openSession } from '../session.server.ts';
import { storeAccount } from '../testing/accounts.ts';
import { confirmSignIn, signIn } from '../sign-in.server.ts';
import {
  askReset,
  makeResetLink,
  readReset,
  RESET_JOB,
  RESET_MINUTES,
  readResetMail,
  resetPassword,
  sendReset,
  type ResetMail,
} from './reset.server.ts';

const platform = await makeTestPlatform();
const { db, pool } = platform;
const OLD = 'correct horse battery';
const NEW = 'seven quiet lanterns';
const passwordHash = await hashPassword(OLD, LOW_COST);

const account = (role: Role = 'reviewer', active = true) =>
  storeAccount(platform, { role, passwordHash, active });

const ask = (email: string, address: string = randomUUID()) =>
  askReset(platform, { email, address, language: 'de' });

/** The emails sent so far. */
async function mails(): Promise<ResetMail[]> {
  const found: ResetMail[] = [];
  await platform.runJobs({
    [RESET_JOB]: async (payload) => {
      const mail = await readResetMail(platform, payload);
      if (mail) found.push(mail);
    },
  });
  return found;
}

async function linkFor(email: string): Promise<string> {
  await ask(email);
  const [mail] = await mails();
  return mail?.url.split('/').at(-1) ?? '';
}

const enter = (email: string, password: string) =>
  signIn(platform, new Request('http://127.0.0.1/admin'), {
    email,
    password,
    address: randomUUID(),
  });
const entriesOf = async (id: string) =>
  (await auditEntriesBySubject(db, { kind: 'account', id })).map(({ action, staffId, detail }) => ({
    action,
    staffId,
    detail,
  }));

describe('a forgotten password', () => {
  test('is replaced by a link that is sent to its owner', async () => {
    const { id, email } = await account();
    await ask(` ${email.toUpperCase()} `);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ email, language: 'de', minutes: RESET_MINUTES });
    expect(mail?.url).toContain('/de/admin/reset/');
    const token = mail?.url.split('/').at(-1) ?? '';
    expect(await readReset(platform, token)).toEqual({ email, name: 'E. Aydın' });
    expect(await resetPassword(platform, token, NEW)).toEqual({ ok: true, value: null });
    expect(await enter(email, OLD)).toMatchObject({ ok: false });
    expect(await enter(email, NEW)).toMatchObject({ ok: true });
    expect(await entriesOf(id)).toMatchObject([
      { action: 'reset_asked', staffId: null },
      { action: 'password_reset', staffId: id, detail: { asked_by: 'email' } },
      { action: 'sign_in_failed' },
      { action: 'signed_in' },
    ]);
  });

  test('is answered alike for known, unknown and deactivated addresses, with the same work', async () => {
    const [known, gone] = [await account(), await account('reviewer', false)];
    const unknown = `${randomUUID()}@x.example`;
    const jobs = async () =>
      (await pool.query('select count(*)::int n from graphile_worker.jobs')).rows[0]?.n;
    for (const email of [known.email, gone.email, unknown]) {
      const before = await jobs();
      expect(await ask(email)).toEqual({ ok: true, value: null });
      expect(await jobs()).toBe(before + 1);
    }
    expect((await mails()).map(({ email }) => email)).toEqual([known.email]);
  });

  test('is asked for thrice an hour; then nothing more is sent and the answer stays', async () => {
    const { email } = await account();
    for (let i = 0; i <= RESETS_PER_EMAIL; i += 1) {
      expect(await ask(email)).toEqual({ ok: true, value: null });
    }
    expect(await mails()).toHaveLength(RESETS_PER_EMAIL);
  });

  test('is not asked for by one address without end', async () => {
    const address = randomUUID();
    const codes = new Set<string>();
    for (let i = 0; i < 21; i += 1) {
      const outcome = await ask(`${randomUUID()}@x.example`, address);
      if (!outcome.ok) codes.add(outcome.error.code);
    }
    expect([...codes]).toEqual(['too_many']);
    await mails();
  });

  test('ends every session of the account, half ones too, and every other link', async () => {
    const { id, email } = await account();
    const now = platform.now();
    await openSession(db, { accountId: id, half: false, now });
    await openSession(db, { accountId: id, half: true, now });
    const [first, second] = [await linkFor(email), await linkFor(email)];
    expect(await resetPassword(platform, first, NEW)).toMatchObject({ ok: true });
    expect(await openSessions(db, id, now)).toEqual([]);
    const { rows } = await pool.query(
      'select count(*)::int n from staff_session where account_id = $1 and ended_at is null',
      [id],
    );
    expect(rows).toEqual([{ n: 0 }]);
    expect(await readReset(platform, second)).toBeNull();
    expect((await entriesOf(id)).at(-1)?.detail).toEqual({ asked_by: 'email', sessions: 2 });
  });

  test('still leaves the second factor to be asked for', async () => {
    const { id, email } = await account('manager');
    await pool.query('update staff_account set totp_secret = $2 where id = $1', [
      id,
      platform.sealer.seal(Buffer.alloc(20), `staff_account.totp_secret:${id}`),
    ]);
    const [code = ''] = await makeRecoveryCodes(platform, id);
    await resetPassword(platform, await linkFor(email), NEW);
    const entered = await enter(email, NEW);
    if (!entered.ok) throw new Error(entered.error.code);
    expect(entered.value.half).toBe(true);
    const half = new Request('http://127.0.0.1/admin', {
      headers: { cookie: `lale_staff=${entered.value.token}` },
    });
    expect(await confirmSignIn(platform, half, code)).toMatchObject({ ok: true });
  });
});

describe('a link', () => {
  test('works once, also for two who press at the same moment', async () => {
    const { email } = await account();
    const token = await linkFor(email);
    const outcomes = await Promise.all([
      resetPassword(platform, token, NEW),
      resetPassword(platform, token, 'nine green harbours'),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes).toContainEqual({ ok: false, error: 'reset_over' });
  });

  test('is over after an hour', async () => {
    const { email } = await account();
    const token = await linkFor(email);
    platform.clock.advance(RESET_MINUTES * 60_000 - 1000);
    expect(await readReset(platform, token)).not.toBeNull();
    platform.clock.advance(1000);
    expect(await readReset(platform, token)).toBeNull();
    expect(await resetPassword(platform, token, NEW)).toEqual({ ok: false, error: 'reset_over' });
  });

  test('opens nothing for an account that was deactivated meanwhile', async () => {
    const [administrator, { id, email }] = [await account('administrator'), await account()];
    const token = await linkFor(email);
    await setActive(platform, administrator, id, false);
    expect(await resetPassword(platform, token, NEW)).toEqual({ ok: false, error: 'reset_over' });
  });

  test('stays open after a password that is refused', async () => {
    const { email } = await account();
    const token = await linkFor(email);
    for (const [password, error] of [
      ['short', 'too_short'],
      ['Password1234567', 'guessable'],
      [`nine harbours of ${email}`, 'personal'],
    ] as const) {
      expect(await resetPassword(platform, token, password)).toEqual({ ok: false, error });
    }
    expect(await resetPassword(platform, token, NEW)).toMatchObject({ ok: true });
  });

  test('is kept as a hash, and the queue holds neither it nor the address in the clear', async () => {
    const { email } = await account();
    await ask(email);
    const { rows: jobs } = await pool.query(
      'select payload::text from graphile_worker._private_jobs',
    );
    expect(JSON.stringify(jobs)).not.toContain(email);
    const [mail] = await mails();
    const token = mail?.url.split('/').at(-1) ?? '';
    const { rows } = await pool.query('select * from staff_reset where token_hash = $1', [
      hashToken(token),
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(jobs) + JSON.stringify(rows)).not.toContain(token);
  });

  test('is stored once, however often its job runs', async () => {
    const { id, email } = await account();
    await ask(email);
    const urls: string[] = [];
    await platform.runJobs({
      [RESET_JOB]: async (payload) => {
        for (let i = 0; i < 2; i += 1)
          urls.push((await readResetMail(platform, payload))?.url ?? '');
      },
    });
    expect(new Set(urls).size).toBe(1);
    expect(await entriesOf(id)).toHaveLength(1);
  });
});

describe('an administrator', () => {
  test('has a link sent to somebody else, and it is written down who did', async () => {
    const [administrator, { id, email }] = [await account('administrator'), await account()];
    expect(await sendReset(platform, administrator, id, 'en')).toMatchObject({ ok: true });
    const [mail] = await mails();
    expect(mail?.email).toBe(email);
    const token = mail?.url.split('/').at(-1) ?? '';
    expect(await enter(email, OLD)).toMatchObject({ ok: true });
    expect(await resetPassword(platform, token, NEW)).toMatchObject({ ok: true });
    expect(await entriesOf(id)).toMatchObject([
      { action: 'reset_sent', staffId: administrator.id },
      { action: 'signed_in' },
      { action: 'password_reset', detail: { asked_by: 'administrator', sessions: 1 } },
    ]);
  });

  test('alone may: a manager is refused', async () => {
    const [manager, { id }] = [await account('manager'), await account()];
    expect(await sendReset(platform, manager, id, 'en')).toEqual({
      ok: false,
      error: 'forbidden',
    });
    expect(await mails()).toEqual([]);
  });
});

describe('the command on the server', () => {
  const tokenOf = async (email: string, secondFactor = false) => {
    const made = await makeResetLink(platform, { email, secondFactor });
    if (!made.ok) throw new Error(made.error);
    return made.value.split('/').at(-1) ?? '';
  };

  test('lets a sole administrator back in', async () => {
    const { id, email } = await account('administrator');
    expect(await resetPassword(platform, await tokenOf(email), NEW)).toMatchObject({ ok: true });
    expect(await enter(email, NEW)).toMatchObject({ ok: true, value: { half: false } });
    expect(await entriesOf(id)).toMatchObject([
      { action: 'reset_link_made', staffId: null },
      { action: 'password_reset', detail: { asked_by: 'command' } },
      { action: 'signed_in' },
    ]);
  });

  test('takes a lost second factor away only when told to', async () => {
    const { id, email } = await account('administrator');
    const factor = async () =>
      (await pool.query('select totp_secret from staff_account where id = $1', [id])).rows[0]
        ?.totp_secret;
    await pool.query('update staff_account set totp_secret = $2 where id = $1', [
      id,
      Buffer.from('sealed'),
    ]);
    await tokenOf(email);
    expect(await factor()).not.toBeNull();
    await tokenOf(email, true);
    expect(await factor()).toBeNull();
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: 'second_factor_reset',
      detail: { reason: 'command' },
    });
  });

  test('refuses unknown and deactivated accounts', async () => {
    const { email } = await account('reviewer', false);
    const link = (of: string) => makeResetLink(platform, { email: of, secondFactor: false });
    expect(await link(email)).toEqual({ ok: false, error: 'deactivated' });
    expect(await link('nobody@x.example')).toEqual({ ok: false, error: 'not_found' });
  });
});
