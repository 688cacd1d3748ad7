import { afterEach, expect, test, vi } from 'vitest';
import { signOns } from '../testing/sign-ons.ts';

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
