import { describe, expect, test } from 'vitest';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { deliver, eventsOf, playScenario } from '~/lab/partner.server.ts';
import { pay, refundByHand, refundCharge } from '~/lab/stripe/payments.server.ts';
import { sessionBy, sessions } from '~/lab/stripe/stripe-store.server.ts';
import { feeOf } from '~/lab/stripe/representation.ts';
import { simulatedStripe } from '~/lab/stripe/simulated-stripe.server.ts';
import { providerNamed, type Movement, type Provider } from '../provider.ts';
import { requestRefund } from '../settlement/refund-request.server.ts';
import { advanceRefund } from '../settlement/refund.server.ts';
import { openAlerts } from '../settlement/store.server.ts';
import { feesOf, reconcile, spanOf } from './reconcile.server.ts';
import { paymentMovement } from '../tables.server.ts';
import { needed } from '../../../../test/needed.ts';

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
  const { id } = needed(await sessionBy(stripe.db, 'clientReferenceId', attempt));
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
    const moved = await needed(provider.movements)(spanOf(day));
    expect(moved).toHaveLength(122);
    expect(await run(day)).toMatchObject([
      { provider: 'stripe', capturedMinor: 188_00, feesMinor: 2 * feeOf(94_00) },
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
    for (const { id } of await eventsOf(stripe, session.id)) await deliver(stripe, id);
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
  expect(feesOf([one, { ...one, id: 'b' }])).toBe(6_06);
  expect(feesOf([one, { ...one, fee: null }])).toBeNull();
  // Those of the account are no fees of payments.
  expect(feesOf([one, { ...one, kind: 'payout', fee: null }])).toBe(3_03);
  expect(feesOf(null)).toBeNull();
  expect(feesOf('no_answer')).toBeNull();
});
