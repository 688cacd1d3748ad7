import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { usd, type Money } from '~/base/money.ts';
import { refused } from '~/base/outcome.ts';
import { applicationById, lockApplication } from '~/features/application/store.server.ts';
import { linesByOrder, lockOrder, orderByNumber, payOrder } from '~/features/order/store.server.ts';
import type { RefundCause } from '~/features/order/refund-policy.ts';
import {
  linesByRefunds,
  returnedByApplication,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { advanceRefund, settleRefundEvent } from '~/features/payment/settlement/refund.server.ts';
import { refundsByAttempts } from '~/features/payment/settlement/refund-store.server.ts';
import { refundLateCapture } from '~/features/payment/settlement/settle.server.ts';
import {
  attemptById,
  attemptsByReference,
  lockReference,
} from '~/features/payment/settlement/store.server.ts';
import { partner } from '~/features/payment/testing/refunds.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeApplication, makeInsurance } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { decideApplication } from '../application/decide.server.ts';
import { draftDecision } from '../application/draft.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { refundOrders } from '../application/testing/refund-orders.ts';
import { readFilter } from '../queue/list-filter.ts';
import { queuePage } from '../queue/queue.server.ts';
import {
  proposeAmounts,
  refundOrder,
  releaseHeldRefund,
  retryRefund,
  withdrawHeldRefund,
} from './refunds.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { untilBlocked } from '../../../../test/database.ts';
import { correctEmail } from '../application/case-emails.server.ts';

const {
  administrator,
  cancelledAt,
  choice,
  db,
  manager,
  orderOf,
  orderOfTwo,
  platform,
  refundsFor,
  reviewer,
} = await refundOrders({ poolSize: 6 });

type Given = { by?: typeof manager; amounts?: ReadonlyMap<string, Money>; note?: string };

/** Opens a refund of some of an order's applications. */
async function open(
  number: string,
  cause: RefundCause,
  applications: readonly string[],
  { by = manager, ...given }: Given = {},
) {
  const asked = { choice: choice(cause, ...applications), ...given };
  const opened = await refundOrder(platform, by, await orderOf(number), asked);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

const reject = async (applicationId: string) => {
  const asked = { kind: 'reject', applicationId, reason: 'No photo of the ID' } as const;
  expect((await decideApplication(platform, reviewer, asked)).ok).toBe(true);
};
const approve = async (applicationId: string) =>
  (await decideApplication(platform, reviewer, { kind: 'approve', applicationId })).ok;

describe('rejecting an insurance', () => {
  test('opens the full refund of its premium in the same transaction', async () => {
    const insurance = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
    await reject(insurance.id);
    expect(await refundsFor(insurance.number)).toMatchObject([
      {
        refund: { cause: 'insurance_rejected', requestedBy: null, completedAt: null },
        payment: { state: 'requested', amountMinor: 189_00, requestedBy: 'system' },
      },
    ]);
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
  });

  test('that is paid by the order of a visa touches its own line alone', async () => {
    const { number, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const before = await linesByOrder(db, order.id);
    await reject(insurance.id);
    const [opened] = await refundsFor(number);
    expect(opened?.refund.applicationNumbers).toEqual([insurance.number]);
    const lines = await linesByRefunds(db, [needed(opened).refund.id]);
    expect(lines.map(({ code, amountMinor, reason }) => [code, amountMinor, reason])).toEqual([
      ['insurance_plan', 189_00, 'premium_back'],
    ]);
    // The order stays paid, with all of its lines.
    expect(await linesByOrder(db, order.id)).toEqual(before);
    expect(await orderOf(number)).toEqual(order);
  });

  test('that is unpaid opens none, nor does a visa that the authorities refused', async () => {
    const insurance = await makeInsurance(platform);
    await reject(insurance.id);
    expect(await refundsFor(insurance.number)).toEqual([]);
    const visa = await makeApplication(platform);
    const asked = { applicationId: visa.id, code: 'authorities_refused' } as const;
    await decideApplication(platform, reviewer, { kind: 'reject', ...asked });
    expect(await refundsFor(visa.number)).toEqual([]);
  });

  test('whose premium has gone back opens no second one', async () => {
    const insurance = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
    await open(insurance.number, 'not_submitted', [insurance.number]);
    await reject(insurance.id);
    expect(await refundsFor(insurance.number)).toHaveLength(1);
  });
});

describe('cancelling one application of an order of two', () => {
  test('touches only its lines, and ends the cover that was paid back', async () => {
    const { number, visa, insurance } = await orderOfTwo();
    const proposed = async (cause: RefundCause, application: string) =>
      proposeAmounts(platform, await orderOf(number), choice(cause, application));
    expect(await proposed('cancelled', insurance.number)).toMatchObject({
      value: { total: usd(170_10) },
    });
    const opened = await open(number, 'cancelled', [insurance.number], { by: reviewer });
    expect(opened).toMatchObject({
      refund: { applicationNumbers: [insurance.number] },
      payment: { state: 'requested' },
    });
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
    expect(await proposed('cancelled', visa.number)).toMatchObject({
      value: { total: usd(25_00) },
    });
    expect(await proposed('duplicate_payment', insurance.number)).toMatchObject({
      value: { total: usd(18_90) },
    });
  });

  test('for a mistake of ours leaves the cover as it is', async () => {
    const { number, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const proposal = await proposeAmounts(platform, order, choice('our_error', insurance.number));
    if (!proposal.ok) throw new Error(proposal.error.code);
    const lineId = needed(proposal.value.lines[0]).line.id;
    await open(number, 'our_error', [insurance.number], {
      amounts: new Map([[lineId, usd(20_00)]]),
      note: 'A wrong date on the certificate',
    });
    expect(await cancelledAt(insurance.id)).toBeNull();
  });

  test('keeps to the policy under which the order was placed', async () => {
    const { number } = await makeApplication(platform, { promisedAt: null });
    await platform.pool.query(
      `update purchase_order set refund_policy = jsonb_set(refund_policy, '{fullRefundHours}', '-1')
        where number = $1`,
      [number],
    );
    const asked = choice('cancelled', number);
    expect(await proposeAmounts(platform, await orderOf(number), asked)).toMatchObject({
      value: { total: usd(20_00) },
    });
  });

  test('of another order is no application of this one', async () => {
    const { number } = await orderOfTwo();
    const other = await makeApplication(platform);
    const asked = choice('cancelled', other.number);
    expect(await proposeAmounts(platform, await orderOf(number), asked)).toMatchObject({
      ok: false,
      error: { code: 'no_application' },
    });
  });
});

describe('a sum above 200.00', () => {
  const everything = async (by: typeof manager) => {
    const { number, visa, insurance } = await orderOfTwo();
    const opened = await open(number, 'duplicate_payment', [visa.number, insurance.number], { by });
    return { number, insurance, ...opened };
  };

  test('waits when a reviewer asks, and the cover ends with the release', async () => {
    const { refund, payment, insurance } = await everything(reviewer);
    expect(payment).toMatchObject({ state: 'held', amountMinor: 283_00 });
    expect(await cancelledAt(insurance.id)).toBeNull();
    expect(await releaseHeldRefund(platform, reviewer, refund.id)).toMatchObject({
      error: { code: 'forbidden' },
    });
    const released = await Promise.all([
      releaseHeldRefund(platform, manager, refund.id),
      releaseHeldRefund(platform, administrator, refund.id),
    ]);
    expect(released.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
  });

  test('in small pieces waits as well', async () => {
    const { number, visa, insurance } = await orderOfTwo();
    const first = await open(number, 'cancelled', [insurance.number], { by: reviewer });
    expect(first.payment).toMatchObject({ state: 'requested', amountMinor: 170_10 });
    const second = await open(number, 'duplicate_payment', [visa.number], { by: reviewer });
    expect(second.payment).toMatchObject({ state: 'held', amountMinor: 94_00 });
  });

  test('goes at once when a manager asks', async () => {
    expect((await everything(manager)).payment.state).toBe('requested');
  });

  test('can be taken back by who asked or by a manager, not by another reviewer', async () => {
    const { refund, number } = await everything(reviewer);
    const other = await storeStaff(platform, { name: 'K. Demir' });
    expect((await withdrawHeldRefund(platform, other, refund.id)).ok).toBe(false);
    expect((await withdrawHeldRefund(platform, reviewer, refund.id)).ok).toBe(true);
    const asked = choice('duplicate_payment', ...refund.applicationNumbers);
    expect(await proposeAmounts(platform, await orderOf(number), asked)).toMatchObject({
      value: { total: usd(283_00) },
    });
  });

  test('waiting while its insurance is rejected: taken back, the premium goes back all the same', async () => {
    const { refund, number, insurance } = await everything(reviewer);
    await reject(insurance.id);
    expect(await refundsFor(number)).toHaveLength(1);
    expect((await withdrawHeldRefund(platform, manager, refund.id)).ok).toBe(true);
    const refunds = await refundsFor(number);
    expect(refunds).toHaveLength(2);
    // Both have the same moment.
    expect(refunds.find(({ payment }) => payment.state !== 'withdrawn')).toMatchObject({
      refund: { cause: 'insurance_rejected', applicationNumbers: [insurance.number] },
      payment: { state: 'requested', amountMinor: 189_00 },
    });
  });
});

const payments = { onRefunded: async () => undefined };
const tell = (refundId: string, word: Parameters<typeof settleRefundEvent>[3]) =>
  db.transaction((tx) => settleRefundEvent(tx, payments, { refundId, at: platform.now() }, word));
const fail = (refundId: string) => tell(refundId, { event: 'fail', failure: 'no' });

async function again(refundId: string): Promise<string> {
  const retried = await retryRefund(platform, manager, refundId);
  if (!retried.ok) throw new Error(retried.error.code);
  return retried.value.refund.id;
}

describe('a refund that the partner did not make', () => {
  async function failed() {
    const { number, visa, insurance } = await orderOfTwo();
    const opened = await open(number, 'duplicate_payment', [visa.number, insurance.number]);
    await fail(opened.refund.id);
    return { number, visa, id: opened.refund.id };
  }

  test('is tried again by whoever may release, once however often it is pressed', async () => {
    const { number, id } = await failed();
    expect(await retryRefund(platform, reviewer, id)).toMatchObject({
      error: { code: 'forbidden' },
    });
    const pressed = await Promise.all([
      retryRefund(platform, manager, id),
      retryRefund(platform, administrator, id),
    ]);
    expect(pressed.map(({ ok }) => ok)).toEqual([true, true]);
    const refunds = await refundsFor(number);
    expect(refunds).toHaveLength(2);
    // Both have the same moment.
    const second = needed(refunds.find(({ refund }) => refund.id !== id));
    expect(refunds.find(({ refund }) => refund.id === id)?.payment.state).toBe('failed');
    expect(second.payment).toMatchObject({ state: 'requested', amountMinor: 283_00 });
    const lines = async (refundId: string) =>
      (await linesByRefunds(db, [refundId])).map((line) => [line.orderLineId, line.amountMinor]);
    expect(await lines(second.refund.id)).toEqual(await lines(id));
    expect(await retryRefund(platform, manager, second.refund.id)).toMatchObject({
      error: { code: 'not_failed' },
    });
    await fail(second.refund.id);
    expect((await retryRefund(platform, manager, second.refund.id)).ok).toBe(true);
    expect(await refundsFor(number)).toHaveLength(3);
  });

  test('is still owed: the status page says that it is being refunded until it is', async () => {
    const { number, visa, id } = await failed();
    const owed = async () => (await returnedByApplication(db, [visa.number])).get(visa.number);
    const all = { done: usd(0), coming: usd(94_00) };
    expect(await owed()).toEqual(all);
    const second = await again(id);
    expect(await owed()).toEqual(all);
    await fail(second);
    expect(await owed()).toEqual(all);
    const other = await open(number, 'duplicate_payment', [visa.number]);
    expect(await owed()).toEqual(all);
    await tell(other.refund.id, { event: 'complete' });
    expect(await owed()).toEqual({ done: usd(94_00), coming: usd(0) });
  });

  test('is not tried again where somebody else has taken what was left', async () => {
    const { number, visa, id } = await failed();
    await open(number, 'duplicate_payment', [visa.number]);
    expect(await retryRefund(platform, manager, id)).toMatchObject({ error: { code: 'exceeds' } });
    expect(await refundsFor(number)).toHaveLength(2);
  });
});

describe('a second payment for a paid order that did not go back', () => {
  async function refusedReturn() {
    const { number } = await makeApplication(platform);
    const at = platform.now();
    const attemptId = randomUUID();
    await db.transaction(async (tx) => {
      await storeAttempt(tx, { number, amountMinor: 94_00 }, at, {
        id: attemptId,
        state: 'captured_late',
        providerReference: `P-${attemptId}`,
        captureId: `C-${attemptId}`,
      });
      await refundLateCapture(tx, attemptId, at);
    });
    const refunds = () => refundsByAttempts(db, [attemptId]);
    const refundId = needed((await refunds())[0]).id;
    const refusing = partner({ refund: async () => refused({ code: 'refused', message: 'no' }) });
    await advanceRefund(platform, refusing.payments, refundId);
    return { attemptId, refundId, refunds };
  }

  test('is tried again by a manager, once, and goes back whole', async () => {
    const { attemptId, refundId, refunds } = await refusedReturn();
    expect(await retryRefund(platform, reviewer, refundId)).toMatchObject({
      error: { code: 'forbidden' },
    });
    platform.clock.advance(1000);
    const [second] = await Promise.all([again(refundId), again(refundId)]);
    expect(await refunds()).toMatchObject([
      { id: refundId, state: 'failed' },
      { id: second, amountMinor: 94_00, reason: 'paid_twice', requestedBy: manager.id },
    ]);
    expect(await auditEntriesBySubject(db, { kind: 'refund', id: second })).toMatchObject([
      { action: 'refund_opened', staffId: manager.id },
    ]);
    expect(await retryRefund(platform, manager, second)).toMatchObject({
      error: { code: 'not_failed' },
    });
    // The provider gets an id that it has not refused.
    const willing = partner();
    await advanceRefund(platform, willing.payments, second);
    expect(willing.books).toEqual(new Map([[second, 94_00]]));
    expect(await attemptById(db, attemptId)).toMatchObject({
      refundedMinor: 94_00,
      claimedMinor: 94_00,
      state: 'refunded',
    });
  });

  test('and fails again is tried again; nothing else is', async () => {
    const { refundId, refunds } = await refusedReturn();
    const second = await again(refundId);
    await fail(second);
    await again(second);
    expect((await refunds()).map(({ state }) => state).toSorted()).toEqual([
      'failed',
      'failed',
      'requested',
    ]);
    expect((await retryRefund(platform, manager, randomUUID())).ok).toBe(false);
  });
});

describe('a refund that takes back what was bought', () => {
  const caseOf = async (id: string) => needed(await applicationById(db, id));
  const openOnes = async () => {
    const filter = readFilter(new URLSearchParams('show=hand_in'), 'visa', null);
    const { rows } = await queuePage(db, filter, { staffId: reviewer.id, now: platform.now() });
    return rows.map(({ number }) => number);
  };
  /** A case whose refund waits for a release. */
  async function held() {
    const { id, number } = await makeApplication(platform);
    const small = { ...platform, config: { ...platform.config, refundManagerAbove: usd(1_00) } };
    const asked = { choice: choice('cancelled', number) };
    const opened = await refundOrder(small, reviewer, await orderOf(number), asked);
    if (!opened.ok) throw new Error(opened.error.code);
    expect(opened.value.payment.state).toBe('held');
    return { id, refundId: opened.value.refund.id };
  }

  test('closes the case in its own transaction: withdrawn, out of the queue, written down', async () => {
    const { id, number } = await makeApplication(platform);
    expect(await openOnes()).toContain(number);
    const { refund } = await open(number, 'cancelled', [number]);
    expect(await caseOf(id)).toMatchObject({ status: 'rejected', rejectionCode: 'withdrawn' });
    expect(await openOnes()).not.toContain(number);
    const entries = await auditEntriesBySubject(db, { kind: 'application', id });
    expect(entries.at(-1)).toMatchObject({ action: 'rejected', detail: { refundId: refund.id } });
  });

  test.each(['missed_promise', 'our_error', 'overcharged', 'not_submitted'] as const)(
    'for %s leaves the case open',
    async (cause) => {
      const { id, number } = await makeApplication(platform);
      const lines = await linesByOrder(db, (await orderOf(number)).id);
      await open(number, cause, [number], {
        amounts: new Map(lines.map((line) => [line.id, usd(1_00)])),
        note: 'Agreed on the telephone.',
      });
      expect(await caseOf(id)).toMatchObject({ status: 'pending' });
    },
  );

  test('waits with the refund for its release, and meanwhile nobody approves', async () => {
    const { id, refundId } = await held();
    const found = await caseOf(id);
    expect(found).toMatchObject({ status: 'pending' });
    const refusal = { ok: false, error: { code: 'refunded' } };
    for (const kind of ['approve', 'start_processing'] as const) {
      expect(
        await decideApplication(platform, reviewer, { kind, applicationId: id }),
      ).toMatchObject(refusal);
    }
    expect(await draftDecision(platform, reviewer, found, { kind: 'approve' })).toEqual(refusal);
    expect((await releaseHeldRefund(platform, manager, refundId)).ok).toBe(true);
    expect(await caseOf(id)).toMatchObject({ status: 'rejected', rejectionCode: 'withdrawn' });
  });

  test('that is withdrawn lets the case go on', async () => {
    const { id, refundId } = await held();
    expect((await withdrawHeldRefund(platform, reviewer, refundId)).ok).toBe(true);
    expect(await approve(id)).toBe(true);
  });

  test('ends only its own line’s case of an order of several', async () => {
    const { number, visa, insurance } = await orderOfTwo();
    await open(number, 'cancelled', [insurance.number]);
    expect(await caseOf(insurance.id)).toMatchObject({ rejectionCode: 'withdrawn' });
    expect(await cancelledAt(insurance.id)).not.toBeNull();
    expect(await caseOf(visa.id)).toMatchObject({ status: 'pending' });
    expect(await approve(visa.id)).toBe(true);
  });

  test('leaves what is decided as it is', async () => {
    const { id, number } = await makeApplication(platform);
    expect(await approve(id)).toBe(true);
    await open(number, 'duplicate_payment', [number]);
    expect(await caseOf(id)).toMatchObject({ status: 'approved', rejectionCode: null });
  });
});

/** Takes the locks of a settling payment, and runs `work` at the same time. */
async function duringSettling<T>(
  { id, orderNumber }: { id: string; orderNumber: string },
  pay: (tx: Transaction) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const isHeld = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const settling = db.transaction(async (tx) => {
    await lockReference(tx, orderNumber);
    await pay(tx);
    isHeld.resolve();
    await mayGoOn.promise;
    await lockApplication(tx, id);
  });
  await Promise.race([isHeld.promise, settling]);
  const working = work();
  // Reported below; handled here so that it is not unhandled.
  working.catch(() => undefined);
  await untilBlocked(db).finally(() => mayGoOn.resolve());
  await settling;
  return working;
}

test('an unpaid application is rejected while its payment is settled: neither waits for the other', async () => {
  const found = await makeApplication(platform, { paid: false, begun: true });
  const at = platform.now();
  const [attempt] = await attemptsByReference(db, found.orderNumber);
  const attemptId = needed(attempt).id;
  const pay = (tx: Transaction) => payOrder(tx, { number: found.orderNumber, attemptId, at });
  const outcome = await duringSettling(found, pay, () =>
    decideApplication(platform, manager, {
      kind: 'reject',
      applicationId: found.id,
      reason: 'The photo',
    }),
  );
  expect(outcome).toMatchObject({ ok: true });
  expect(needed(await orderByNumber(db, found.orderNumber))).toMatchObject({
    paidAt: at,
    closedAt: null,
  });
  expect((await applicationById(db, found.id))?.status).toBe('rejected');
});

test('a refund and a corrected address wait for the payment, too', async () => {
  const found = await makeApplication(platform);
  const order = needed(await orderByNumber(db, found.orderNumber));
  const nothing = async () => undefined;
  const choice = {
    cause: 'our_error',
    askedAt: platform.now(),
    applications: [found.number],
  } as const;
  const refunded = await duringSettling(found, nothing, () =>
    refundOrder(platform, manager, order, { choice }),
  );
  expect(refunded).toMatchObject({ ok: true });
  const open = await makeApplication(platform, { paid: false });
  const hold = (tx: Transaction) => lockOrder(tx, open.orderNumber);
  const corrected = await duringSettling(open, hold, () =>
    correctEmail(platform, manager, {
      applicationId: open.id,
      email: 'right@example.org',
      emailAnswer: '',
      why: 'A slip',
      emailIds: [],
    }),
  );
  expect(corrected).toMatchObject({ ok: true });
});
