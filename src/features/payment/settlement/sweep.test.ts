import { describe, expect, it } from 'vitest';
import { refused } from '~/base/outcome.ts';
import { checkout } from '~/features/order/checkout.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import type { Providers } from '../provider.ts';
import { attemptById, attemptsFor, openAlerts } from './store.server.ts';
import { EXPIRY_MS, sweep } from './sweep.server.ts';
import { somePayer } from '../../../../test/browser.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
const { place, start, pay, comeBack, stateOf, expectPaidOnce, expectUnpaid } = purchases(service);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A day of sweeps, longer than any growing pause. */
async function sweepFor(milliseconds: number, step = 30 * MINUTE) {
  for (let passed = 0; passed < milliseconds; passed += step) {
    platform.clock.advance(step);
    await sweep(platform, payments.providers, payments.onPaid);
  }
}

const tryToStart = async (order: Order, providers: Providers = payments.providers) =>
  checkout(platform, providers, needed(await orderByNumber(platform.db, order.number)), {
    by: somePayer,
    address: '192.0.2.1',
    provider: 'card',
  });

/** The gateway registers the payment, but its response is lost. */
const losingAnswers: Providers = payments.providers.map((provider) => ({
  ...provider,
  begin: async (attempt) => {
    await provider.begin(attempt);
    return refused({ code: 'no_answer', message: 'Payment gateway could not be reached' });
  },
}));

describe('a payment that the partner has taken on and does not decide', () => {
  const holding: Providers = payments.providers.map((provider) => ({
    ...provider,
    ask: async ({ id }) => ({
      eventId: `held:${id}`,
      attemptId: id,
      event: 'hold',
      amount: null,
      providerReference: null,
      captureId: null,
      reason: null,
      payload: { status: 'pending' },
    }),
  }));
  const alertsOf = async (attempt: string) =>
    (await openAlerts(platform.db)).filter(({ attemptId }) => attemptId === attempt);

  it('becomes one alert after a day, which is resolved automatically once it is decided', async () => {
    const order = await place();
    const attempt = await start(order);
    const wait = async (hours: number) => {
      for (let hour = 0; hour < hours; hour++) {
        platform.clock.advance(HOUR + 1);
        await sweep(platform, holding, payments.onPaid);
      }
    };
    await wait(23);
    expect(await stateOf(attempt)).toBe('pending');
    expect(await alertsOf(attempt)).toEqual([]);
    await wait(6);
    expect((await alertsOf(attempt)).map(({ kind }) => kind)).toEqual(['pending_long']);
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
    expect(await alertsOf(attempt)).toEqual([]);
  });
});

describe('no answer at the start', () => {
  it('is told as a failed start, counts up to three retries, and leaves the order payable', async () => {
    const order = await place();
    await service.goAway();
    const retries: number[] = [];
    for (let press = 0; press < 5; press++) {
      const started = await tryToStart(order);
      if (started.ok || started.error.code !== 'start_failed') throw new Error('It started');
      expect(started.error.message).toMatch(/payment/i);
      retries.push(started.error.retries);
    }
    expect(retries).toEqual([0, 1, 2, 3, 3]);
    await service.comeBack();
    await comeBack(await pay(await start(order)));
    await expectPaidOnce(order);
    expect((await orderByNumber(platform.db, order.number))?.failedStarts).toBe(0);
  });

  it('does not mean failed: the attempt stays open, and the sweep expires what never existed', async () => {
    const order = await place();
    await service.goAway();
    await tryToStart(order);
    await service.comeBack();
    const attempt = needed((await attemptsFor(platform.db, order.number))[0]);
    expect(attempt.state).toBe('created');
    await sweepFor(30 * MINUTE, 10 * MINUTE);
    expect(await stateOf(attempt.id)).toBe('created');
    await sweepFor(2 * HOUR);
    expect(await stateOf(attempt.id)).toBe('expired');
    await expectUnpaid(order);
  });

  it('where the gateway had registered it and it was paid, the sweep settles it', async () => {
    const order = await place();
    await tryToStart(order, losingAnswers);
    const attempt = needed((await attemptsFor(platform.db, order.number))[0]);
    expect(attempt).toMatchObject({ state: 'created', providerReference: null });
    await pay(attempt.id);
    await sweepFor(HOUR);
    await expectPaidOnce(order);
    expect((await attemptById(platform.db, attempt.id))?.providerReference).not.toBeNull();
  });
});

describe('an attempt that nobody finishes', () => {
  it('expires after a day, and its order can still be paid', async () => {
    const order = await place();
    const attempt = await start(order);
    await sweepFor(EXPIRY_MS - HOUR);
    expect(await stateOf(attempt)).toBe('redirected');
    await sweepFor(3 * HOUR);
    expect(await stateOf(attempt)).toBe('expired');
    expect((await attemptById(platform.db, attempt))?.checkoutRedirect).toBeNull();
    await expectUnpaid(order);
    await comeBack(await pay(await start(order)));
    await expectPaidOnce(order);
  });

  it('paid after it expired, pays the order that is still unpaid', async () => {
    const order = await place();
    const attempt = await start(order);
    await sweepFor(EXPIRY_MS + 2 * HOUR);
    expect(await stateOf(attempt)).toBe('expired');
    expect(await comeBack(await pay(attempt))).toMatch(/^\/payment-success\?/);
    await expectPaidOnce(order);
    expect(await stateOf(attempt)).toBe('completed');
  });

  it('paid after it expired and after another attempt had paid, is refunded', async () => {
    const order = await place();
    const first = await start(order);
    await sweepFor(EXPIRY_MS + 2 * HOUR);
    await comeBack(await pay(await start(order)));
    await comeBack(await pay(first));
    await service.runJobs();
    await expectPaidOnce(order);
    expect(await stateOf(first)).toBe('refunded');
  });
});

describe('a gateway that is away', () => {
  it('decides nothing, however long: it is asked again, and then settles', async () => {
    const order = await place();
    const attempt = await start(order);
    await pay(attempt);
    await service.goAway();
    await sweepFor(2 * DAY, 2 * HOUR);
    expect(await stateOf(attempt)).toBe('redirected');
    await service.comeBack();
    await sweepFor(2 * HOUR);
    await expectPaidOnce(order);
  });

  it('is not asked more often than every minute, nor less than every hour', async () => {
    const order = await place();
    const id = await start(order);
    await service.goAway();
    const pauses: number[] = [];
    for (let asked = 0; asked < 8; asked++) {
      const { askAt } = needed(await attemptById(platform.db, id));
      const due = needed(askAt);
      pauses.push((due.getTime() - platform.now().getTime()) / MINUTE);
      platform.clock.set(due);
      await sweep(platform, payments.providers, payments.onPaid);
    }
    await service.comeBack();
    expect(pauses).toEqual([2, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('for one attempt only does not keep the sweep from the others', async () => {
    const [one, other] = [await place(), await place()];
    const broken = await start(one);
    await pay(await start(other));
    const provider = needed(payments.providers[0]);
    const providers: Providers = [
      {
        ...provider,
        ask: async (attempt, options) => {
          if (attempt.id === broken) throw new Error('Unexpected');
          return provider.ask(attempt, options);
        },
      },
    ];
    platform.clock.advance(HOUR);
    await sweep(platform, providers, payments.onPaid);
    await expectPaidOnce(other);
    await expectUnpaid(one);
  });
});
