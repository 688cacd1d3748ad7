import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { insuranceDetailsOf } from '~/features/insurance/store.server.ts';
import {
  payInsurance,
  placeInsurance,
} from '~/features/insurance/testing/sample-insurance.server.ts';
import { linesOfRefunds, refundsOfOrder } from '~/features/order/order-refund-store.server.ts';
import type { RefundCause } from '~/features/order/refund-cause.ts';
import { insertOrder, linesOf, orderByNumber, payOrder } from '~/features/order/store.server.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { applyWord } from '~/features/payment/refund.server.ts';
import { changeAttempt, insertAttempt } from '~/features/payment/store.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { placeApplication } from '../../../test/applications.ts';
import { needed } from '../../../test/purchases.ts';
import { approve, reject, startProcessing } from './decide.server.ts';
import { readFilter } from './list-filter.ts';
import { queuePage } from './queue.server.ts';
import { propose, refundOrder, release, retry, withdraw } from './refunds.server.ts';
import { storeCase, storeStaff } from './testing/case-store.server.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const reviewer = await storeStaff(platform, { name: 'E. Aydın' });
const manager = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });
const administrator = await storeStaff(platform, { name: 'A. Admin', role: 'administrator' });

const orderOf = async (number: string) => needed(await orderByNumber(db, number));
const refundsFor = async (number: string) => refundsOfOrder(db, (await orderOf(number)).id);
const cancelledAt = async (id: string) =>
  (await insuranceDetailsOf(db, platform.sealer, id))?.cancelledAt;
const choice = (cause: RefundCause, ...applications: string[]) => ({
  cause,
  askedAt: platform.now(),
  applications,
});

/** A visa and an insurance in one paid order of 283.00. */
async function orderOfTwo() {
  const { application: visa } = await placeApplication(platform);
  const insurance = await placeInsurance(platform);
  const number = `TRG${randomUUID().slice(0, 13).toUpperCase()}`;
  const at = platform.now();
  const attemptId = randomUUID();
  await db.transaction(async (tx) => {
    const line = (applicationNumber: string, code: string, minor: number) => ({
      applicationNumber,
      code,
      detail: null,
      amount: usd(minor),
    });
    await insertOrder(
      tx,
      {
        number,
        language: 'en',
        customer: { name: 'Sofía Hernández Ruiz', email: visa.email },
        sessionHash: null,
        lines: [
          line(visa.number, 'evisa_fee', 69_00),
          line(visa.number, 'processing_fee', 25_00),
          line(insurance.number, 'insurance_plan', 189_00),
        ],
      },
      at,
    );
    await insertAttempt(tx, {
      id: attemptId,
      reference: number,
      amountMinor: 283_00,
      currency: 'USD',
      provider: 'card',
      state: 'redirected',
      createdAt: at,
      changedAt: at,
    });
    await changeAttempt(
      tx,
      { id: attemptId, from: 'redirected' },
      { state: 'completed', captureId: `C-${attemptId}`, completedAt: at },
    );
    await payOrder(tx, { number, attemptId, at });
  });
  await platform.pool.query(
    `update application set order_number = $1, paid_at = $2 where number = any ($3)`,
    [number, at, [visa.number, insurance.number]],
  );
  return { number, visa, insurance };
}

describe('rejecting an insurance', () => {
  test('opens the full refund of its premium in the same transaction', async () => {
    const insurance = await placeInsurance(platform, { dateOfBirth: '2012-02-29' });
    await payInsurance(platform, insurance);
    const asked = { applicationId: insurance.id, reason: 'No photo of the ID' };
    expect((await reject(platform, reviewer, asked)).ok).toBe(true);
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
    const asked = { applicationId: insurance.id, reason: 'No cover' };
    expect((await reject(platform, reviewer, asked)).ok).toBe(true);
    const [opened] = await refundsFor(number);
    expect(opened?.refund.applicationNumbers).toEqual([insurance.number]);
    const lines = await linesOfRefunds(db, [needed(opened).refund.id]);
    expect(lines.map(({ code, amountMinor, reason }) => [code, amountMinor, reason])).toEqual([
      ['insurance_plan', 189_00, 'premium_back'],
    ]);
  });

  test('that is unpaid opens none, nor does rejecting a visa', async () => {
    const insurance = await placeInsurance(platform);
    await reject(platform, reviewer, { applicationId: insurance.id, reason: 'No' });
    expect(await refundsFor(insurance.number)).toEqual([]);
    const visa = await storeCase(platform);
    await reject(platform, reviewer, { applicationId: visa.id, reason: 'Refused' });
    expect(await refundsFor(visa.number)).toEqual([]);
  });

  test('whose premium has gone back opens no second one', async () => {
    const insurance = await placeInsurance(platform, { dateOfBirth: '2012-02-29' });
    await payInsurance(platform, insurance);
    const order = await orderOf(insurance.number);
    const all = choice('not_submitted', insurance.number);
    expect((await refundOrder(platform, manager, order, { choice: all })).ok).toBe(true);
    const asked = { applicationId: insurance.id, reason: 'Paid back' };
    expect((await reject(platform, reviewer, asked)).ok).toBe(true);
    expect(await refundsFor(insurance.number)).toHaveLength(1);
  });
});

describe('cancelling one application of an order of two', () => {
  test('touches only its lines, and ends the cover that was paid back', async () => {
    const { number, visa, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const proposal = await propose(platform, order, choice('cancelled', insurance.number));
    expect(proposal).toMatchObject({ ok: true, value: { total: usd(170_10) } });
    const opened = await refundOrder(platform, reviewer, order, {
      choice: choice('cancelled', insurance.number),
    });
    expect(opened).toMatchObject({
      ok: true,
      value: {
        refund: { applicationNumbers: [insurance.number] },
        payment: { state: 'requested' },
      },
    });
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
    const rest = await propose(platform, order, choice('cancelled', visa.number));
    expect(rest).toMatchObject({ ok: true, value: { total: usd(25_00) } });
    const again = await propose(platform, order, choice('duplicate_payment', insurance.number));
    expect(again).toMatchObject({ ok: true, value: { total: usd(18_90) } });
  });

  test('for a mistake of ours leaves the cover as it is', async () => {
    const { number, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const proposal = await propose(platform, order, choice('our_error', insurance.number));
    if (!proposal.ok) throw new Error(proposal.error.code);
    const lineId = needed(proposal.value.lines[0]).line.id;
    const opened = await refundOrder(platform, manager, order, {
      choice: choice('our_error', insurance.number),
      amounts: new Map([[lineId, usd(20_00)]]),
      note: 'A wrong date on the certificate',
    });
    expect(opened.ok).toBe(true);
    expect(await cancelledAt(insurance.id)).toBeNull();
  });

  test('of another order is no application of this one', async () => {
    const { number } = await orderOfTwo();
    const other = await storeCase(platform);
    const refused = await propose(
      platform,
      await orderOf(number),
      choice('cancelled', other.number),
    );
    expect(refused).toMatchObject({ ok: false, error: { code: 'no_application' } });
  });
});

describe('a sum above 200.00', () => {
  const everything = async (staff: typeof reviewer) => {
    const { number, visa, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const opened = await refundOrder(platform, staff, order, {
      choice: choice('duplicate_payment', visa.number, insurance.number),
    });
    if (!opened.ok) throw new Error(opened.error.code);
    return { number, insurance, ...opened.value };
  };

  test('waits when a reviewer asks, and the cover ends with the release', async () => {
    const { refund, payment, insurance } = await everything(reviewer);
    expect(payment).toMatchObject({ state: 'held', amountMinor: 283_00 });
    expect(await cancelledAt(insurance.id)).toBeNull();
    expect(await release(platform, reviewer, refund.id)).toMatchObject({
      error: { code: 'forbidden' },
    });
    const released = await Promise.all([
      release(platform, manager, refund.id),
      release(platform, administrator, refund.id),
    ]);
    expect(released.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
  });

  test('goes at once when a manager asks', async () => {
    expect((await everything(manager)).payment.state).toBe('requested');
  });

  test('can be taken back by who asked or by a manager, not by another reviewer', async () => {
    const { refund, number } = await everything(reviewer);
    const other = await storeStaff(platform, { name: 'K. Demir' });
    expect((await withdraw(platform, other, refund.id)).ok).toBe(false);
    expect((await withdraw(platform, reviewer, refund.id)).ok).toBe(true);
    const left = await propose(platform, await orderOf(number), {
      ...choice('duplicate_payment'),
      applications: refund.applicationNumbers,
    });
    expect(left).toMatchObject({ ok: true, value: { total: usd(283_00) } });
  });

  test('waiting while its insurance is rejected: taken back, the premium goes back all the same', async () => {
    const { refund, number, insurance } = await everything(reviewer);
    const rejected = await reject(platform, manager, {
      applicationId: insurance.id,
      reason: 'No photo of the ID',
    });
    expect(rejected.ok).toBe(true);
    expect(await refundsFor(number)).toHaveLength(1);
    expect((await withdraw(platform, manager, refund.id)).ok).toBe(true);
    const refunds = await refundsFor(number);
    expect(refunds).toHaveLength(2);
    // Both are of one moment.
    expect(refunds.find(({ payment }) => payment.state !== 'withdrawn')).toMatchObject({
      refund: { cause: 'insurance_rejected', applicationNumbers: [insurance.number] },
      payment: { state: 'requested', amountMinor: 189_00 },
    });
  });
});

describe('a refund that the partner did not make', () => {
  const payments = { onRefunded: async () => undefined };
  const fail = (refundId: string) =>
    db.transaction((tx) =>
      applyWord(tx, payments, { refundId, at: platform.now() }, { event: 'fail', failure: 'no' }),
    );
  async function failed() {
    const { number, visa, insurance } = await orderOfTwo();
    const opened = await refundOrder(platform, manager, await orderOf(number), {
      choice: choice('duplicate_payment', visa.number, insurance.number),
    });
    if (!opened.ok) throw new Error(opened.error.code);
    await fail(opened.value.refund.id);
    return { number, visa, id: opened.value.refund.id };
  }

  test('is tried again by whoever may release, once however often it is pressed', async () => {
    const { number, id } = await failed();
    expect(await retry(platform, reviewer, id)).toMatchObject({ error: { code: 'forbidden' } });
    const pressed = await Promise.all([
      retry(platform, manager, id),
      retry(platform, administrator, id),
    ]);
    expect(pressed.map(({ ok }) => ok)).toEqual([true, true]);
    const refunds = await refundsFor(number);
    expect(refunds).toHaveLength(2);
    // Both are of one moment.
    const second = refunds.find(({ refund }) => refund.id !== id);
    expect(refunds.find(({ refund }) => refund.id === id)?.payment.state).toBe('failed');
    expect(second?.payment).toMatchObject({ state: 'requested', amountMinor: 283_00 });
    const lines = async (refundId = '') =>
      (await linesOfRefunds(db, [refundId])).map((line) => [line.orderLineId, line.amountMinor]);
    expect(await lines(second?.refund.id)).toEqual(await lines(id));
    expect(await retry(platform, manager, needed(second).refund.id)).toMatchObject({
      error: { code: 'not_failed' },
    });
  });

  test('and failed again is tried again', async () => {
    const { number, id } = await failed();
    const once = await retry(platform, manager, id);
    if (!once.ok) throw new Error(once.error.code);
    await fail(once.value.id);
    expect((await retry(platform, manager, once.value.id)).ok).toBe(true);
    expect(await refundsFor(number)).toHaveLength(3);
  });

  test('is not tried again where somebody else has taken what was left', async () => {
    const { number, visa, id } = await failed();
    const other = await refundOrder(platform, manager, await orderOf(number), {
      choice: choice('duplicate_payment', visa.number),
    });
    expect(other.ok).toBe(true);
    expect(await retry(platform, manager, id)).toMatchObject({ error: { code: 'exceeds' } });
    expect(await refundsFor(number)).toHaveLength(2);
  });
});

describe('a refund that takes back what was bought', () => {
  const caseOf = async (id: string) => needed(await applicationById(db, id));
  const openOnes = async () => {
    const filter = readFilter(new URLSearchParams('show=open'), 'visa', null);
    const { rows } = await queuePage(db, filter, { staffId: reviewer.id, now: platform.now() });
    return rows.map(({ number }) => number);
  };
  const give = async (number: string, cause: RefundCause, by = manager) => {
    const opened = await refundOrder(platform, by, await orderOf(number), {
      choice: choice(cause, number),
    });
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };

  test('closes the case in its own transaction: withdrawn, out of the queue, written down', async () => {
    const { id, number } = await storeCase(platform);
    expect(await openOnes()).toContain(number);
    const { refund } = await give(number, 'cancelled');
    expect(await caseOf(id)).toMatchObject({ status: 'rejected', rejectionCode: 'withdrawn' });
    expect(await openOnes()).not.toContain(number);
    const entries = await auditEntriesOf(db, { kind: 'application', id });
    expect(entries.at(-1)).toMatchObject({ action: 'rejected', detail: { refundId: refund.id } });
  });

  test.each(['missed_promise', 'our_error', 'overcharged', 'not_submitted'] as const)(
    'for %s leaves the case open',
    async (cause) => {
      const { id, number } = await storeCase(platform);
      const opened = await refundOrder(platform, manager, await orderOf(number), {
        choice: choice(cause, number),
        amounts: new Map(
          (await linesOf(db, (await orderOf(number)).id)).map((l) => [l.id, usd(1_00)]),
        ),
        note: 'Agreed on the telephone.',
      });
      expect(opened.ok).toBe(true);
      expect(await caseOf(id)).toMatchObject({ status: 'pending' });
    },
  );

  test('waits with the refund for its release, and meanwhile nobody approves', async () => {
    const { id, number } = await storeCase(platform);
    const small = { ...platform, config: { ...platform.config, refundManagerAbove: usd(1_00) } };
    const held = await refundOrder(small, reviewer, await orderOf(number), {
      choice: choice('cancelled', number),
    });
    if (!held.ok) throw new Error(held.error.code);
    expect(held.value.payment.state).toBe('held');
    expect(await caseOf(id)).toMatchObject({ status: 'pending' });
    for (const decide of [approve, startProcessing]) {
      expect(await decide(platform, reviewer, { applicationId: id })).toMatchObject({
        ok: false,
        error: { code: 'refunded' },
      });
    }
    expect((await release(platform, manager, held.value.refund.id)).ok).toBe(true);
    expect(await caseOf(id)).toMatchObject({ status: 'rejected', rejectionCode: 'withdrawn' });
  });

  test('that is withdrawn lets the case go on', async () => {
    const { id, number } = await storeCase(platform);
    const small = { ...platform, config: { ...platform.config, refundManagerAbove: usd(1_00) } };
    const held = await refundOrder(small, reviewer, await orderOf(number), {
      choice: choice('cancelled', number),
    });
    if (!held.ok) throw new Error(held.error.code);
    expect((await withdraw(platform, reviewer, held.value.refund.id)).ok).toBe(true);
    expect((await approve(platform, reviewer, { applicationId: id })).ok).toBe(true);
  });

  test('ends only its own line’s case of an order of several', async () => {
    const { number, visa, insurance } = await orderOfTwo();
    const opened = await refundOrder(platform, manager, await orderOf(number), {
      choice: choice('cancelled', insurance.number),
    });
    expect(opened.ok).toBe(true);
    expect(await caseOf(insurance.id)).toMatchObject({ rejectionCode: 'withdrawn' });
    expect(await cancelledAt(insurance.id)).not.toBeNull();
    expect(await caseOf(visa.id)).toMatchObject({ status: 'pending' });
    expect((await approve(platform, reviewer, { applicationId: visa.id })).ok).toBe(true);
  });

  test('leaves what is decided as it is', async () => {
    const { id, number } = await storeCase(platform);
    expect((await approve(platform, reviewer, { applicationId: id })).ok).toBe(true);
    await give(number, 'duplicate_payment');
    expect(await caseOf(id)).toMatchObject({ status: 'approved', rejectionCode: null });
  });
});
