import { expect, it } from 'vitest';
import type { Language } from '~/base/languages.ts';
import { ok } from '~/base/outcome.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { makeApplication } from '../../../test/make.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { checkout } from './checkout.server.ts';
import { orderByNumber } from './store.server.ts';

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
