import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test, afterEach, vi } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { signOns } from '../testing/sign-ons.ts';

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
    expect(await late.text()).toContain('does not answer');
    // Its description is known still, so the browser is sent there; an hour later it is read again.
    platform.clock.advance(61 * MINUTE);
    const answer = await browser().ask('/admin/single-sign-on');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('does not answer');
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
