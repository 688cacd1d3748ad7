import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeAccount, openSessions, accountByEmail, accountById } from './store.server.ts';
import { invite, INVITATION_JOB, readInvitationMail } from './accounts/invitation.server.ts';
import { signOns, PASSWORD } from './testing/sign-ons.ts';
import { readResetMail, makeResetLink, RESET_JOB, askReset } from './accounts/reset.server.ts';

const { provider, platform, app, staff, browser, signedIn, entriesOn, refusals, roleOf } =
  await signOns();
const { db } = platform;
const { people, behaviour } = provider;

// Refusals of unknown people are noted five times an hour.
beforeEach(() => platform.pool.query('delete from rate_limit'));

const isIn = async (one: ReturnType<typeof browser>) =>
  (await (await one.ask('/admin/account')).text()).includes('Your account');

/** Signs in, expecting a page that says why not. */
async function refused(one: ReturnType<typeof browser>, person: string) {
  const answer = await one.signIn(person);
  expect(one.jar.has('lale_staff')).toBe(false);
  return { status: answer.status, html: await answer.text() };
}

describe('signing in at the identity provider', () => {
  test('opens a session, leads to the page that was asked for, and is in the audit trail', async () => {
    const { id, subject } = await staff();
    const one = browser();
    const page = await one.ask('/admin?next=/admin/account');
    const html = await page.text();
    expect(html).toContain('Sign in with Tulip ID');
    // A plain link: no form of ours is sent to another site, so the policy allows none.
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
    const answer = await one.signIn(subject, '/admin/single-sign-on?next=/admin/account');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/admin/account']);
    expect(await isIn(one)).toBe(true);
    expect((await entriesOn(id)).at(-1)).toMatchObject({
      action: 'signed_in',
      detail: { by: 'identity_provider', second_factor: false },
    });
    expect(one.jar.has('lale_staff_sso')).toBe(false);
  });

  test('asks by code, PKCE, state and nonce, for the one address that is registered', async () => {
    const begun = await browser().ask('/admin/single-sign-on');
    const { origin, searchParams } = new URL(begun.headers.get('location') ?? '');
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${platform.config.publicUrl}/admin/single-sign-on/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    const cookie = begun.headers.getSetCookie().find((one) => one.startsWith('lale_staff_sso'));
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    // Nothing of it can be read in the browser.
    expect(cookie).not.toContain(searchParams.get('state'));
  });

  test('ends the session that this browser had, and takes no session that it was given', async () => {
    const [first, second] = [await staff(), await staff()];
    const one = await signedIn(first.id);
    const before = one.jar.get('lale_staff');
    await one.signIn(second.subject);
    expect(one.jar.get('lale_staff')).not.toBe(before);
    expect(await openSessions(db, first.id, platform.now())).toEqual([]);
  });

  test('leads to pages of the desk alone', async () => {
    const { subject } = await staff();
    for (const next of ['https://evil.example', '//evil.example', '/status', '/admin\\evil']) {
      const path = `/admin/single-sign-on?next=${encodeURIComponent(next)}`;
      expect((await browser().signIn(subject, path)).headers.get('location')).toBe('/admin');
    }
  });

  test('takes groups from the userinfo address where the ID token has none', async () => {
    const { id, subject } = await staff('reviewer', {
      person: { claims: { roles: ['Lale managers'] } },
    });
    behaviour.isThin = true;
    expect((await browser().signIn(subject)).status).toBe(302);
    expect(await roleOf(id)).toBe('manager');
  });
});

describe('the role', () => {
  test('is that of the provider at each sign-in, and a change is in the audit trail', async () => {
    const { id, subject } = await staff('reviewer', {
      person: { claims: { roles: ['others', 'Lale, all'] } },
    });
    await browser().signIn(subject);
    expect(await roleOf(id)).toBe('administrator');
    people.set(subject, { claims: { roles: 'Lale staff' } });
    await browser().signIn(subject);
    expect(await roleOf(id)).toBe('reviewer');
    const changes = (await entriesOn(id)).filter(({ action }) => action === 'role_changed');
    expect(changes.map(({ detail, staffId }) => ({ ...detail, staffId }))).toEqual([
      { from: 'reviewer', to: 'administrator', by: 'identity_provider', staffId: null },
      { from: 'administrator', to: 'reviewer', by: 'identity_provider', staffId: null },
    ]);
  });

  test('that is missing refuses the person, and ends the sessions that they had', async () => {
    const { id, subject } = await staff();
    await browser().signIn(subject);
    people.set(subject, { claims: { roles: ['somebody else’s'] } });
    const { status, html } = await refused(browser(), subject);
    expect(status).toBe(403);
    expect(html).toContain('has not given you a role');
    expect(await openSessions(db, id, platform.now())).toEqual([]);
    expect(await refusals()).toContain(`no_role ${id}`);
  });

  test('is changed at the desk for somebody with a password alone', async () => {
    const administrator = await staff('administrator');
    const { id } = await staff();
    const one = await signedIn(administrator.id);
    const change = () =>
      one.ask('/admin/accounts', { intent: 'role', account: id, role: 'manager' });
    expect((await change()).status).toBe(200);
    await changeAccount(db, id, { passwordHash: '' });
    const answer = await change();
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('role is given where they sign in');
  });
});

describe('an account', () => {
  test('is found by its address, in capitals as well, and belongs to nobody else', async () => {
    const { id, email } = await staff();
    people.set('another name', { claims: { email: email.toUpperCase(), roles: ['Lale staff'] } });
    expect((await browser().signIn('another name')).status).toBe(302);
    expect(await openSessions(db, id, platform.now())).toHaveLength(1);
    people.set('stranger', { claims: { roles: ['Lale, all'] } });
    const { status, html } = await refused(browser(), 'stranger');
    expect(status).toBe(403);
    expect(html).toContain('No account here has the email address');
    expect(await refusals()).toContain('no_account unknown');
  });

  test.each([{ email_verified: false }, { email_verified: undefined }, { email_verified: 'true' }])(
    'is not found by an address that the provider has not verified: %j',
    async (claims) => {
      const { email } = await staff('administrator');
      people.set('impostor', { claims: { email, roles: ['Lale, all'], ...claims } });
      const { status, html } = await refused(browser(), 'impostor');
      expect(status).toBe(403);
      expect(html).toContain('did not confirm your email address');
      expect(await refusals()).toContain('unverified_email unknown');
    },
  );

  test('that is deactivated here stays out', async () => {
    const { id, subject } = await staff();
    await changeAccount(db, id, { active: false });
    const { status, html } = await refused(browser(), subject);
    expect(status).toBe(403);
    expect(html).toContain('deactivated');
    expect(await refusals()).toContain(`deactivated ${id}`);
  });

  test('is made by an invitation, with the role of the provider and without a password', async () => {
    const administrator = await staff('administrator');
    const name = `deniz-${randomUUID()}`;
    const email = `${name}@lale.example`;
    const by = {
      id: administrator.id,
      email: '',
      name: '',
      role: 'administrator',
      hasSecondFactor: false,
      provedFactor: false,
      undoSeconds: 10,
      startView: null,
      isNamed: true,
    } as const;
    const typed = { email, name: 'Deniz Kaya', role: 'administrator', language: 'en' } as const;
    expect(await invite(platform, by, typed)).toMatchObject({ ok: true });
    let path = '';
    await platform.runJobs({
      [INVITATION_JOB]: async (payload) =>
        void (path = new URL(readInvitationMail(platform, payload).url).pathname),
    });
    people.set(name, { claims: { roles: [] } });
    expect((await refused(browser(), name)).status).toBe(403);
    people.set(name, { claims: { roles: ['Lale staff'] } });
    const one = browser();
    const page = await (await one.ask(path)).text();
    expect(page).toContain('Sign in with Tulip ID');
    expect(page).toContain('href="/admin/single-sign-on?next=%2Fadmin"');
    expect((await one.signIn(name)).status).toBe(302);
    const made = await accountByEmail(db, email);
    expect(made).toMatchObject({ role: 'reviewer', passwordHash: '', name: 'Deniz Kaya' });
    // Once.
    expect((await browser().ask(path)).status).toBe(410);
    expect((await browser().signIn(name)).status).toBe(302);
    // Without a password nobody guesses one.
    const guess = await browser().ask('/admin', { email, password: '' });
    expect(guess.status).toBe(422);
    expect((await browser().ask('/admin', { email, password: ' ' })).status).toBe(401);
  });
});

describe('a sign-in that somebody else could have begun', () => {
  test('is not begun by a page of another site, only by a press', async () => {
    const from = (headers: Record<string, string>, path = '/admin/single-sign-on') =>
      app.request(`${path}?next=/admin/account`, { headers });
    const silent = await from({ 'sec-fetch-site': 'cross-site' });
    expect(silent.headers.get('location')).toBe('/admin?next=%2Fadmin%2Faccount');
    expect(silent.headers.getSetCookie()).toEqual([]);
    // A link of the provider's own list of services, the desk's button, and a browser that does not say.
    const pressed: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?1' },
      { 'sec-fetch-site': 'same-origin' },
      {},
    ];
    for (const headers of pressed) {
      expect((await from(headers)).headers.get('location')).toContain(provider.issuer);
    }
  });

  test('does not end in a browser that did not begin it (login CSRF)', async () => {
    const attacker = await staff();
    const callback = await browser().toCallback(attacker.subject);
    const victim = browser();
    const answer = await victim.ask(callback);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('started in another tab or browser');
    expect(victim.jar.size).toBe(0);
  });

  test('does not end another one that is under way in that browser', async () => {
    const [attacker, person] = [await staff(), await staff()];
    const foreign = await browser().toCallback(attacker.subject);
    const one = browser();
    const own = await one.toCallback(person.subject);
    expect((await one.ask(foreign)).status).toBe(400);
    expect((await one.ask(own)).status).toBe(302);
  });

  test('works once, also with the cookie of then (replay)', async () => {
    const { subject } = await staff();
    const one = browser();
    const callback = await one.toCallback(subject);
    const cookie = one.jar.get('lale_staff_sso') ?? '';
    expect((await one.ask(callback)).status).toBe(302);
    const again = browser([cookie]);
    expect((await again.ask(callback)).status).toBe(400);
    expect(again.jar.has('lale_staff')).toBe(false);
  });

  test('takes ten minutes at most', async () => {
    const { subject } = await staff();
    const one = browser();
    const callback = await one.toCallback(subject);
    platform.clock.advance(10 * 60_000);
    expect((await one.ask(callback)).status).toBe(400);
    platform.clock.advance(-10 * 60_000);
  });

  test('is not answered by another provider (mix-up)', async () => {
    const { subject } = await staff();
    const one = browser();
    const callback = new URL(await one.toCallback(subject), 'http://x');
    callback.searchParams.set('iss', 'https://evil.example');
    expect((await one.ask(callback.pathname + callback.search)).status).toBe(400);
    const other = browser();
    const bare = new URL(await other.toCallback(subject), 'http://x');
    bare.searchParams.delete('iss');
    expect((await other.ask(bare.pathname + bare.search)).status).toBe(400);
    expect(await refusals()).toContain('untrusted unknown');
  });

  test('is not ended with a code of another browser', async () => {
    const [attacker, person] = [await staff(), await staff()];
    const stolen = new URL(await browser().toCallback(attacker.subject), 'http://x');
    const one = browser();
    const own = new URL(await one.toCallback(person.subject), 'http://x');
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const answer = await one.ask(own.pathname + own.search);
    expect(answer.status).toBe(400);
    expect(one.jar.has('lale_staff')).toBe(false);
  });
});

describe('an ID token is refused', () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each([
    ['for another audience', { aud: 'another client' }, 400],
    ['of another issuer', { iss: 'https://evil.example' }, 400],
    ['that has expired', { exp: now() - 120, iat: now() - 600 }, 502],
    ['with another nonce', { nonce: 'of another sign-in' }, 400],
    ['without a nonce', { nonce: undefined }, 400],
    ['without a person', { sub: undefined }, 400],
    ['for several, of whom another one asked', { aud: ['lale', 'other'], azp: 'other' }, 400],
    ['for several, which does not say who asked', { aud: ['lale', 'other'] }, 400],
    ['that does not hold yet', { nbf: now() + 600 }, 502],
  ])('%s', async (_, change, status) => {
    const { subject } = await staff();
    behaviour.forge = (payload) => ({ ...payload, ...change });
    expect((await refused(browser(), subject)).status).toBe(status);
  });

  test.each([{ alg: 'none' }, { alg: 'HS256' }])('whose head says %j', async (head) => {
    const { subject } = await staff();
    behaviour.head = head;
    expect((await refused(browser(), subject)).status).toBe(400);
  });

  test('that another key signed', async () => {
    const { subject } = await staff();
    behaviour.isForeignKey = true;
    expect((await refused(browser(), subject)).status).toBe(400);
  });
});

describe('the provider says no', () => {
  test('to somebody who cancels there', async () => {
    behaviour.error = 'access_denied';
    const { status, html } = await refused(browser(), 'nobody');
    expect(status).toBe(403);
    expect(html).toContain('cancelled or refused there');
    expect(html).toContain('href="/admin"');
  });

  test('because it fails, or because of us', async () => {
    behaviour.error = 'temporarily_unavailable';
    expect((await refused(browser(), 'nobody')).status).toBe(503);
    behaviour.error = 'unauthorized_client';
    expect((await refused(browser(), 'nobody')).status).toBe(502);
  });
});

describe('the second factor', () => {
  test('of Lale is asked for where the provider’s is not trusted, whatever it says', async () => {
    const { id, subject } = await staff('manager', {
      person: { claims: { roles: ['Lale managers'] }, amr: ['mfa'], acr: 'urn:two' },
    });
    const secret = new Secret({ size: 20 });
    const sealed = platform.sealer.seal(secret.bytes, `staff_account.totp_secret:${id}`);
    await platform.pool.query('update staff_account set totp_secret = $2 where id = $1', [
      id,
      sealed,
    ]);
    const one = browser();
    const answer = await one.signIn(subject);
    expect(answer.headers.get('location')).toBe('/admin?next=%2Fadmin');
    expect(await isIn(one)).toBe(false);
    const code = new TOTP({ secret }).generate({ timestamp: platform.now().getTime() });
    expect((await one.ask('/admin', { code })).status).toBe(302);
    expect(await isIn(one)).toBe(true);
    const [session] = await openSessions(db, id, platform.now());
    expect(session).toMatchObject({ method: 'provider', provedFactor: false });
    expect((await accountById(db, id))?.totpStep).not.toBeNull();
  });
});

describe('passwords', async () => {
  const EMERGENCY = 'emergency@lale.example';
  const { platform, staff, browser } = await signOns({ STAFF_PASSWORD_SIGN_IN: EMERGENCY });
  const enter = (email: string) => browser().ask('/admin', { email, password: PASSWORD });

  test('passwords are taken of the accounts for emergencies alone, and refused like wrong ones', async () => {
    const [ordinary, emergency] = [await staff(), await staff()];
    await platform.pool.query('update staff_account set email = $2 where id = $1', [
      emergency.id,
      EMERGENCY,
    ]);
    const refused = await enter(ordinary.email);
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('The email address or the password is wrong');
    expect((await enter(EMERGENCY)).status).toBe(302);
    const page = await (await browser().ask('/admin')).text();
    expect(page).toMatch(/<details[^>]*><summary[^>]*>Sign in with a password/);
  });

  test('nobody else gets a link to a new password', async () => {
    const { email } = await staff();
    await askReset(platform, { email, address: '10.1.1.1', language: 'en' });
    const mails: unknown[] = [];
    await platform.runJobs({
      [RESET_JOB]: async (payload) => void mails.push(await readResetMail(platform, payload)),
    });
    expect(mails).toEqual([null]);
    const link = await makeResetLink(platform, { email, secondFactor: false });
    expect(link).toEqual({ ok: false, error: 'no_password' });
  });
});
