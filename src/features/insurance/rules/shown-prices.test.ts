import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import { plans } from './plans.ts';
import { priceShown, writePrices } from './typed.ts';

it('brings back the price of each plan, whatever it is', () => {
  const minors = fc.array(fc.integer({ min: 1, max: 9999_99 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(minors, (prices) => {
      const shown = plans.map((plan, index) => ({ ...plan, price: usd(prices[index] ?? 1) }));
      for (const { id, price } of shown) expect(priceShown(writePrices(shown), id)).toEqual(price);
    }),
  );
});

it.each(['', 'x', '14-days', '14-days=', '14-days=-1', '14-days=1e3', '114-days=149.00'])(
  'finds no price in %j',
  (written) => {
    expect(priceShown(written, '14-days')).toBeNull();
  },
);
