import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { balanceTransactions, movementOf } from '../providers/stripe-balance.ts';

const at = new Date('2026-11-24T07:00:00Z');
const line = (given: Record<string, unknown>) => {
  const whole = { id: 'txn_1', created: at.getTime() / 1000, currency: 'usd', fee: 0, ...given };
  const [read] = balanceTransactions.parse({ data: [whole], has_more: false }).data;
  if (!read) throw new Error('Not a line');
  return read;
};
const charge = { id: 'ch_1', object: 'charge', metadata: { order: 'TRV7K2M9QXD4HPBR' } };
const movement = { id: 'txn_1', at, captureId: null, refundId: null, fee: usd(0) };

describe('a line of Stripe’s balance', () => {
  test.each([
    [
      'a charge of ours',
      { type: 'charge', amount: 94_00, fee: 3_03, source: charge },
      { kind: 'capture', captureId: 'ch_1', amount: usd(94_00), fee: usd(3_03) },
    ],
    [
      'a refund that we asked for',
      {
        type: 'refund',
        amount: -25_00,
        source: { id: 're_1', object: 'refund', charge: 'ch_1', metadata: { refund: 'r' } },
      },
      { kind: 'refund', captureId: 'ch_1', refundId: 're_1', amount: usd(-25_00) },
    ],
    [
      'a refund made on Stripe’s own pages',
      {
        type: 'refund',
        amount: -25_00,
        source: { id: 're_2', object: 'refund', charge: 'ch_1', metadata: {} },
      },
      { kind: 'refund', captureId: 'ch_1', refundId: 're_2', amount: usd(-25_00) },
    ],
    [
      'a refund that came back',
      {
        type: 'refund_failure',
        amount: 25_00,
        source: { id: 're_1', object: 'refund', charge: 'ch_1', metadata: { refund: 'r' } },
      },
      { kind: 'refund', captureId: 'ch_1', refundId: 're_1', amount: usd(25_00) },
    ],
    [
      'a dispute, with its own fee',
      {
        type: 'adjustment',
        amount: -94_00,
        fee: 15_00,
        source: { id: 'dp_1', object: 'dispute', charge: 'ch_1', metadata: {} },
      },
      { kind: 'dispute', captureId: 'ch_1', amount: usd(-94_00), fee: usd(15_00) },
    ],
    [
      'a payout to our bank',
      { type: 'payout', amount: -500_00, source: 'po_1' },
      { kind: 'payout', amount: usd(-500_00) },
    ],
    [
      'a payout that came back',
      { type: 'payout_failure', amount: 500_00, source: 'po_1' },
      { kind: 'payout', amount: usd(500_00) },
    ],
    [
      'a fee for the account',
      { type: 'stripe_fee', amount: -2_00, source: null },
      { kind: 'fee', amount: usd(0), fee: usd(2_00) },
    ],
    [
      'a payout in another currency',
      { type: 'payout', amount: -500_00, currency: 'eur', source: 'po_1' },
      { kind: 'payout', amount: null, fee: null },
    ],
  ] as const)('%s', (_, given, expected) => {
    expect(movementOf(line(given))).toEqual({ ...movement, ...expected });
  });

  test.each([
    [
      'a charge of other software',
      { type: 'charge', amount: 1, source: { ...charge, metadata: {} } },
    ],
    ['an adjustment that is no dispute', { type: 'adjustment', amount: 1, source: 'x' }],
    ['a transfer', { type: 'transfer', amount: -1, source: 'tr_1' }],
  ])('%s is none of ours', (_, given) => {
    expect(movementOf(line(given))).toBeNull();
  });
});
