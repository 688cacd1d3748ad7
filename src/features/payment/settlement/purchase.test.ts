import { describe, expect, it } from 'vitest';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { receiptsOfOrder } from '~/features/order/receipt/store.server.ts';
import { closeOrder } from '~/features/order/store.server.ts';
import { declinedCard, goodCard, purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { transactionByOrder } from '~/lab/gateway/simulated-gateway.server.ts';
import { statementOf } from '~/lab/gateway/gateway.server.ts';
import { attemptById, attemptsFor, eventsFor, openAlerts } from './store.server.ts';
import { sweep, sweepRefunds } from './sweep.server.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
const { place, start, pay, cancel, comeBack, stateOf, expectPaidOnce, expectUnpaid, gateway } =
  purchases(service);

const MINUTE = 60_000;
const sweepNow = () => sweep(platform, payments.providers, payments.onPaid);
const notify = async (attemptId: string) => {
  const transaction = needed(await transactionByOrder(gateway.db, attemptId));
  return fetch(`${service.url}/api/payment/notification/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload: statementOf(gateway, transaction) }),
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

  it('is paid by the notification alone, when the traveller has left the page', async () => {
    const order = await place();
    await pay(await start(order));
    await expectUnpaid(order);
    await service.runJobs();
    await expectPaidOnce(order);
  });

  it('is paid by the sweep, when neither return nor notification arrived', async () => {
    const order = await place();
    await pay(await start(order));
    await sweepNow();
    await expectUnpaid(order);
    platform.clock.advance(3 * MINUTE);
    await sweepNow();
    await expectPaidOnce(order);
  });

  it.each([
    ['notification before return', ['notify', 'return']],
    ['return before notification', ['return', 'notify']],
    ['notification twice', ['notify', 'notify']],
    ['return twice', ['return', 'return']],
    ['everything twice', ['return', 'notify', 'notify', 'return']],
  ] as const)('is paid once: %s', async (_, deliveries) => {
    const order = await place();
    const attempt = await start(order);
    const address = await pay(attempt);
    for (const delivery of deliveries) {
      if (delivery === 'notify') expect((await notify(attempt)).status).toBe(200);
      else expect(await comeBack(address)).toMatch(/^\/payment-success\?/);
    }
    await expectPaidOnce(order);
    expect(await eventsFor(platform.db, attempt)).toHaveLength(1);
  });

  it('is paid once when return and notification arrive in the same instant', async () => {
    const order = await place();
    const attempt = await start(order);
    const address = await pay(attempt);
    await Promise.all([comeBack(address), notify(attempt), comeBack(address), notify(attempt)]);
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
});

describe('what does not pay', () => {
  it('a declined card leaves the order unpaid, and another card pays it', async () => {
    const order = await place();
    const first = await start(order);
    expect(await comeBack(await pay(first, declinedCard))).toMatch(/^\/payment-cancel\?/);
    expect(await stateOf(first)).toBe('failed');
    expect((await attemptById(platform.db, first))?.reason).toBe('card_declined');
    await expectUnpaid(order);
    const second = await start(order);
    expect(second).not.toBe(first);
    await comeBack(await pay(second));
    await expectPaidOnce(order);
  });

  it('cancelling leads back to the same unpaid order', async () => {
    const order = await place();
    const first = await start(order);
    expect(await comeBack(await cancel(first))).toMatch(/^\/payment-cancel\?/);
    expect(await stateOf(first)).toBe('cancelled');
    await expectUnpaid(order);
    await comeBack(await pay(await start(order), goodCard));
    await expectPaidOnce(order);
  });

  it('two presses on Pay lead to the same attempt', async () => {
    const order = await place();
    expect(await start(order)).toBe(await start(order));
    expect(await attemptsFor(platform.db, order.number)).toHaveLength(1);
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
    expect((await receiptsOfOrder(platform.db, order.id)).map(({ kind }) => kind)).toEqual([
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
