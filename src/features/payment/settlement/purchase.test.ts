import { describe, expect, it, beforeEach, test } from 'vitest';
import {
  applicationByNumber,
  applicationEvents,
  applicationById,
} from '~/features/application/store.server.ts';
import { receiptsByOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import { closeOrder, orderByNumber, type Order } from '~/features/order/store.server.ts';
import { transactionByOrder } from '~/lab/gateway/simulated-gateway.server.ts';
import { signStatement } from '~/lab/gateway/gateway.server.ts';
import { refused } from '~/base/outcome.ts';
import { checkout } from '~/features/order/checkout.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { draftDecision } from '~/features/desk/application/draft.server.ts';
import { nextNumber } from '~/features/desk/application/testing/next-number.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { SEND_JOB } from '~/features/email/ledger/store.server.ts';
import { insuranceJobs } from '~/features/insurance/certificate/certificate-job.server.ts';
import { makeOnPaid } from '~/app/composition/payments.server.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { needed } from '../../../../test/needed.ts';
import type { Providers } from '../provider.ts';
import { somePayer } from '../../../../test/browser.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import { storeAttempt } from '../testing/sample-attempts.ts';
import { makeApplication, makeInsurance } from '../../../../test/make.ts';
import { attemptById, attemptsByReference, openAlerts } from './store.server.ts';
import { askProvider, sweep, sweepRefunds, EXPIRY_MS } from './sweep.server.ts';

const service = await startTestService();
const { platform, payments } = service;
const { place, start, pay, comeBack, stateOf, expectPaidOnce, gateway } = purchases(service);

const MINUTE = 60_000;
const notify = async (attemptId: string) => {
  const transaction = needed(await transactionByOrder(gateway.db, attemptId));
  return fetch(`${service.url}/api/payment/notification/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload: signStatement(gateway, transaction) }),
  });
};

describe('one purchase', () => {
  it('is paid by the return alone, and the return leads to the confirmation', async () => {
    const order = await place();
    const attempt = await start(order);
    const location = await comeBack(await pay(attempt));
    expect(location).toMatch(/^\/payment-success\?/);
    expect(new URLSearchParams(location.split('?')[1]).get('payment')).toBe(attempt);
    expect(location).toContain(`order=${order.number}`);
    await expectPaidOnce(order);
  });

  it('starts the promised time once', async () => {
    const order = await place();
    const attempt = await start(order);
    await comeBack(await pay(attempt));
    await notify(attempt);
    const application = await applicationByNumber(platform.db, order.number);
    expect(application?.paidAt).toEqual(platform.now());
  });

  it('two presses on Pay lead to the same attempt', async () => {
    const order = await place();
    expect(await start(order)).toBe(await start(order));
    expect(await attemptsByReference(platform.db, order.number)).toHaveLength(1);
  });
});

describe('paying what was closed meanwhile', () => {
  it('is kept as paid, and raises one alert, so that a person gives the money back', async () => {
    const order = await place();
    const attempt = await start(order);
    await platform.db.transaction((tx) => closeOrder(tx, order.number, platform.now()));
    const address = await pay(attempt);
    await comeBack(address);
    await notify(attempt);
    await expectPaidOnce(order);
    const alerts = (await openAlerts(platform.db)).filter(({ attemptId }) => attemptId === attempt);
    expect(alerts.map(({ kind }) => kind)).toEqual(['closed_order_paid']);
  });

  it('causes one e-mail, which promises nothing', async () => {
    const order = await place();
    const attempt = await start(order);
    await platform.db.transaction((tx) => closeOrder(tx, order.number, platform.now()));
    await comeBack(await pay(attempt));
    platform.sent.length = 0;
    await service.runJobs();
    const emails = platform.sent.filter(({ subject }) => isAbout(order, subject));
    expect(emails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Your payment arrived too late'),
    ]);
    expect(emails[0]?.text).toContain('$94.00');
  });
});

const isAbout = ({ number }: { number: string }, subject: string): boolean =>
  subject.replaceAll(/[^0-9A-Z]/g, '').includes(number);

describe('paying twice', () => {
  /** Two attempts that can both be paid: the second began when the first was too old to be continued. */
  async function twoAttempts() {
    const order = await place();
    const first = await start(order);
    platform.clock.advance(40 * MINUTE);
    const second = await start(order);
    expect(second).not.toBe(first);
    return { order, first, second };
  }

  async function expectRefunded(attemptId: string) {
    expect(await stateOf(attemptId)).toBe('refunded');
    const transaction = needed(await transactionByOrder(gateway.db, attemptId));
    expect(Object.values(transaction.refunds)).toEqual([94_00]);
  }

  it('leaves one paid order, and the second capture goes back', async () => {
    const { order, first, second } = await twoAttempts();
    await comeBack(await pay(first));
    expect(await comeBack(await pay(second))).toMatch(/^\/payment-success\?/);
    await expectPaidOnce(order);
    expect(await stateOf(second)).toBe('captured_late');
    const alerts = await openAlerts(platform.db);
    expect(alerts.find(({ attemptId }) => attemptId === second)?.kind).toBe('paid_twice');
    platform.sent.length = 0;
    await service.runJobs();
    await expectRefunded(second);
    const emails = platform.sent.filter(({ subject }) => isAbout(order, subject));
    expect(emails.filter(({ subject }) => subject.includes('second payment'))).toHaveLength(1);
    // It bought nothing, so there is one receipt and no credit note.
    expect((await receiptsByOrder(platform.db, order.id)).map(({ kind }) => kind)).toEqual([
      'receipt',
    ]);
    await service.runJobs();
    await expectPaidOnce(order);
    await expectRefunded(second);
  });

  it('in the same instant pays once and refunds once', async () => {
    const { order, first, second } = await twoAttempts();
    const addresses = [await pay(first), await pay(second)];
    await Promise.all(addresses.map(comeBack));
    await service.runJobs();
    await expectPaidOnce(order);
    const states = [await stateOf(first), await stateOf(second)].sort();
    expect(states).toEqual(['completed', 'refunded']);
  });

  it('is refunded by the sweep, when the gateway did not answer the first time', async () => {
    const { order, first, second } = await twoAttempts();
    await comeBack(await pay(first));
    await comeBack(await pay(second));
    await service.goAway();
    await service.runJobs();
    expect(await stateOf(second)).toBe('captured_late');
    await service.comeBack();
    platform.clock.advance(3 * MINUTE);
    await sweepRefunds(platform, payments);
    await sweepRefunds(platform, payments);
    await expectPaidOnce(order);
    await expectRefunded(second);
  });
});

describe('sweep', async () => {
  const service = await startTestService();
  const { platform, payments } = service;
  const { place, start, pay, comeBack, stateOf, expectPaidOnce, expectUnpaid } = purchases(service);

  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;

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
      const attempt = needed((await attemptsByReference(platform.db, order.number))[0]);
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
      const attempt = needed((await attemptsByReference(platform.db, order.number))[0]);
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
  });

  it('does not begin again with an attempt that has ended, whatever is answered about it', async () => {
    const id = await start(await place());
    await sweepFor(EXPIRY_MS + 2 * HOUR);
    const ended = needed(await attemptById(platform.db, id));
    expect(ended).toMatchObject({ state: 'expired', askAt: null });
    for (const answer of ['no_answer', 'unknown', 'nothing'] as const) {
      const providers = payments.providers.map((one) => ({ ...one, ask: async () => answer }));
      const asked = await askProvider(platform, providers, ended, payments.onPaid);
      expect(asked, answer).toEqual(ended);
    }
  });

  describe('a gateway that is away', () => {
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
});

describe('closed order', () => {
  let platform: TestPlatform;
  let db: TestPlatform['db'];
  let app: ReturnType<typeof makeTestApp>;
  // Each has a queue of its own.
  beforeEach(async () => {
    platform = await makeTestPlatform();
    db = platform.db;
    app = makeTestApp(platform);
  });

  /** Captures an attempt; `makeOnPaid` is all that the payment causes. */
  async function arrive(number: string): Promise<void> {
    const at = platform.now();
    let [attempt] = await attemptsByReference(db, number);
    if (!attempt) {
      await db.transaction((tx) => storeAttempt(tx, { number, amountMinor: 189_00 }, at));
      [attempt] = await attemptsByReference(db, number);
    }
    const { id: attemptId } = needed(attempt);
    const settled = { reference: number, attemptId, at };
    await db.transaction((tx) => makeOnPaid(platform.config)(tx, settled));
  }

  const close = (number: string) => db.transaction((tx) => closeOrder(tx, number, platform.now()));
  const kindsOf = async (id: string) => (await applicationEvents(db, id)).map(({ kind }) => kind);
  const status = async (number: string) => (await app.request(`/en/status?ref=${number}`)).text();

  test('money for a closed visa makes its order paid, promises nothing and asks nobody to work on it', async () => {
    const visa = await makeApplication(platform, { paid: false });
    await close(visa.number);
    await arrive(visa.number);
    expect((await orderByNumber(db, visa.number))?.paidAt).toEqual(platform.now());
    expect(await applicationById(db, visa.id)).toMatchObject({ paidAt: null, promisedAt: null });
    expect(await kindsOf(visa.id)).not.toContain('paid');
    const reviewer = await storeStaff(platform);
    expect(await nextNumber(platform, reviewer)).toBe('nothing');
    const html = await status(visa.number);
    expect(html).toContain('This order is closed');
    expect(html).toContain('Your payment arrived after we had closed this order');
    expect(html).not.toContain('Nothing was charged');
    expect(html).not.toContain('Ready by');
    expect(html).not.toContain('Under Review');
  });

  test('money for a closed visa lets nobody approve it, neither by a call nor by a draft', async () => {
    const visa = await makeApplication(platform, { paid: false });
    await close(visa.number);
    await arrive(visa.number);
    const found = needed(await applicationById(db, visa.id));
    const reviewer = await storeStaff(platform);
    const refusal = { ok: false, error: { code: 'unpaid' } };
    expect(
      await decideApplication(platform, reviewer, { kind: 'approve', applicationId: visa.id }),
    ).toEqual(refusal);
    expect(await draftDecision(platform, reviewer, found, { kind: 'approve' })).toEqual(refusal);
  });

  test('money for a closed insurance issues no certificate', async () => {
    const insurance = await makeInsurance(platform);
    await close(insurance.number);
    await arrive(insurance.number);
    await platform.runJobs({
      ...insuranceJobs(platform),
      [SEND_JOB]: async () => undefined,
    });
    expect(await applicationById(db, insurance.id)).toMatchObject({
      paidAt: null,
      status: 'pending',
    });
    expect(await kindsOf(insurance.id)).toEqual(['submitted']);
  });

  test('money for an order that is open promises a moment, counted from the payment', async () => {
    const visa = await makeApplication(platform, { paid: false });
    platform.clock.advance(3600_000);
    await arrive(visa.number);
    const stored = await applicationById(db, visa.id);
    expect(stored?.paidAt).toEqual(platform.now());
    expect(stored?.promisedAt).not.toBeNull();
    expect(await status(visa.number)).toContain('we’ll deliver your e-visa by');
  });
});
