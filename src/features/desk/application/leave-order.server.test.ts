import { beforeAll, describe, expect, test } from 'vitest';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { linesByOrder, orderByNumber, type Order } from '~/features/order/store.server.ts';
import { checkout } from '~/features/order/checkout.server.ts';
import { refundsByAttempts } from '~/features/payment/settlement/refund-store.server.ts';
import { attemptById, attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { sweep, sweepRefunds } from '~/features/payment/settlement/sweep.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { somePayer } from '../../../../test/browser.ts';
import { useDatabase } from '../../../../test/database.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { atOnce } from './testing/at-once.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { askAndDecide, decideApplication } from './decide.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeOrder, seedSales } from '../../../../test/make.ts';

const service = await startTestService({ now: NOW, database: await useDatabase({ poolSize: 12 }) });
const { platform, payments } = service;
const { db } = platform;
const { start, pay, comeBack, stateOf, expectPaidOnce, expectUnpaid } = purchases(service);
const aydin = await storeStaff(platform);

beforeAll(() => seedSales(platform));

const three = [
  { firstName: 'Anna', plan: '30-days' },
  { firstName: 'Bela', plan: '30-days' },
  { firstName: 'Carl' },
];

const current = async ({ number }: Pick<Order, 'number'>) =>
  needed(await orderByNumber(db, number));
const linesNow = async ({ id }: Order) => linesByOrder(db, id);
const status = async ({ id }: Application) => needed(await applicationById(db, id)).status;
const rejection = ({ id }: Application) =>
  ({ kind: 'reject', applicationId: id, code: 'details_differ' }) as const;
const reject = (application: Application) =>
  decideApplication(platform, aydin, rejection(application));
const askThenReject = (application: Application) =>
  askAndDecide(platform, payments, aydin, rejection(application));

async function placeThree() {
  const { order, visas, insurances } = await makeOrder(platform, { travellers: three });
  const [anna, bela, carl] = visas;
  return {
    order,
    anna: needed(anna),
    bela: needed(bela),
    carl: needed(carl),
    ofAnna: needed(insurances.get(1)),
    ofBela: needed(insurances.get(2)),
  };
}

describe('a visa that is rejected in an unpaid order of three', () => {
  test('leaves it with the insurance of the same traveller, and all other lines as they were', async () => {
    const { order, anna, bela, carl, ofAnna, ofBela } = await placeThree();
    const before = await linesNow(order);
    expect(await reject(bela)).toMatchObject({ ok: true, value: { status: 'rejected' } });
    const gone = new Set([bela.number, ofBela.number]);
    const kept = before.filter(({ applicationNumber }) => !gone.has(applicationNumber));
    expect(await linesNow(order)).toEqual(kept);
    expect(await current(order)).toMatchObject({
      amountMinor: kept.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      closedAt: null,
      refundPolicy: order.refundPolicy,
      customerName: order.customerName,
    });
    expect(await applicationById(db, ofBela.id)).toMatchObject({
      status: 'rejected',
      rejectionCode: 'visa_rejected',
      rejectionReason: null,
      decidedAt: platform.now(),
    });
    const details = await readInsuranceDetails(db, platform.sealer, ofBela.id);
    expect(details?.cancelledAt).toEqual(platform.now());
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: ofBela.id });
    expect(trail).toMatchObject([{ action: 'rejected', detail: { visa: bela.number } }]);
    for (const one of [anna, carl, ofAnna]) expect(await status(one)).toBe('pending');
  });

  test('is not paid for: the rest is, at the new amount', async () => {
    const { order, anna, bela, carl } = await placeThree();
    const old = await start(order);
    await reject(bela);
    expect(await stateOf(old)).toBe('expired');
    const attempt = await start(order);
    const due = (await current(order)).amountMinor;
    expect(needed(await attemptById(db, attempt)).amountMinor).toBe(due);
    expect(due).toBeLessThan(order.amountMinor);
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
    expect((await applicationById(db, bela.id))?.paidAt).toBeNull();
    for (const { id } of [anna, carl]) {
      expect(await applicationById(db, id)).toMatchObject({
        paidAt: platform.now(),
        promisedAt: expect.any(Date),
      });
    }
  });

  test('may be the payer’s own: the order stays theirs', async () => {
    const { order, anna } = await placeThree();
    await reject(anna);
    const { customerEmail, customerName, closedAt } = await current(order);
    expect({ customerEmail, customerName, closedAt }).toEqual({
      customerEmail: order.customerEmail,
      customerName: order.customerName,
      closedAt: null,
    });
  });

  test('does not take along an insurance that was rejected before', async () => {
    const { order, bela, carl, anna, ofBela } = await placeThree();
    expect((await reject(ofBela)).ok).toBe(true);
    expect(await status(bela)).toBe('pending');
    const numbers = new Set((await linesNow(order)).map((line) => line.applicationNumber));
    expect(numbers.has(bela.number)).toBe(true);
    expect(numbers.has(ofBela.number)).toBe(false);
    await reject(bela);
    expect(await applicationById(db, ofBela.id)).toMatchObject({ rejectionCode: 'details_differ' });
    for (const one of [anna, carl]) expect(await status(one)).toBe('pending');
  });
});

test('the last one that is rejected closes the order, whose lines stay', async () => {
  const { order, anna, bela, carl } = await placeThree();
  await reject(anna);
  await reject(bela);
  const { amountMinor, closedAt } = await current(order);
  expect(closedAt).toBeNull();
  await reject(carl);
  expect(await current(order)).toMatchObject({ amountMinor, closedAt: platform.now() });
  expect((await linesNow(order)).map((line) => line.applicationNumber)).toContain(carl.number);
  const begun = checkout(platform, payments.providers, await current(order), {
    by: somePayer,
    address: '192.0.2.1',
  });
  expect(await begun).toEqual({ ok: false, error: { code: 'closed' } });
});

describe('money for the amount before a rejection', () => {
  test('that comes after it is refunded in full, and the rest can be paid', async () => {
    const { order, bela } = await placeThree();
    const old = await start(order);
    await reject(bela);
    await comeBack(await pay(old));
    await expectUnpaid(order);
    expect(await stateOf(old)).toBe('captured_late');
    expect(await refundsByAttempts(db, [old])).toMatchObject([
      { amountMinor: order.amountMinor, reason: 'superseded' },
    ]);
    await sweepRefunds(platform, payments);
    await service.runJobs();
    expect(await stateOf(old)).toBe('refunded');
    await comeBack(await pay(await start(order)));
    await expectPaidOnce(order);
  });

  test('that was captured without a notification is asked for first: then the order was paid', async () => {
    const { order, bela } = await placeThree();
    const attempt = await start(order);
    await pay(attempt);
    const before = await linesNow(order);
    expect((await askThenReject(bela)).ok).toBe(true);
    expect(await current(order)).toMatchObject({ paidBy: attempt, amountMinor: order.amountMinor });
    expect(await linesNow(order)).toEqual(before);
    expect(await status(bela)).toBe('rejected');
    expect(await stateOf(attempt)).toBe('completed');
  });

  test('that was captured while the partner does not answer is refunded in full later', async () => {
    const { order, bela } = await placeThree();
    const attempt = await start(order);
    await pay(attempt);
    await service.goAway();
    expect((await askThenReject(bela)).ok).toBe(true);
    await service.comeBack();
    expect(await stateOf(attempt)).toBe('expired');
    platform.clock.advance(10 * 60_000);
    await sweep(platform, payments.providers, payments.onPaid);
    await expectUnpaid(order);
    expect(await stateOf(attempt)).toBe('captured_late');
    expect(await refundsByAttempts(db, [attempt])).toMatchObject([
      { amountMinor: order.amountMinor },
    ]);
  });

  test.each(['pending', 'authorised'])(
    'that the partner has taken on (%s) is superseded, and goes back in full if it is taken',
    async (state) => {
      const { order, bela } = await placeThree();
      const attempt = await start(order);
      await platform.pool.query('update payment_attempt set state = $2 where id = $1', [
        attempt,
        state,
      ]);
      expect((await askThenReject(bela)).ok).toBe(true);
      expect(await attemptById(db, attempt)).toMatchObject({ state, supersededAt: platform.now() });
      // The new amount can be paid at once.
      await comeBack(await pay(await start(order)));
      await pay(attempt).then(comeBack);
      await expectPaidOnce(order);
      expect(await stateOf(attempt)).toBe('captured_late');
      expect(await refundsByAttempts(db, [attempt])).toMatchObject([
        { amountMinor: order.amountMinor },
      ]);
    },
  );
});

describe('at the same moment', () => {
  test('a capture and a rejection: the order is paid as it was, or the money goes back', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const { order, bela } = await placeThree();
      const attempt = await start(order);
      const address = await pay(attempt);
      const [rejected] = await Promise.all(
        round % 2 === 0
          ? [reject(bela), comeBack(address)]
          : [comeBack(address).then(() => reject(bela))],
      );
      expect(rejected?.ok).toBe(true);
      const { paidAt, amountMinor } = await current(order);
      const sum = (await linesNow(order)).reduce((total, line) => total + line.amountMinor, 0);
      expect(amountMinor).toBe(sum);
      ends.add(paidAt ? 'paid' : 'left');
      if (paidAt) {
        expect(amountMinor).toBe(order.amountMinor);
        expect(await stateOf(attempt)).toBe('completed');
      } else {
        expect(amountMinor).toBeLessThan(order.amountMinor);
        expect(await stateOf(attempt)).toBe('captured_late');
        expect(await refundsByAttempts(db, [attempt])).toMatchObject([
          { amountMinor: order.amountMinor },
        ]);
      }
    }
    expect(ends).toContain('paid');
  });

  test('two rejections: both leave, the third traveller’s lines are due', async () => {
    const { order, anna, bela, carl } = await placeThree();
    const outcomes = await atOnce(
      platform,
      'application',
      [anna, bela].map((one) => () => reject(one)),
    );
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    const lines = await linesNow(order);
    expect(new Set(lines.map((line) => line.applicationNumber))).toEqual(new Set([carl.number]));
    expect(await current(order)).toMatchObject({
      closedAt: null,
      amountMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    });
  });

  test('a visa and the insurance beside it: both are rejected, once', async () => {
    const { order, bela, ofBela, anna, ofAnna, carl } = await placeThree();
    const outcomes = await atOnce(platform, 'application', [
      () => reject(bela),
      () => reject(ofBela),
    ]);
    expect(outcomes.some(({ ok }) => ok)).toBe(true);
    expect([await status(bela), await status(ofBela)]).toEqual(['rejected', 'rejected']);
    const left = new Set((await linesNow(order)).map((line) => line.applicationNumber));
    expect(left).toEqual(new Set([anna.number, ofAnna.number, carl.number]));
  });

  test('everybody: the order closes, and nobody can begin to pay it', async () => {
    const { order, anna, bela, carl } = await placeThree();
    const outcomes = await atOnce(
      platform,
      'application',
      [anna, bela, carl].map((one) => () => reject(one)),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect((await current(order)).closedAt).not.toBeNull();
  });

  test('a start of payment and a rejection: no attempt that can pay is left at the old amount', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { order, bela } = await placeThree();
      const [started] = await Promise.all([
        checkout(platform, payments.providers, order, { by: somePayer, address: '192.0.2.1' }),
        reject(bela),
      ]);
      if (!started.ok) expect(started.error.code).toBe('changed');
      for (const attempt of await attemptsByReference(db, order.number)) {
        expect(attempt.supersededAt).not.toBeNull();
        expect(attempt.checkoutRedirect).toBeNull();
      }
    }
  });
});
