import { expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import { sessionEventOf, stripeSession } from './stripe-session.ts';

const paidIn = (currency: string, amount: number) =>
  sessionEventOf(
    stripeSession.parse({
      id: 'cs_1',
      status: 'complete',
      payment_status: 'paid',
      payment_intent: {
        id: 'pi_1',
        status: 'succeeded',
        latest_charge: {
          id: 'ch_1',
          amount_captured: amount,
          currency,
          captured: true,
          paid: true,
        },
      },
    }),
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  );

it.each([
  ['usd', 94_00, usd(94_00), '94.00'],
  ['eur', 81_50, null, '81.50'],
  ['jpy', 14_100, null, '14100'],
])('a capture in %s is told as it was, and only dollars pay', (currency, minor, amount, said) => {
  const payload = { amount: said, currency: currency.toUpperCase() };
  expect(paidIn(currency, minor)).toMatchObject({ event: 'capture', amount, payload });
});
