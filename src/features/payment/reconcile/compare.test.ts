import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import type { Books } from '../provider.ts';
import { compare, type Ledger } from './compare.ts';

const paid = (refunded = 0, refunding = 0): Ledger => ({
  captured: usd(94_00),
  captureId: 'CAP-1',
  refunded: usd(refunded),
  refunding: usd(refunding),
});
const unpaid: Ledger = { captured: null, captureId: null, refunded: usd(0), refunding: usd(0) };
const books = (refunded = 0, change: Partial<Books> = {}): Books => ({
  captured: usd(94_00),
  captureId: 'CAP-1',
  refunded: usd(refunded),
  ...change,
});
const nothingTaken: Books = { captured: null, captureId: null, refunded: usd(0) };

test.each([
  ['the same capture', paid(), books(), []],
  ['nothing on either side', unpaid, nothingTaken, []],
  ['an attempt that the provider never heard of', unpaid, 'unknown', []],
  ['a capture that the provider never heard of', paid(), 'unknown', ['missing_there']],
  ['a capture that the provider did not make', paid(), nothingTaken, ['missing_there']],
  ['a capture that we did not hear of', unpaid, books(), ['missing_here']],
  ['a capture in another currency', unpaid, books(0, { captured: null }), ['missing_here']],
  ['our capture in another currency', paid(), books(0, { captured: null }), ['amount']],
  ['a cent less', paid(), books(0, { captured: usd(93_99) }), ['amount']],
  ['another capture', paid(), books(0, { captureId: 'CAP-2' }), ['capture_id']],
  ['a capture that the provider does not name', paid(), books(0, { captureId: null }), []],
  ['the same refund', paid(25_00), books(25_00), []],
  ['a refund made by hand', paid(), books(10_00), ['refund_amount']],
  ['a refund that never left', paid(25_00), books(), ['refund_amount']],
  ['a refund on its way, booked there', paid(0, 25_00), books(25_00), []],
  ['a refund on its way, not booked there yet', paid(0, 25_00), books(), []],
  ['more than what is on its way', paid(10_00, 25_00), books(35_01), ['refund_amount']],
  ['no answer', paid(), 'no_answer', ['no_answer']],
  ['no answer about nothing', unpaid, 'no_answer', ['no_answer']],
  [
    'amount, capture and refund at once',
    paid(),
    books(1, { captured: usd(1), captureId: 'CAP-2' }),
    ['amount', 'capture_id', 'refund_amount'],
  ],
] as const)('%s', (_, ours, theirs, expected) => {
  expect(compare(ours, theirs)).toEqual(expected);
});

const minor = fc.integer({ min: 1, max: 1_000_000 });
/** A provider's books, and a ledger of ours that agrees, with some of the refund still pending. */
const agreeing = fc
  .record({ captured: minor, share: fc.nat(100), sure: fc.nat(100), booked: fc.nat(100) })
  .map(({ captured, share, sure, booked }) => {
    const claimed = Math.floor((captured * share) / 100);
    const refunded = Math.floor((claimed * sure) / 100);
    const there = refunded + Math.floor(((claimed - refunded) * booked) / 100);
    const ours: Ledger = {
      captured: usd(captured),
      captureId: 'CAP-1',
      refunded: usd(refunded),
      refunding: usd(claimed - refunded),
    };
    const theirs: Books = { captured: usd(captured), captureId: 'CAP-1', refunded: usd(there) };
    return { ours, theirs };
  });

describe('any books', () => {
  test('that agree show no difference', () => {
    fc.assert(fc.property(agreeing, ({ ours, theirs }) => compare(ours, theirs).length === 0));
  });

  test('that are a cent off in the capture show it, whatever was refunded', () => {
    fc.assert(
      fc.property(agreeing, fc.constantFrom(1, -1), ({ ours, theirs }, cent) => {
        const captured = usd((theirs.captured?.minor ?? 0) + cent);
        expect(compare(ours, { ...theirs, captured })).toEqual(['amount']);
      }),
    );
  });

  test('whose refund is a cent outside what we know show it', () => {
    fc.assert(
      fc.property(agreeing, fc.boolean(), ({ ours, theirs }, more) => {
        const most = ours.refunded.minor + ours.refunding.minor;
        const refunded = usd(more ? most + 1 : ours.refunded.minor - 1);
        expect(compare(ours, { ...theirs, refunded })).toEqual(['refund_amount']);
      }),
    );
  });

  test('never agree where only one side took money', () => {
    fc.assert(
      fc.property(agreeing, ({ ours, theirs }) => {
        expect(compare(unpaid, theirs)).toEqual(['missing_here']);
        expect(compare(ours, nothingTaken)).toEqual(['missing_there']);
        expect(compare(ours, 'unknown')).toEqual(['missing_there']);
      }),
    );
  });

  test('that did not answer never pass as agreeing', () => {
    fc.assert(
      fc.property(agreeing, ({ ours }) => compare(ours, 'no_answer').includes('no_answer')),
    );
  });
});
