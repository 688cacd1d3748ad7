import { beforeAll, describe, expect, test } from 'vitest';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { linesByOrder, orderByNumber, type Order } from '~/features/order/store.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { advanceRefund } from '~/features/payment/settlement/refund.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { useDatabase } from '../../../../test/database.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { decideApplication } from './decide.server.ts';
import { DEFAULT_UNDO_SECONDS } from '~/features/staff/staff.ts';
import { deskDecision } from './tables.server.ts';
import { atOnce } from './testing/at-once.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { undoDecision } from './undo.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makePayment, makeOrder, seedSales } from '../../../../test/make.ts';

const service = await startTestService({ now: NOW, database: await useDatabase({ poolSize: 12 }) });
const { platform, payments } = service;
const { db, clock } = platform;
const { start, pay, comeBack, expectPaidOnce } = purchases(service);
const staff = await storeStaff(platform);

beforeAll(() => seedSales(platform));

const current = async ({ number }: Pick<Order, 'number'>) =>
  needed(await orderByNumber(db, number));

async function reject(found: Application): Promise<string> {
  const rejection = { kind: 'reject', applicationId: found.id, code: 'details_differ' } as const;
  const decided = await decideApplication(platform, staff, rejection, { undoable: true });
  if (!decided.ok) throw new Error(decided.error.code);
  const made = await db.select().from(deskDecision);
  return needed(made.findLast((one) => one.applicationId === found.id && !one.undoneAt)).id;
}

async function placeTwo() {
  const placed = await makeOrder(platform, {
    travellers: [{ firstName: 'Anna', plan: '30-days' }, { firstName: 'Bela' }],
  });
  const [anna, bela] = placed.visas;
  const ofAnna = needed(placed.insurances.get(1));
  return { ...placed, anna: needed(anna), bela: needed(bela), ofAnna };
}

/** All that a rejection in an unpaid order may change. */
const state = async (order: Order, ...applications: Application[]) => ({
  order: await current(order),
  lines: await linesByOrder(db, order.id),
  applications: await Promise.all(applications.map(({ id }) => applicationById(db, id))),
  cancelled: await Promise.all(
    applications.map(
      async ({ id }) => (await readInsuranceDetails(db, platform.sealer, id))?.cancelledAt ?? null,
    ),
  ),
});

describe('a rejection in an unpaid order', () => {
  test('is undone with the lines, the insurance and the amount, and the order can be paid', async () => {
    const { order, anna, bela, ofAnna } = await placeTwo();
    const before = await state(order, anna, bela, ofAnna);
    const id = await reject(anna);
    expect((await current(order)).amountMinor).toBeLessThan(order.amountMinor);
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect(await state(order, anna, bela, ofAnna)).toEqual(before);
    clock.advance(1000);
    const attempt = await start(await current(order));
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
  });

  test('of the last traveller is undone with the order open again', async () => {
    const { order, visas } = await makeOrder(platform, { travellers: [{ firstName: 'Dora' }] });
    const before = await state(order, ...visas);
    const id = await reject(needed(visas[0]));
    expect((await current(order)).closedAt).not.toBeNull();
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect(await state(order, ...visas)).toEqual(before);
  });

  test('lets a payment page that was open before pay the whole order late', async () => {
    const { order, anna } = await placeTwo();
    const attempt = await start(order);
    clock.advance(1000);
    const id = await reject(anna);
    expect((await attemptsByReference(db, order.number))[0]).toMatchObject({
      supersededAt: platform.now(),
    });
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect((await attemptsByReference(db, order.number))[0]).toMatchObject({ supersededAt: null });
    await comeBack(await pay(attempt));
    expect((await current(order)).paidBy).toBe(attempt);
  });

  test('stays once the payer has begun to pay the rest', async () => {
    const { order, anna } = await placeTwo();
    const id = await reject(anna);
    clock.advance(1000);
    await start(order);
    expect(await undoDecision(platform, staff, id)).toMatchObject({
      error: { code: 'undo_changed' },
    });
    expect((await applicationById(db, anna.id))?.status).toBe('rejected');
  });
});

/** A paid insurance that staff reject, and the refund of its premium. */
async function rejectInsurance() {
  const { order, ofAnna } = await placeTwo();
  await makePayment(platform, order);
  const id = await reject(ofAnna);
  const [refund] = await refundsByOrder(db, order.id);
  return { order, ofAnna, id, refundId: needed(refund).refund.id };
}

const refundOf = async (order: Order) => needed((await refundsByOrder(db, order.id))[0]).payment;
const claimed = async (order: Order) =>
  needed((await attemptsByReference(db, order.number)).find(({ completedAt }) => completedAt))
    .claimedMinor;

describe('a rejection that gives a premium back', () => {
  test('gives nothing back before it can no longer be undone', async () => {
    const { order, refundId } = await rejectInsurance();
    expect(await refundOf(order)).toMatchObject({ state: 'requested', sentAt: null });
    // The queue has the database's clock, which no test can stop: a slow machine would run the job all the same.
    const { rows } = await platform.pool.query<{ seconds: number }>(
      `select extract(epoch from run_at - created_at)::float as seconds
       from graphile_worker._private_jobs where payload ->> 'refundId' = $1`,
      [refundId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.seconds).toBeGreaterThanOrEqual(DEFAULT_UNDO_SECONDS);
  });

  test('is undone with its refund: the money stays, and a second rejection gives it back once', async () => {
    const { order, ofAnna, id } = await rejectInsurance();
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect(await refundOf(order)).toMatchObject({ state: 'withdrawn', sentAt: null });
    expect(await claimed(order)).toBe(0);
    expect(await readInsuranceDetails(db, platform.sealer, ofAnna.id)).toMatchObject({
      cancelledAt: null,
    });
    clock.advance(1000);
    await reject(ofAnna);
    const states = (await refundsByOrder(db, order.id)).map(({ payment }) => payment.state);
    expect(states.toSorted()).toEqual(['requested', 'withdrawn']);
    expect(await claimed(order)).toBe((await refundOf(order)).amountMinor);
  });

  test('of a visa is undone with its refund too', async () => {
    const { order, bela } = await placeTwo();
    await makePayment(platform, order);
    const id = await reject(bela);
    expect(await refundOf(order)).toMatchObject({ state: 'requested', reason: 'rejected_by_us' });
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect(await refundOf(order)).toMatchObject({ state: 'withdrawn', sentAt: null });
    expect(await claimed(order)).toBe(0);
    expect((await applicationById(db, bela.id))?.status).toBe('pending');
  });

  test('stays once its refund is on the way', async () => {
    const { order, id, refundId } = await rejectInsurance();
    await advanceRefund(platform, payments, refundId);
    expect(await undoDecision(platform, staff, id)).toMatchObject({ error: { code: 'undo_late' } });
    expect((await refundOf(order)).state).not.toBe('withdrawn');
  });

  test('at the same moment as the refund is sent: it is sent, or undone, never both', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { order, id, refundId, ofAnna } = await rejectInsurance();
      const runs = [
        async () => (await undoDecision(platform, staff, id)).ok,
        async () => advanceRefund(platform, payments, refundId).then(() => null),
      ];
      const outcomes = await atOnce(
        platform,
        'payment_refund',
        round % 2 ? runs : runs.toReversed(),
      );
      const isUndone = outcomes.find((one) => one !== null);
      const { state: reached, sentAt } = await refundOf(order);
      expect(isUndone).toBe(reached === 'withdrawn');
      expect(sentAt === null).toBe(isUndone);
      const { status } = needed(await applicationById(db, ofAnna.id));
      expect(status === 'rejected').toBe(!isUndone);
      if (isUndone) expect(await claimed(order)).toBe(0);
    }
  });
});
