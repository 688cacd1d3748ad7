import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { isMissed } from '~/features/application/promised.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { askCorrection } from '~/features/desk/application/ask-correction.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { atOnce } from '~/features/desk/application/testing/at-once.server.ts';
import { refundOrders } from '~/features/desk/application/testing/refund-orders.ts';
import {
  refundOrder,
  releaseHeldRefund,
  withdrawHeldRefund,
} from '~/features/desk/money/refunds.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer.server.ts';
import { linesByRefunds } from '~/features/order/refunds/order-refund-store.server.ts';
import { dropAlert, openAlerts, raiseAlert } from '~/features/payment/settlement/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeApplication, makeOrder, uploadPdf } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { countCost } from '../../../test/statements/count-statements.ts';
import { refundMissedPromises } from './missed-promises.server.ts';
import { cancellationView, cancelApplications } from './cancel.server.ts';

const { platform, db, orderOf, refundsFor, reviewer, manager, choice } = await refundOrders({
  poolSize: 12,
});
const { clock } = platform;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const inMs = (ms: number) => new Date(platform.now().getTime() + ms);
const run = () => refundMissedPromises(platform);

/** A paid e-visa of 94.00, 25.00 of them for processing, promised within the hour. */
const promised = (more = {}) => makeApplication(platform, { promisedAt: inMs(HOUR), ...more });

const lateEmails = async () =>
  (await db.select().from(email)).filter(({ kind }) => kind === 'late').map((one) => one.subject);

/** What went back because of a missed promise, of an order, in cents. */
const missedOf = async (number: string) =>
  (await refundsFor(number))
    .filter(({ refund }) => refund.cause === 'missed_promise')
    .map(({ payment }) => payment.amountMinor);

beforeEach(async () => {
  await platform.pool.query('update application set promised_at = null');
});

test('the processing price goes back once the moment has passed, once, told in one email', async () => {
  const { id, number } = await promised();
  clock.advance(HOUR);
  await run();
  expect(await refundsFor(number)).toEqual([]);
  clock.advance(MINUTE + 1);
  await run();
  await run();
  const [opened, ...others] = await refundsFor(number);
  expect(others).toEqual([]);
  expect(opened).toMatchObject({
    refund: { cause: 'missed_promise', applicationNumbers: [number], requestedBy: null },
    payment: { state: 'requested', amountMinor: 25_00, requestedBy: 'system' },
  });
  const refundId = needed(opened).refund.id;
  expect(await linesByRefunds(db, [refundId])).toMatchObject([
    { code: 'processing_fee', amountMinor: 25_00, reason: 'processing_back' },
  ]);
  expect(await applicationById(db, id)).toMatchObject({ status: 'pending' });
  expect(await lateEmails()).toContain(refundId);
  expect(await lateEmails()).not.toContain(id);
  expect(await auditEntriesBySubject(db, { kind: 'refund', id: refundId })).toMatchObject([
    { action: 'refund_opened', staffId: null, detail: { amount: '25.00', state: 'requested' } },
  ]);
});

describe('counts as kept', () => {
  test('what waited for its traveller', async () => {
    const { id, number } = await promised();
    const wanted = { applicationId: id, fields: ['phone'], note: 'The number is too short' };
    expect((await askCorrection(platform, reviewer, wanted)).ok).toBe(true);
    clock.advance(5 * HOUR);
    await run();
    expect(await refundsFor(number)).toEqual([]);
  });

  test('what was delivered in time, and not what was approved without its PDF', async () => {
    const [kept, bare] = [await promised(), await promised()];
    const fileId = await uploadPdf(platform, reviewer);
    const approval = { kind: 'approve', applicationId: kept.id } as const;
    await decideApplication(platform, reviewer, { ...approval, fileId });
    await decideApplication(platform, reviewer, { ...approval, applicationId: bare.id });
    clock.advance(2 * HOUR);
    await run();
    expect([await missedOf(kept.number), await missedOf(bare.number)]).toEqual([[], [25_00]]);
  });

  test('what is unpaid, of a closed order, or of the lab', async () => {
    const unpaid = await promised({ paid: false });
    const [closed, lab] = [await promised(), await promised()];
    const set = (what: string, number: string) =>
      platform.pool.query(`update purchase_order set ${what} where number = $1`, [number]);
    await set('closed_at = created_at', closed.number);
    await set('lab = true', lab.number);
    clock.advance(2 * HOUR);
    await run();
    for (const { number } of [unpaid, closed, lab]) expect(await refundsFor(number)).toEqual([]);
  });
});

test.each(['approve', 'reject'] as const)('a late %s does not keep it', async (kind) => {
  const { id, number } = await promised();
  await decideApplication(platform, reviewer, { kind: 'start_processing', applicationId: id });
  clock.advance(2 * HOUR);
  await decideApplication(platform, reviewer, { kind, applicationId: id, reason: 'Refused' });
  await run();
  expect(await missedOf(number)).toEqual([25_00]);
});

test('an insurance has no processing price: its traveller is told alone, once', async () => {
  const { id, number } = await promised({ kind: 'insurance' });
  clock.advance(2 * HOUR);
  await run();
  await run();
  expect(await refundsFor(number)).toEqual([]);
  expect((await lateEmails()).filter((about) => about === id)).toHaveLength(1);
});

test('in a family the late ones get their share, in one refund and one email, and others nothing', async () => {
  const travellers = ['Anna', 'Ben', 'Carl'].map((firstName) => ({ firstName }));
  const { order, visas } = await makeOrder(platform, { travellers, paid: true });
  const late = visas.slice(0, 2).map(({ number }) => number);
  await db.update(application).set({ promisedAt: inMs(HOUR) });
  await platform.pool.query('update application set promised_at = $1 where number = $2', [
    inMs(9 * HOUR),
    visas[2]?.number,
  ]);
  clock.advance(2 * HOUR);
  await run();
  const opened = await refundsFor(order.number);
  expect(opened.flatMap(({ refund }) => refund.applicationNumbers).toSorted()).toEqual(
    late.toSorted(),
  );
  expect(opened.map(({ payment }) => payment.amountMinor)).toEqual([50_00]);
  expect(await lateEmails()).toContain(opened[0]?.refund.id);
  for (const { id } of visas) expect(await lateEmails()).not.toContain(id);
  clock.advance(9 * HOUR);
  await run();
  expect(await missedOf(order.number)).toEqual([50_00, 25_00]);
});

test('a companion with an address of their own is told by themselves, the payer of their money', async () => {
  const travellers = ['Anna', 'Ben'].map((firstName, index) => ({
    firstName,
    email: `late${index}@mail.example`,
  }));
  const { order, visas } = await makeOrder(platform, { travellers, paid: true });
  await db.update(application).set({ promisedAt: inMs(HOUR) });
  clock.advance(2 * HOUR);
  await run();
  expect(await missedOf(order.number)).toEqual([25_00, 25_00]);
  expect(await lateEmails()).toContain(visas[1]?.id);
});

describe('what has gone back', () => {
  test('by staff does not go back again, and the email then promises nothing', async () => {
    const { id, number } = await promised();
    const given = { choice: choice('our_error', number) };
    expect((await refundOrder(platform, reviewer, await orderOf(number), given)).ok).toBe(true);
    clock.advance(2 * HOUR);
    await run();
    await run();
    expect(await refundsFor(number)).toHaveLength(1);
    expect((await lateEmails()).filter((about) => about === id)).toHaveLength(1);
    expect((await countCost(run)).cost.statements).toHaveLength(1);
  });

  test('by a cancellation is not looked at again', async () => {
    const found = await promised();
    clock.advance(2 * HOUR);
    await (
      await cancelling(found)
    )();
    expect((await countCost(run)).cost.statements).toHaveLength(1);
    expect(await refundsFor(found.number)).toHaveLength(1);
  });

  test('is made up for where a manager withdraws it', async () => {
    const { number } = await promised();
    const strict = { ...platform, config: { ...platform.config, refundManagerAbove: usd(1) } };
    const given = { choice: choice('our_error', number) };
    const held = await refundOrder(strict, reviewer, await orderOf(number), given);
    if (!held.ok) throw new Error(held.error.code);
    clock.advance(2 * HOUR);
    await run();
    expect(await missedOf(number)).toEqual([]);
    expect((await withdrawHeldRefund(platform, manager, held.value.refund.id)).ok).toBe(true);
    await run();
    expect(await missedOf(number)).toEqual([25_00]);
  });

  test('and failed is left to staff, who see it', async () => {
    const { number } = await promised();
    clock.advance(2 * HOUR);
    await run();
    const [opened] = await refundsFor(number);
    await platform.pool.query(
      `update payment_refund set state = 'failed', ask_at = null, decided_at = now() where id = $1`,
      [opened?.refund.id],
    );
    await run();
    expect(await refundsFor(number)).toHaveLength(1);
  });
});

test('a payment that cannot be refunded is reported to staff, and not tried again', async () => {
  const { id, number, order } = await promised();
  await platform.pool.query(`update payment_attempt set state = 'captured_late' where id = $1`, [
    order.paidBy,
  ]);
  clock.advance(2 * HOUR);
  await run();
  const reported = async () =>
    (await openAlerts(db)).filter(({ attemptId }) => attemptId === order.paidBy);
  expect(await reported()).toMatchObject([{ kind: 'refund_failed' }]);
  expect(await refundsFor(number)).toEqual([]);
  expect(await lateEmails()).toContain(id);
  await db.transaction((tx) => dropAlert(tx, `missed_promise:${number}`, platform.now()));
  const { cost } = await countCost(run);
  expect(cost.statements).toHaveLength(1);
  expect(await reported()).toEqual([]);
});

test('while the payer’s bank asks for the money back, it waits for a manager', async () => {
  const { id, number, order } = await promised();
  await db.transaction((tx) =>
    raiseAlert(tx, {
      id: crypto.randomUUID(),
      kind: 'disputed',
      attemptId: order.paidBy,
      detail: {},
      raisedAt: platform.now(),
    }),
  );
  clock.advance(2 * HOUR);
  await run();
  await run();
  const [held, ...others] = await refundsFor(number);
  expect(others).toEqual([]);
  expect(held?.payment.state).toBe('held');
  expect(await lateEmails()).toContain(id);
  expect(await lateEmails()).not.toContain(held?.refund.id);
  expect((await releaseHeldRefund(platform, manager, needed(held).refund.id)).ok).toBe(true);
});

/** A press on the payer's page that cancels. */
async function cancelling({ number, orderNumber }: { number: string; orderNumber: string }) {
  const { sessionHash } = newBrowser(platform);
  const { id: orderId } = await orderOf(orderNumber);
  await addPayerDevice(db, { orderId, sessionHash, createdAt: platform.now() });
  const asked = { ref: number, applications: [], isChosen: false, done: null };
  const view = needed(await cancellationView(platform, asked, sessionHash));
  if (view.kind !== 'quote') throw new Error(view.kind);
  const { id, shown } = view;
  return () =>
    cancelApplications(platform, { id, shown, orderNumber, numbers: [number], sessionHash });
}

describe('at the same moment', () => {
  test('ten workers refund it once', async () => {
    const { number } = await promised();
    clock.advance(2 * HOUR);
    await atOnce(
      platform,
      'application',
      Array.from({ length: 10 }, () => run),
    );
    expect(await missedOf(number)).toEqual([25_00]);
  });

  test.each(['the worker', 'the payer'])(
    'a worker and a payer who cancels: it goes back once, %s first',
    async (first) => {
      for (let round = 0; round < 4; round += 1) {
        const found = await promised();
        clock.advance(2 * HOUR);
        const press = await cancelling(found);
        const runs = [run, press] as (() => Promise<unknown>)[];
        await atOnce(platform, 'application', first === 'the worker' ? runs : runs.toReversed());
        const opened = await refundsFor(found.number);
        expect(opened.map(({ payment }) => payment.amountMinor)).toEqual([25_00]);
        await run();
        expect(await refundsFor(found.number)).toHaveLength(1);
      }
    },
  );

  test('a decision in time and a worker: a promise kept by a second is kept', async () => {
    const { id, number } = await promised();
    clock.advance(HOUR - 1);
    const fileId = await uploadPdf(platform, reviewer);
    const decide = () =>
      decideApplication(platform, reviewer, { kind: 'approve', applicationId: id, fileId });
    await atOnce(platform, 'application', [decide, run] as (() => Promise<unknown>)[]);
    clock.advance(2 * HOUR);
    await run();
    expect(await missedOf(number)).toEqual([]);
  });
});

test('one that fails leaves no half of it, and stops no other', async () => {
  const [failing, other] = [await promised(), await promised()];
  clock.advance(2 * HOUR);
  await platform.pool.query(`alter table order_refund add constraint broken
    check (application_numbers <> array['${failing.number}'])`);
  await expect(run()).rejects.toThrow('Missed promises remain unrefunded');
  expect([await missedOf(failing.number), await missedOf(other.number)]).toEqual([[], [25_00]]);
  expect(await lateEmails()).not.toContain(failing.id);
  await platform.pool.query('alter table order_refund drop constraint broken');
  await run();
  expect(await missedOf(failing.number)).toEqual([25_00]);
});

test('costs one statement where nothing was missed, and the same for each that was', async () => {
  const cost = async () => (await countCost(run)).cost.statements.length;
  await cost();
  expect(await cost()).toBe(1);
  const costs: number[] = [];
  for (const count of [1, 3]) {
    for (let made = 0; made < count; made += 1) await promised();
    clock.advance(2 * HOUR);
    costs.push((await cost()) - 1);
  }
  expect(costs[1]).toBe(3 * needed(costs[0]));
  expect(costs[0]).toBe(27);
});

/** Any history, in minutes from now; what has no meaning for an application as it stands is left out. */
const history = fc.record({
  promised: fc.integer({ min: -90, max: 30 }),
  decided: fc.option(fc.integer({ min: -120, max: -1 })),
  paused: fc.option(fc.integer({ min: -120, max: -1 })),
  status: fc.constantFrom('pending', 'processing', 'approved', 'rejected'),
  isDelivered: fc.boolean(),
  before: fc.constantFrom('nothing', 'refunded', 'cancelled'),
});

test('of any histories, exactly those that missed their promise and kept their price are refunded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 4, maxLength: 12 }), async (histories) => {
      const cases = [];
      for (const { promised: due, decided, paused, status, isDelivered, before } of histories) {
        const made = await makeApplication(platform, { promisedAt: inMs(24 * HOUR) });
        const isRefunded = before === 'refunded';
        if (isRefunded) {
          const given = { choice: choice('our_error', made.number) };
          await refundOrder(platform, reviewer, await orderOf(made.number), given);
        } else if (before === 'cancelled') await (await cancelling(made))();
        const at = (minutes: number | null) => (minutes === null ? null : inMs(minutes * MINUTE));
        const isDecided = status === 'approved' || status === 'rejected';
        const isOpen = before !== 'cancelled';
        const facts = {
          promisedAt: at(due),
          ...(isOpen && {
            status,
            rejectionCode: status === 'rejected' ? ('withdrawn' as const) : null,
            decidedAt: isDecided ? at(decided ?? -1) : null,
            pausedAt: isDecided ? null : at(paused),
            undeliveredSince: status === 'approved' && !isDelivered ? at(decided ?? -1) : null,
          }),
        } as const;
        await db.update(application).set(facts).where(eq(application.id, made.id));
        const stored = needed(await applicationById(db, made.id));
        const latest = inMs(-MINUTE);
        const isDue = isMissed(stored, latest) && !isRefunded && before !== 'cancelled';
        cases.push({ number: made.number, isDue });
      }
      await run();
      await run();
      for (const { number, isDue } of cases) {
        expect(await missedOf(number)).toEqual(isDue ? [25_00] : []);
      }
      await platform.pool.query('update application set promised_at = null');
    }),
    { numRuns: 6 },
  );
});
