import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { startSecondProcess } from '../../../../test/second-process.ts';
import { openSessions } from '../account-store.server.ts';
import { signOns } from './testing/sign-ons.ts';

const { provider, platform, app, staff, browser, signedIn, entriesOn } = await signOns();
const { db } = platform;

const sessionsOf = (id: string) => openSessions(db, id, platform.now());
const isIn = async (one: ReturnType<typeof browser>) =>
  (await one.ask('/admin/account')).status === 200;

/** Somebody who signed in at the provider. */
async function inside() {
  const { id, subject } = await staff();
  const one = browser();
  await one.signIn(subject);
  const sid = (await sessionsOf(id))[0]?.providerSession ?? '';
  return { id, subject, one, sid };
}

const tell = (token: string, headers: Record<string, string> = {}) =>
  app.request('/api/single-sign-on/logout', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ logout_token: token }),
  });

describe('a logout at the provider', () => {
  test('ends the session that was opened from it, and no other one', async () => {
    const { id, subject, one, sid } = await inside();
    const elsewhere = browser();
    await elsewhere.signIn(subject);
    const other = await inside();
    expect(sid).not.toBe('');
    await provider.endSession(subject, sid);
    expect(await isIn(one)).toBe(false);
    expect(await isIn(elsewhere)).toBe(true);
    expect(await isIn(other.one)).toBe(true);
    expect((await entriesOn(id)).at(-1)).toMatchObject({
      action: 'sessions_ended',
      staffId: null,
      detail: { sessions: 1, by: 'identity_provider' },
    });
  });

  test('of a person ends all that they opened there, and leaves one by password', async () => {
    const { id, subject, one } = await inside();
    const elsewhere = browser();
    await elsewhere.signIn(subject);
    const byPassword = await signedIn(id);
    await provider.endSession(subject, null);
    expect([await isIn(one), await isIn(elsewhere), await isIn(byPassword)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('named by its session alone ends that one', async () => {
    const { one, sid } = await inside();
    expect((await tell(provider.logoutToken({ sid }))).status).toBe(204);
    expect(await isIn(one)).toBe(false);
  });

  test('ends the session for a process that has just answered for it', async () => {
    const { subject, one, sid } = await inside();
    const second = makeTestApp(
      await startSecondProcess(platform.url, {
        now: platform.now(),
        variables: { ...provider.variables, TRUST_PROXY: 'yes' },
      }),
    );
    const askSecond = async () =>
      (
        await second.request('/admin/account', {
          headers: { cookie: [...one.jar.values()].join('; ') },
        })
      ).status;
    expect(await askSecond()).toBe(200);
    await provider.endSession(subject, sid);
    expect(await askSecond()).toBe(302);
  });

  test('of somebody who has no session here is no mistake', async () => {
    expect((await tell(provider.logoutToken({ sub: 'nobody here' }))).status).toBe(204);
  });
});

describe('a logout token is refused', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const refusedFor = async (
    make: (person: { subject: string; sid: string }) => string | Promise<string>,
  ) => {
    const { id, subject, one, sid } = await inside();
    const answer = await tell(await make({ subject, sid }));
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await isIn(one)).toBe(true);
    expect((await entriesOn(id)).map(({ action }) => action)).not.toContain('sessions_ended');
    return answer.status;
  };

  test.each([
    ['for another audience', { aud: 'another client' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: now() - 120 }],
    ['without an end', { exp: undefined }],
    ['of long ago', { iat: now() - 600, exp: now() + 3600 }],
    ['of the future', { iat: now() + 600, exp: now() + 900 }],
    ['without an id', { jti: undefined }],
    ['without its event', { events: undefined }],
    ['with another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['with a nonce, as an ID token has', { nonce: 'n' }],
  ])('%s', async (_, claims) => {
    expect(
      await refusedFor(({ subject, sid }) =>
        provider.logoutToken({ sub: subject, sid, ...claims }),
      ),
    ).toBe(400);
  });

  test('that names nobody', async () => {
    expect(await refusedFor(() => provider.logoutToken({}))).toBe(400);
  });

  test.each([
    ['typed as an ID token', { typ: 'JWT' }],
    ['without a type', { typ: undefined }],
    ['that says it has no signature', { alg: 'none' }],
    ['that says it is signed with our secret', { alg: 'HS256' }],
  ])('%s', async (_, head) => {
    expect(
      await refusedFor(({ subject }) => provider.logoutToken({ sub: subject }, { head })),
    ).toBe(400);
  });

  test('signed by somebody else', async () => {
    const token = ({ subject }: { subject: string }) =>
      provider.logoutToken({ sub: subject }, { isForeignKey: true });
    expect(await refusedFor(token)).toBe(400);
  });

  test('whose head brings its own key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = ({ subject }: { subject: string }) =>
      new SignJWT({
        sub: subject,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
        .setProtectedHeader({
          alg: 'RS256',
          typ: 'logout+jwt',
          kid: 'planted',
          jwk: publicKey.export({ format: 'jwk' }),
          jku: 'http://127.0.0.1:9/keys',
        })
        .setIssuer(provider.issuer)
        .setAudience('lale')
        .setIssuedAt()
        .setExpirationTime('2m')
        .setJti(randomUUID())
        .sign(privateKey);
    expect(await refusedFor(token)).toBe(400);
  });

  test('with a session of somebody else', async () => {
    const other = await inside();
    expect((await tell(provider.logoutToken({ sub: other.subject, sid: 'unknown' }))).status).toBe(
      204,
    );
    const { subject, sid, one } = await inside();
    expect((await tell(provider.logoutToken({ sub: other.subject, sid }))).status).toBe(204);
    expect([await isIn(one), await isIn(other.one)]).toEqual([true, true]);
    expect(subject).not.toBe(other.subject);
  });

  test('the second time (replay), also after a new sign-in', async () => {
    const { subject, one } = await inside();
    const token = provider.logoutToken({ sub: subject });
    expect((await tell(token)).status).toBe(204);
    await one.signIn(subject);
    expect((await tell(token)).status).toBe(400);
    expect(await isIn(one)).toBe(true);
  });

  test('where it is none, or missing', async () => {
    for (const token of ['', 'x', 'a.b.c', 'e30.e30.', '.'.repeat(5)]) {
      expect((await tell(token)).status).toBe(400);
    }
    const empty = await app.request('/api/single-sign-on/logout', { method: 'POST' });
    expect(empty.status).toBe(415);
  });

  test('from a page of another site', async () => {
    const { subject, one } = await inside();
    const token = provider.logoutToken({ sub: subject });
    expect((await tell(token, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await isIn(one)).toBe(true);
  });
});

test('a provider whose keys cannot be read is asked to send the logout again', async () => {
  const away = await signOns();
  const { subject } = await away.staff();
  const one = away.browser();
  await one.signIn(subject);
  const token = away.provider.logoutToken({ sub: subject });
  await away.provider.close();
  const answer = await away.app.request('/api/single-sign-on/logout', {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
  expect(answer.status).toBe(503);
  expect((await one.ask('/admin/account')).status).toBe(200);
});
