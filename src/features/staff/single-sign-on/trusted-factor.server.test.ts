import { describe, expect, test } from 'vitest';
import { mustSetUpSecondFactor } from '../require.server.ts';
import { staffOfAccount } from '../session.server.ts';
import { accountById, openSessions } from '../store.server.ts';
import { signOns } from '../testing/sign-ons.ts';

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
  return { session, staff: staffOfAccount(account, session) };
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
      one.ask('/admin/accounts', { intent: 'factor', account: lost.id, reason: 'lost', code: '' });
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
