import { describe, expect, test } from 'vitest';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { needed, purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { pay, playScenario, refundCharge } from '~/lab/stripe/payments.server.ts';
import { feeOf } from '~/lab/stripe/representation.ts';
import { simulatedStripe } from '~/lab/stripe/simulated-stripe.server.ts';
import { sessionBy } from '~/lab/stripe/stripe-store.server.ts';
import { providerNamed, type Movement } from '../provider.ts';
import { openAlerts } from '../settlement/store.server.ts';
import { feesOf } from './movements.server.ts';
import { reconcile, spanOf } from './reconcile.server.ts';

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
  return { attempt, session: needed(await sessionBy(stripe.db, 'id', id)) };
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
    const { chargeId } = needed(await sessionBy(stripe.db, 'id', id));
    const alerts = (await openAlerts(platform.db)).filter(
      ({ kind }) => kind === 'unknown_reference',
    );
    expect(alerts).toMatchObject([{ attemptId: null, detail: { day, captureId: chargeId } }]);
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
