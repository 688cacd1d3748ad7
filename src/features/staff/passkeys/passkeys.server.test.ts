import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import { untilBlocked } from '../../../../test/database.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import {
  changeAccount,
  openSessions,
  auditEntriesBySubject,
  insertAccount,
} from '../store.server.ts';
import { removeSecondFactor } from '../accounts/accounts.server.ts';
import { openSession, sessionCookie } from '../session.server.ts';
import { passkeysByAccount } from './passkey-sign-in.server.ts';
import { authenticator } from '../testing/authenticator.ts';

const PASSWORD = 'correct horse battery';
const ORIGIN = 'http://localhost:3000';
const at = { origin: ORIGIN, site: 'localhost' };
const platform = await makeTestPlatform({
  variables: { PUBLIC_URL: ORIGIN, TRUST_PROXY: 'yes' },
});
const { db } = platform;
const app = makeTestApp(platform);
const passwordHash = await hashPassword(PASSWORD, LOW_COST);

/** An account with an authenticator app; `code` is its next unused code. */
async function staff() {
  const id = randomUUID();
  const email = `${id.slice(0, 8)}@lale.example`;
  const createdAt = platform.now();
  const row = { id, email, name: 'E. Aydın', role: 'reviewer' as const, passwordHash, createdAt };
  await insertAccount(db, row);
  const secret = new Secret({ size: 20 });
  await platform.pool.query('update staff_account set totp_secret = $2 where id = $1', [
    id,
    platform.sealer.seal(secret.bytes, `staff_account.totp_secret:${id}`),
  ]);
  const code = () => {
    platform.clock.advance(30_000);
    return new TOTP({ secret }).generate({ timestamp: platform.now().getTime() });
  };
  return { id, email, code };
}

function browser(cookies: string[] = []) {
  const jar = new Map(cookies.map((one) => [one.split('=')[0] ?? '', one]));
  const address = `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 254) + 1).join('.')}`;
  async function post(path: string, form: Record<string, string>) {
    const answer = await app.request(`${ORIGIN}${path}`, {
      method: 'POST',
      headers: {
        cookie: [...jar.values()].join('; '),
        'x-forwarded-for': address,
        'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: new URLSearchParams(form),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.split('=')[0] ?? '', pair);
    }
    return answer;
  }
  /** The challenge to sign in with, which the browser keeps. */
  const challenge = async (): Promise<string> =>
    (await (await post('/admin/passkeys', { intent: 'show' })).json()).challenge;
  const enter = (passkey: string) => post('/admin', { passkey });
  return { jar, post, challenge, enter };
}

async function signedIn(accountId: string) {
  const token = await openSession(db, { accountId, half: false, now: platform.now() });
  return browser([sessionCookie(platform, token).split(';')[0] ?? '']);
}

/** An account with one passkey, added through the account page. */
async function withPasskey() {
  const person = await staff();
  const key = authenticator();
  const one = await signedIn(person.id);
  const begun = await one.post('/admin/passkeys', { intent: 'add', code: person.code() });
  const { challenge } = await begun.json();
  const response = key.make({ ...at, challenge });
  const added = await one.post('/admin/account', {
    intent: 'passkey_add',
    name: 'Laptop',
    response,
  });
  expect(added.status).toBe(200);
  return { ...person, key, one, response };
}

const actionsOn = async (id: string) =>
  (await auditEntriesBySubject(db, { kind: 'account', id })).map(({ action }) => action);

describe('adding a passkey', () => {
  test('takes a code, is listed under its name, and is in the audit trail', async () => {
    const { id, one } = await withPasskey();
    expect(await passkeysByAccount(db, id)).toMatchObject([{ name: 'Laptop', usedAt: null }]);
    expect(await actionsOn(id)).toContain('passkey_added');
    const wrong = await one.post('/admin/passkeys', { intent: 'add', code: '000000' });
    expect([wrong.status, await wrong.json()]).toEqual([422, { error: 'wrong_code' }]);
    const nobody = await browser().post('/admin/passkeys', { intent: 'add', code: '000000' });
    expect(await nobody.json()).toEqual({ error: 'signed_out' });
  });

  test('works once for each challenge, for this site, this session and a verified person', async () => {
    const { code, one, response, id } = await withPasskey();
    const again = await one.post('/admin/account', { intent: 'passkey_add', name: 'x', response });
    expect(again.status).toBe(422);
    const begin = async () =>
      (await (await one.post('/admin/passkeys', { intent: 'add', code: code() })).json()).challenge;
    const add = async (made: string, who = one) =>
      (await who.post('/admin/account', { intent: 'passkey_add', name: 'x', response: made }))
        .status;
    const make = (change: object, challenge: string) =>
      authenticator().make({ ...at, challenge, ...change });
    expect(await add(make({ origin: 'https://evil.example' }, await begin()))).toBe(422);
    expect(await add(make({ site: 'evil.example' }, await begin()))).toBe(422);
    expect(await add(make({ isVerified: false }, await begin()))).toBe(422);
    expect(await add(make({ challenge: 'another' }, await begin()))).toBe(422);
    const challenge = await begin();
    const other = await signedIn(id);
    const cookie = one.jar.get('lale_staff_passkey') ?? '';
    other.jar.set('lale_staff_passkey', cookie);
    expect(await add(make({}, challenge), other)).toBe(422);
    const late = await begin();
    platform.clock.advance(5 * 60_000);
    expect(await add(make({}, late))).toBe(422);
    expect(await passkeysByAccount(db, id)).toHaveLength(1);
  });

  test('takes no key that somebody else has', async () => {
    const [first, second] = [await withPasskey(), await staff()];
    const one = await signedIn(second.id);
    const begun = await one.post('/admin/passkeys', { intent: 'add', code: second.code() });
    const response = first.key.make({ ...at, challenge: (await begun.json()).challenge });
    const added = await one.post('/admin/account', { intent: 'passkey_add', name: 'x', response });
    expect(added.status).toBe(422);
    expect(await passkeysByAccount(db, second.id)).toEqual([]);
    expect(await passkeysByAccount(db, first.id)).toHaveLength(1);
  });

  test('does not outlive a reset of the second factor that comes between', async () => {
    const person = await staff();
    const one = await signedIn(person.id);
    const begun = await one.post('/admin/passkeys', { intent: 'add', code: person.code() });
    const response = authenticator().make({ ...at, challenge: (await begun.json()).challenge });
    const client = await platform.pool.connect();
    try {
      await client.query('begin');
      await client.query('update staff_account set totp_secret = null where id = $1', [person.id]);
      const pending = one.post('/admin/account', { intent: 'passkey_add', name: 'x', response });
      // Its session and its challenge were accepted, and it waits for the locked account.
      await untilBlocked(db);
      await client.query('commit');
      expect((await pending).status).toBe(422);
    } finally {
      client.release();
    }
    expect(await passkeysByAccount(db, person.id)).toEqual([]);
  });

  test('without a name is called as the browser', async () => {
    const first = await withPasskey();
    const begun = await first.one.post('/admin/passkeys', { intent: 'add', code: first.code() });
    const response = authenticator().make({ ...at, challenge: (await begun.json()).challenge });
    await first.one.post('/admin/account', { intent: 'passkey_add', name: ' ', response });
    expect((await passkeysByAccount(db, first.id)).map(({ name }) => name)).toContain(
      'Firefox, Windows',
    );
  });

  test('is undone by its owner, and by a reset of the second factor', async () => {
    const [first, second] = [await withPasskey(), await withPasskey()];
    const foreign = { intent: 'passkey_remove', passkey: second.key.id };
    await first.one.post('/admin/account', foreign);
    expect(await passkeysByAccount(db, second.id)).toHaveLength(1);
    await first.one.post('/admin/account', { intent: 'passkey_remove', passkey: first.key.id });
    expect(await passkeysByAccount(db, first.id)).toEqual([]);
    expect(await actionsOn(first.id)).toContain('passkey_removed');
    await db.transaction((tx) => removeSecondFactor(tx, second.id, platform.now()));
    expect(await passkeysByAccount(db, second.id)).toEqual([]);
  });
});

describe('signing in with a passkey', () => {
  test('alone counts as both factors', async () => {
    const { id, key } = await withPasskey();
    const one = browser();
    const answer = await one.enter(key.show({ ...at, challenge: await one.challenge() }));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/admin']);
    const [session] = await openSessions(db, id, platform.now());
    expect(session).toMatchObject({ method: 'passkey', provedFactor: true });
    expect((await auditEntriesBySubject(db, { kind: 'account', id })).at(-1)).toMatchObject({
      action: 'signed_in',
      detail: { by: 'passkey', alone: true },
    });
  });

  test('tells nobody which accounts and passkeys there are', async () => {
    const { key } = await withPasskey();
    const asked = await (await browser().post('/admin/passkeys', { intent: 'show' })).json();
    expect(asked).not.toHaveProperty('allowCredentials');
    const enter = async (shown: ReturnType<typeof authenticator>) => {
      const one = browser();
      const answer = await one.enter(
        shown.show({ ...at, challenge: await one.challenge(), isVerified: false }),
      );
      return {
        status: answer.status,
        html: (await answer.text()).replaceAll(/nonce="[^"]*"/g, ''),
      };
    };
    expect(await enter(key)).toEqual(await enter(authenticator()));
  });

  test('is the second factor after the password, of this account alone', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    const one = browser();
    await one.post('/admin', { email: person.email, password: PASSWORD });
    const half = one.jar.get('lale_staff');
    const foreign = other.key.show({ ...at, challenge: await one.challenge() });
    expect((await one.enter(foreign)).status).toBe(401);
    const own = person.key.show({ ...at, challenge: await one.challenge(), isVerified: false });
    expect((await one.enter(own)).status).toBe(302);
    expect(one.jar.get('lale_staff')).not.toBe(half);
  });

  test('is refused for another site, an unverified person, another challenge or browser, and twice', async () => {
    const { key, id } = await withPasskey();
    const one = browser();
    const status = async (change: object) =>
      (await one.enter(key.show({ ...at, challenge: await one.challenge(), ...change }))).status;
    expect(await status({ origin: 'https://evil.example' })).toBe(401);
    expect(await status({ site: 'evil.example' })).toBe(401);
    expect(await status({ isVerified: false })).toBe(401);
    expect(await status({ challenge: 'another' })).toBe(401);
    const challenge = await one.challenge();
    const shown = key.show({ ...at, challenge });
    expect((await browser().enter(shown)).status).toBe(401);
    const cookie = one.jar.get('lale_staff_passkey') ?? '';
    expect((await one.enter(shown)).status).toBe(302);
    expect((await browser([cookie]).enter(shown)).status).toBe(401);
    expect((await actionsOn(id)).filter((action) => action === 'passkey_failed')).toHaveLength(4);
  });

  test('is refused where the counter goes back, which tells of a copy', async () => {
    const { key } = await withPasskey();
    const one = browser();
    key.setCounter(10);
    expect((await one.enter(key.show({ ...at, challenge: await one.challenge() }))).status).toBe(
      302,
    );
    key.setCounter(5);
    const two = browser();
    expect((await two.enter(key.show({ ...at, challenge: await two.challenge() }))).status).toBe(
      401,
    );
  });

  test('stays out with a deactivated account, and is limited', async () => {
    const { id, key } = await withPasskey();
    await changeAccount(db, id, { active: false });
    const one = browser();
    expect((await one.enter(key.show({ ...at, challenge: await one.challenge() }))).status).toBe(
      401,
    );
    let last = 0;
    for (let tries = 0; tries < 30; tries += 1) last = (await one.enter('{}')).status;
    expect(last).toBe(429);
  });

  test('is not offered where browsers make none', async () => {
    const bare = makeTestApp(await makeTestPlatform());
    const post = { method: 'POST', body: new URLSearchParams({ intent: 'show' }) };
    expect((await bare.request('/admin/passkeys', post)).status).toBe(404);
  });
});
