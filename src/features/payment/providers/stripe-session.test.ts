import { expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import { languages } from '~/base/languages.ts';
import { nestedForm } from '~/lab/stripe/stripe-calls.server.ts';
import { stripeForm } from './stripe-form.ts';
import { sessionRequest } from './stripe.server.ts';
import { sessionEventOf, stripeSession } from './stripe-session.ts';

const attempt = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  reference: 'TRV7K2M9QXD4HPBR',
  amount: usd(114_00),
  description: 'Lale TRV7K2M9QXD4HPBR',
  language: 'tr',
  returnUrl: 'https://visa.example/return?state=a',
  cancelUrl: 'https://visa.example/return?state=b',
  customer: {
    name: 'Sofía Hernández',
    email: 'sofia@correo.example',
    address: '192.0.2.1',
    phone: '+34600000000',
    street: 'Calle Mayor 1',
  },
};
const now = new Date('2026-11-23T10:00:00Z');

it('is encoded as Stripe reads it, and read back as it was', () => {
  const form = stripeForm({ a: 1, list: ['x', { b: 'ü&=' }], none: undefined });
  expect([...form]).toEqual([
    ['a', '1'],
    ['list[0]', 'x'],
    ['list[1][b]', 'ü&='],
  ]);
  expect(nestedForm(new URLSearchParams(form.toString()))).toEqual({
    a: '1',
    list: ['x', { b: 'ü&=' }],
  });
});

it('asks for the amount in cents, the order and the attempt, and nothing about the person', () => {
  const form = stripeForm(sessionRequest(attempt, now));
  expect(Object.fromEntries(form)).toMatchObject({
    mode: 'payment',
    client_reference_id: attempt.id,
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '11400',
    'metadata[order]': attempt.reference,
    'payment_intent_data[metadata][order]': attempt.reference,
    success_url: attempt.returnUrl,
    cancel_url: attempt.cancelUrl,
    locale: 'tr',
    'adaptive_pricing[enabled]': 'false',
  });
  const text = decodeURIComponent(form.toString());
  for (const value of Object.values(attempt.customer)) expect(text).not.toContain(value);
});

it('leaves Stripe’s page open for less than the day that Stripe allows', () => {
  const lives = Number(sessionRequest(attempt, now).expires_at) - now.getTime() / 1000;
  expect(lives).toBeGreaterThan(1800);
  expect(lives).toBeLessThanOrEqual(24 * 3600 - 1800);
});

it('names a language for every one of ours, and the browser’s for any other', () => {
  const locale = (language: string) => sessionRequest({ ...attempt, language }, now).locale;
  for (const { code } of languages) expect(locale(code)).toMatch(/^(auto|[a-z]{2})$/);
  expect(locale('xx')).toBe('auto');
});

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
    attempt.id,
  );

it.each([
  ['usd', 94_00, usd(94_00), '94.00'],
  ['eur', 81_50, null, '81.50'],
  ['jpy', 14_100, null, '14100'],
])(
  'a capture in %s is told as it was, and only dollars pay',
  (currency, minor, amount, amountText) => {
    const payload = { amount: amountText, currency: currency.toUpperCase() };
    expect(paidIn(currency, minor)).toMatchObject({ event: 'capture', amount, payload });
  },
);
