import { expect, test } from 'vitest';
import type { ProviderName } from '~/base/payment-providers.ts';
import { chosenProvider, fallbackProvider, otherWay, waysToPay } from './fallback-provider.ts';

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
  expect(otherWay(of(...offered))).toBe(other);
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
