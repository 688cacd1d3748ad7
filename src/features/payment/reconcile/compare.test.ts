import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { deliver, webhooksAbout, playScenario } from '~/lab/partner.server.ts';
import {
  pay,
  refundByHand,
  refundCharge,
  simulatedStripe,
} from '~/lab/stripe/simulated-stripe.server.ts';
import { findSession, sessions, stripeFee } from '~/lab/stripe/stripe-resources.server.ts';
import { type Books, providerNamed, type Movement, type Provider } from '../provider.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { requestRefund } from '../settlement/refund-request.server.ts';
import { advanceRefund } from '../settlement/refund.server.ts';
import { openAlerts } from '../settlement/store.server.ts';
import { paymentMovement } from '../tables.server.ts';
import { needed } from '../../../../test/needed.ts';
import { balanceTransactions, toMovement } from '../providers/stripe-session.ts';
import { compare, type Ledger } from './compare.ts';
import { sumFees, reconcile, utcDaySpan } from './jobs.server.ts';

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

describe('movements', async () => {
  const service = await startTestService();
  const { platform } = service;
  const stripe = needed(simulatedStripe(platform));
  const provider = needed(providerNamed(service.payments.providers, 'stripe'));
  const payments = { ...service.payments, providers: [provider] };
  const { place, start, comeBack } = purchases(service);

  const DAY = 24 * 3600_000;
  const dayOf = (moment: Date): PlainDate => needed(parseDate(moment.toISOString().slice(0, 10)));
  /** A day of its own for every test. */
  function tomorrow(): PlainDate {
    platform.clock.advance(3 * DAY);
    return dayOf(platform.now());
  }

  async function paid() {
    const attempt = await start(await place(), [provider]);
    const { id } = needed(await findSession(stripe.db, 'clientReferenceId', attempt));
    await comeBack(needed(await pay(stripe, id)));
    return { attempt, session: needed(await sessions.get(stripe.db, id)) };
  }

  const run = (day: PlainDate) => {
    platform.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) + DAY + 3600_000));
    return reconcile(platform, payments, day);
  };

  describe('a day in Stripe’s balance', () => {
    test('says what Stripe kept, over more movements than a page has', async () => {
      const day = tomorrow();
      const { session } = await paid();
      await paid();
      for (let count = 0; count < 120; count++) {
        const asked = { chargeId: needed(session.chargeId), amount: 1, mark: `r${count}` };
        await stripe.db.transaction((tx) => refundCharge(tx, stripe, asked));
      }
      const moved = await needed(provider.movements)(utcDaySpan(day));
      expect(moved).toHaveLength(122);
      expect(await run(day)).toMatchObject([
        { provider: 'stripe', capturedMinor: 188_00, feesMinor: 2 * stripeFee(94_00) },
      ]);
    });

    test('with a capture that we know nothing of raises one alert', async () => {
      const day = tomorrow();
      const begun = await provider.begin({
        id: crypto.randomUUID(),
        reference: 'TRV7K2M9QXD4HPBR',
        amount: usd(94_00),
        description: 'Lale TRV7K2M9QXD4HPBR',
        language: 'en',
        returnUrl: `${service.url}/a`,
        cancelUrl: `${service.url}/b`,
        customer: { name: '', email: '', address: '' },
      });
      if (!begun.ok) throw new Error(begun.error.message);
      const id = needed(begun.value.providerReference);
      await pay(stripe, id, { deliveries: 'never' });
      await run(day);
      await run(day);
      const { chargeId } = needed(await sessions.get(stripe.db, id));
      const alerts = (await openAlerts(platform.db)).filter(
        ({ kind }) => kind === 'unknown_reference',
      );
      expect(alerts).toMatchObject([{ attemptId: null, detail: { day, captureId: chargeId } }]);
    });

    test('with a refund that nobody asked for here raises one alert, told of by a webhook or not', async () => {
      const day = tomorrow();
      const { attempt, session } = await paid();
      await refundByHand(stripe, needed(session.chargeId), 5_00);
      await run(day);
      await run(day);
      const alerts = async () =>
        (await openAlerts(platform.db)).filter(
          (one) => one.kind === 'unknown_refund' && one.attemptId === attempt,
        );
      expect(await alerts()).toMatchObject([
        { detail: { day, captureId: session.chargeId, amountMinor: 5_00 } },
      ]);
      for (const { id } of await webhooksAbout(stripe, session.id)) await deliver(stripe, id);
      expect(await alerts()).toHaveLength(1);
    });

    test('with our own refunds, and those of other software, raises none', async () => {
      const day = tomorrow();
      const { attempt, session } = await paid();
      const asked = { attemptId: attempt, amount: usd(94_00), reason: 'cancelled' };
      const refund = { ...asked, requestedBy: 'system', at: platform.now() };
      const made = await platform.db.transaction((tx) => requestRefund(tx, refund));
      await advanceRefund(platform, payments, made.ok ? made.value.id : '');
      const foreign: Movement = {
        id: 'txn_foreign',
        kind: 'refund',
        at: platform.now(),
        captureId: 'ch_foreign',
        refundId: 're_foreign',
        amount: usd(-1_00),
        fee: usd(0),
      };
      const movements: Provider['movements'] = async (span) => {
        const moved = await provider.movements?.(span);
        return Array.isArray(moved) ? [...moved, foreign] : 'no_answer';
      };
      const providers = [{ ...provider, movements }];
      platform.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) + DAY + 3600_000));
      await reconcile(platform, { ...payments, providers }, day);
      const kinds = (await openAlerts(platform.db)).filter((one) => one.attemptId === attempt);
      expect(kinds).toEqual([]);
      const stored = await platform.db.select({ id: paymentMovement.id }).from(paymentMovement);
      const ids = stored.map(({ id }) => id);
      expect(ids).toContain(`txn_${session.chargeId}`);
      expect(ids).not.toContain('txn_foreign');
    });

    test('is unfinished while Stripe does not answer', async () => {
      const day = tomorrow();
      for (let tries = 0; tries < 2; tries++) await playScenario(stripe, 'list', 'error_before');
      expect(await run(day)).toMatchObject([{ unanswered: 1, finishedAt: null, feesMinor: null }]);
      expect(await run(day)).toMatchObject([{ unanswered: 0, feesMinor: 0 }]);
    });
  });

  test('fees are summed only where all are in dollars', () => {
    const one: Movement = {
      id: 'a',
      kind: 'capture',
      at: new Date(0),
      captureId: 'c',
      refundId: null,
      amount: usd(94_00),
      fee: usd(3_03),
    };
    expect(sumFees([one, { ...one, id: 'b' }])).toBe(6_06);
    expect(sumFees([one, { ...one, fee: null }])).toBeNull();
    // Those of the account are no fees of payments.
    expect(sumFees([one, { ...one, kind: 'payout', fee: null }])).toBe(3_03);
    expect(sumFees(null)).toBeNull();
    expect(sumFees('no_answer')).toBeNull();
  });
});

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
    expect(toMovement(line(given))).toEqual({ ...movement, ...expected });
  });

  test.each([
    [
      'a charge of other software',
      { type: 'charge', amount: 1, source: { ...charge, metadata: {} } },
    ],
    ['an adjustment that is no dispute', { type: 'adjustment', amount: 1, source: 'x' }],
    ['a transfer', { type: 'transfer', amount: -1, source: 'tr_1' }],
  ])('%s is none of ours', (_, given) => {
    expect(toMovement(line(given))).toBeNull();
  });
});
