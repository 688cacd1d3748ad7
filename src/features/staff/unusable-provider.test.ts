import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test, afterEach, vi } from 'vitest';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { signOns } from './testing/sign-ons.ts';
import { mustSetUpSecondFactor } from './require.server.ts';
import { toStaff } from './session.server.ts';
import { accountById, openSessions } from './store.server.ts';
import { readClaim, claimedRole, hasSecondFactorClaim } from './sign-on.server.ts';

const MINUTE = 60_000;

describe('clocks that differ', () => {
  const ahead = 5 * MINUTE;
  test('by less than a minute are no hindrance', async () => {
    const near = await signOns({}, { aheadMs: 30_000 });
    const { subject } = await near.staff();
    expect((await near.browser().signIn(subject)).status).toBe(302);
  });

  test('by an hour are named', async () => {
    const far = await signOns({}, { aheadMs: 12 * ahead });
    const { subject } = await far.staff();
    const answer = await far.browser().signIn(subject);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('The clocks of this site');
  });
});

describe('a provider that is away', () => {
  test('is said, passwords work on, and it is asked again once it is back', async () => {
    const { provider, platform, staff, browser } = await signOns();
    const { subject, email } = await staff();
    const callback = browser();
    const address = await callback.toCallback(subject);
    await provider.close();
    const late = await callback.ask(address);
    expect(late.status).toBe(503);
    expect(await late.text()).toContain('is not responding');
    // Its description is known still, so the browser is sent there; an hour later it is read again.
    platform.clock.advance(61 * MINUTE);
    const answer = await browser().ask('/admin/single-sign-on');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('is not responding');
    const password = { email, password: 'correct horse battery' };
    expect((await browser().ask('/admin', password)).status).toBe(302);
  });
});

describe('a provider that describes itself badly', () => {
  let description: unknown = {};
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(description));
  });
  afterAll(() => void server.close());

  test('is not used', async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const platform = await makeTestPlatform({
      variables: {
        STAFF_SSO_ISSUER: issuer,
        STAFF_SSO_CLIENT_ID: 'lale',
        STAFF_SSO_CLIENT_SECRET: 'secret',
        STAFF_SSO_ROLES: 'a=reviewer',
      },
    });
    const app = makeTestApp(platform);
    const begin = async () => (await app.request('/admin/single-sign-on')).status;
    description = { issuer: 'https://evil.example', authorization_endpoint: `${issuer}/auth` };
    expect(await begin()).toBe(502);
    description = { issuer, jwks_uri: `${issuer}/keys`, authorization_endpoint: 'not an address' };
    expect(await begin()).toBe(502);
    description = { issuer, authorization_endpoint: `${issuer}/auth` };
    expect(await begin()).toBe(502);
  });
});

test('without a provider there is nothing of it', async () => {
  const app = makeTestApp(await makeTestPlatform());
  expect((await app.request('/admin/single-sign-on')).status).toBe(404);
  expect((await app.request('/admin/single-sign-on/callback?code=x&state=y')).status).toBe(404);
  expect(await (await app.request('/admin')).text()).not.toContain('single-sign-on');
});

describe('key rotation', async () => {
  const { provider, platform, staff, browser } = await signOns();

  afterEach(() => void vi.useRealTimers());

  const isIn = async (one: ReturnType<typeof browser>) =>
    (await one.ask('/admin/account')).status === 200;

  test('a provider that signs with a new key is trusted once it publishes it', async () => {
    const { subject } = await staff();
    const before = browser();
    expect((await before.signIn(subject)).status).toBe(302);
    provider.replaceKey();
    // Too soon: the new key is not asked for with every token, so that nobody makes us ask without end.
    const early = browser();
    expect((await early.signIn(subject)).status).toBe(400);
    // Keys are read again a minute after they were read, where a token names one that is unknown.
    const later = 2 * 60_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later });
    platform.clock.advance(later);
    const after = browser();
    expect((await after.signIn(subject)).status).toBe(302);
    expect([await isIn(before), await isIn(after)]).toEqual([true, true]);
  });
});

describe('trusted factor', async () => {
  const { provider, platform, staff, browser, refusals } = await signOns({
    STAFF_SSO_SECOND_FACTOR_AMR: 'mfa',
    STAFF_SSO_SECOND_FACTOR_ACR: 'urn:two',
  });
  const { db } = platform;
  const live = { config: { ...platform.config, mode: 'live' as const } };

  async function sessionOf(id: string) {
    const [session] = await openSessions(db, id, platform.now());
    const account = await accountById(db, id);
    if (!session || !account) throw new Error('not signed in');
    return { session, staff: toStaff(account, session) };
  }

  const administrator = (amr: string[]) =>
    staff('administrator', { person: { claims: { roles: ['Lale, all'] }, amr } });

  /** Somebody with an authenticator app. */
  async function withFactor() {
    const person = await staff();
    const sealed = platform.sealer.seal(Buffer.alloc(20), `staff_account.totp_secret:${person.id}`);
    await platform.pool.query('update staff_account set totp_secret = $2 where id = $1', [
      person.id,
      sealed,
    ]);
    return person;
  }

  describe('a second factor at the provider that the operator trusts', () => {
    test('is enough in live mode; a sign-in without it is not', async () => {
      const [strong, weak] = [await administrator(['pwd', 'mfa']), await administrator(['pwd'])];
      await browser().signIn(strong.subject);
      await browser().signIn(weak.subject);
      expect(mustSetUpSecondFactor(live, (await sessionOf(strong.id)).staff)).toBe(false);
      expect(mustSetUpSecondFactor(live, (await sessionOf(weak.id)).staff)).toBe(true);
    });

    test('proves an administrator again, for one action', async () => {
      const { id, subject } = await administrator(['mfa']);
      const lost = await withFactor();
      const one = browser();
      await one.signIn(subject);
      const reset = () =>
        one.ask('/admin/accounts', {
          intent: 'factor',
          account: lost.id,
          reason: 'lost',
          code: '',
        });
      expect((await reset()).status).toBe(422);
      expect(await (await one.ask('/admin/accounts')).text()).toContain('Confirm with Tulip ID');
      const path = '/admin/single-sign-on?for=again&next=/admin/accounts';
      const begun = new URL((await one.ask(path)).headers.get('location') ?? '');
      expect(begun.searchParams.get('prompt')).toBe('login');
      expect(begun.searchParams.get('max_age')).toBe('300');
      const back = await one.signIn(subject, path);
      expect(back.headers.get('location')).toBe('/admin/accounts');
      expect(await (await one.ask('/admin/accounts')).text()).toContain('You have just confirmed');
      expect((await reset()).status).toBe(200);
      expect((await accountById(db, lost.id))?.totpSecret).toBeNull();
      expect((await sessionOf(id)).session.provedAt).toBeNull();
      expect((await reset()).status).toBe(422);
    });

    test('proves nothing by somebody else, by an old sign-in, or without it', async () => {
      const { id, subject } = await administrator(['mfa']);
      const other = await administrator(['mfa']);
      const one = browser();
      await one.signIn(subject);
      const path = '/admin/single-sign-on?for=again&next=/admin/accounts';
      expect((await one.signIn(other.subject, path)).status).toBe(403);
      expect(await refusals()).toContain(`other_person ${id}`);
      // Within and beyond `max_age`.
      for (const seconds of [200, 4000]) {
        provider.behaviour.authenticatedAt = Math.floor(Date.now() / 1000) - seconds;
        const old = await one.signIn(subject, path);
        expect(old.status).toBe(403);
        expect(await old.text()).toContain('did not ask you to sign in again');
      }
      provider.behaviour.authenticatedAt = null;
      provider.behaviour.forge = ({ auth_time: _, ...claims }) => claims;
      const silent = await one.signIn(subject, path);
      expect(silent.status).toBe(502);
      expect(await silent.text()).toContain('does not say when you signed in');
      expect(await refusals()).toContain(`no_sign_in_time ${id}`);
      provider.behaviour.forge = null;
      provider.people.set(subject, { claims: { roles: ['Lale, all'] }, amr: ['pwd'] });
      expect((await one.signIn(subject, path)).status).toBe(403);
      expect((await sessionOf(id)).session.provedAt).toBeNull();
      expect((await refusals()).filter((entry) => entry === `not_proved ${id}`)).toHaveLength(1);
    });

    test('counts in the ID token alone, not in what the userinfo address says', async () => {
      const claims = { roles: ['Lale, all'], amr: ['mfa'], acr: 'urn:two' };
      const { id, subject } = await staff('administrator', { person: { claims } });
      provider.behaviour.isThin = true;
      provider.behaviour.forge = ({ amr: _, acr: __, ...rest }) => rest;
      expect((await browser().signIn(subject)).status).toBe(302);
      expect((await sessionOf(id)).session.provedFactor).toBe(false);
    });
  });
});

const settings = {
  roleClaim: 'roles',
  roles: [
    { value: 'staff', role: 'reviewer' },
    { value: 'CN=Leads,OU=Lale', role: 'manager' },
    { value: 'owners', role: 'administrator' },
  ],
} as const;

describe('the role of the claims', () => {
  test.each([
    [['staff'], 'reviewer'],
    ['staff', 'reviewer'],
    [['owners', 'staff'], 'administrator'],
    [['staff', 'CN=Leads,OU=Lale'], 'manager'],
    [['visitors'], null],
    [['Staff'], null],
    [[], null],
    [undefined, null],
    [{ staff: true }, null],
    [[['owners']], null],
    [7, null],
  ])('%j is %s', (roles, role) => {
    expect(claimedRole({ roles }, settings)).toBe(role);
  });

  test('is found at a path, and by a name that has dots', () => {
    const nested = { realm_access: { roles: ['owners'] } };
    expect(claimedRole(nested, { ...settings, roleClaim: 'realm_access.roles' })).toBe(
      'administrator',
    );
    const named = { 'https://lale.example/roles': ['staff'] };
    expect(claimedRole(named, { ...settings, roleClaim: 'https://lale.example/roles' })).toBe(
      'reviewer',
    );
  });

  test('never comes of what every object has', () => {
    expect(readClaim({}, 'constructor.name')).toBeUndefined();
    expect(readClaim({ a: 'text' }, 'a.length')).toBeUndefined();
  });
});

describe('a second factor at the provider', () => {
  test('counts in the words that the operator trusts alone', () => {
    const trusted = { amr: ['mfa', 'hwk'], acr: ['urn:two'] };
    expect(hasSecondFactorClaim({ amr: ['pwd', 'mfa'] }, trusted)).toBe(true);
    expect(hasSecondFactorClaim({ acr: 'urn:two' }, trusted)).toBe(true);
    expect(hasSecondFactorClaim({ amr: ['pwd'], acr: 'urn:one' }, trusted)).toBe(false);
    expect(hasSecondFactorClaim({}, trusted)).toBe(false);
    expect(hasSecondFactorClaim({ amr: ['mfa'], acr: '1' }, { amr: [], acr: [] })).toBe(false);
  });
});
