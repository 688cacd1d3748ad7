import { expect, test } from 'vitest';
import type { ProviderName } from '~/base/payment-providers.ts';
import { fallbackProvider } from './fallback-provider.ts';

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
