import { expect, it, test } from 'vitest';
import type { Language } from '~/base/languages.ts';
import { ok } from '~/base/outcome.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { makeApplication } from '../../../test/make.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { checkout } from './checkout.server.ts';
import { orderByNumber } from './store.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import {
  chosenProvider,
  fallbackProvider,
  alternativeProvider,
  waysToPay,
} from './fallback-provider.ts';

const platform = await makeTestPlatform();

it.each<{ language: Language | null; page: string }>([
  { language: 'ar', page: '/ar/payment-' },
  { language: 'en', page: '/payment-' },
  { language: null, page: '/payment-' },
])('comes back to a page in the language that it left: $language', async ({ language, page }) => {
  const returnUrls: string[] = [];
  const provider = quietProvider({
    begin: async ({ id, returnUrl }) => {
      returnUrls.push(returnUrl);
      const url = 'https://pay.example/checkout';
      return ok({ providerReference: id, checkoutRedirect: { kind: 'link', url } });
    },
  });
  const { number } = await makeApplication(platform, { paid: false });
  const order = await orderByNumber(platform.db, number);
  if (order?.language !== 'en') throw new Error('An order in English');
  const by = { role: 'guest' as const, sessionHash: null };
  const started = await checkout(platform, [provider], order, { by, address: '', language });
  expect(started.ok).toBe(true);
  const back = new URL(returnUrls[0] ?? '');
  const answer = await makeTestApp(platform, quietPayments(provider)).request(
    `${back.pathname}${back.search}`,
  );
  expect(answer.headers.get('location')).toMatch(new RegExp(`^${page}`));
});

const of = (...names: ProviderName[]) => names.map((name) => ({ name }));

test.each<[ProviderName[], ProviderName, ProviderName | null]>([
  [['card', 'paypal'], 'card', 'paypal'],
  [['card', 'paypal'], 'paypal', 'card'],
  [['card', 'paypal', 'stripe'], 'card', 'paypal'],
  [['card', 'paypal', 'stripe'], 'stripe', 'paypal'],
  [['stripe', 'paypal', 'card'], 'paypal', 'stripe'],
  [['card', 'stripe'], 'card', 'stripe'],
  [['stripe'], 'stripe', null],
  [[], 'card', null],
])('of %j, %s is followed by %s', (configured, tried, expected) => {
  expect(fallbackProvider(of(...configured), tried)).toBe(expected);
});

test.each<[ProviderName[], ProviderName | null, ReturnType<typeof waysToPay>]>([
  [['card', 'paypal', 'stripe'], 'paypal', 'both'],
  [['stripe', 'paypal', 'card'], 'paypal', 'both'],
  [['paypal', 'card'], 'card', 'both'],
  [['card', 'stripe'], null, 'card'],
  [['card'], null, 'card'],
  [['paypal'], null, 'paypal'],
  [[], null, 'card'],
])('%j: beside the first stands %s, and pages promise %s', (offered, other, ways) => {
  expect(alternativeProvider(of(...offered))).toBe(other);
  expect(waysToPay(of(...offered))).toBe(ways);
});

test.each<[string | null, ProviderName | undefined]>([
  ['paypal', 'paypal'],
  ['stripe', undefined],
  ['', undefined],
  [null, undefined],
])('of card and PayPal, %j chooses %s', (name, expected) => {
  const given = new URLSearchParams(name === null ? {} : { provider: name });
  expect(chosenProvider(given, of('card', 'paypal'))).toBe(expected);
});
