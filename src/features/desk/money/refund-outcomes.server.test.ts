import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { linesOfRefunds, returnedOf } from '~/features/order/refunds/order-refund-store.server.ts';
import type { RefundCause } from '~/features/order/refund-cause.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { applyWord } from '~/features/payment/settlement/refund.server.ts';
import { draft } from '../application/draft.server.ts';
import { decide } from '../application/decide.server.ts';
import { readFilter } from '../queue/list-filter.ts';
import { queuePage } from '../queue/queue.server.ts';
import { refundOrder, release, retry, withdraw } from './refunds.server.ts';
import { refundOrders } from '../application/testing/refund-orders.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication } from '../../../../test/make.ts';

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
} = await refundOrders();

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
    // Both have the same moment.
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

  test('is still owed: the status page says that it is being refunded until it is', async () => {
    const { number, visa, id } = await failed();
    const owed = async () => (await returnedOf(db, [visa.number])).get(visa.number);
    const all = { done: usd(0), coming: usd(94_00) };
    expect(await owed()).toEqual(all);
    const again = await retry(platform, manager, id);
    if (!again.ok) throw new Error(again.error.code);
    expect(await owed()).toEqual(all);
    await fail(again.value.id);
    expect(await owed()).toEqual(all);
    const other = await refundOrder(platform, manager, await orderOf(number), {
      choice: choice('duplicate_payment', visa.number),
    });
    if (!other.ok) throw new Error(other.error.code);
    expect(await owed()).toEqual(all);
    await db.transaction((tx) =>
      applyWord(
        tx,
        payments,
        { refundId: other.value.refund.id, at: platform.now() },
        { event: 'complete' },
      ),
    );
    expect(await owed()).toEqual({ done: usd(94_00), coming: usd(0) });
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
    const { id, number } = await makeApplication(platform);
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
      const { id, number } = await makeApplication(platform);
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
    const { id, number } = await makeApplication(platform);
    const small = { ...platform, config: { ...platform.config, refundManagerAbove: usd(1_00) } };
    const held = await refundOrder(small, reviewer, await orderOf(number), {
      choice: choice('cancelled', number),
    });
    if (!held.ok) throw new Error(held.error.code);
    expect(held.value.payment.state).toBe('held');
    const found = await caseOf(id);
    expect(found).toMatchObject({ status: 'pending' });
    const refusal = { ok: false, error: { code: 'refunded' } };
    for (const kind of ['approve', 'start_processing'] as const) {
      expect(await decide(platform, reviewer, { kind, applicationId: id })).toMatchObject(refusal);
    }
    expect(await draft(platform, reviewer, found, { kind: 'approve' })).toEqual(refusal);
    expect((await release(platform, manager, held.value.refund.id)).ok).toBe(true);
    expect(await caseOf(id)).toMatchObject({ status: 'rejected', rejectionCode: 'withdrawn' });
  });

  test('that is withdrawn lets the case go on', async () => {
    const { id, number } = await makeApplication(platform);
    const small = { ...platform, config: { ...platform.config, refundManagerAbove: usd(1_00) } };
    const held = await refundOrder(small, reviewer, await orderOf(number), {
      choice: choice('cancelled', number),
    });
    if (!held.ok) throw new Error(held.error.code);
    expect((await withdraw(platform, reviewer, held.value.refund.id)).ok).toBe(true);
    expect((await decide(platform, reviewer, { kind: 'approve', applicationId: id })).ok).toBe(
      true,
    );
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
    expect((await decide(platform, reviewer, { kind: 'approve', applicationId: visa.id })).ok).toBe(
      true,
    );
  });

  test('leaves what is decided as it is', async () => {
    const { id, number } = await makeApplication(platform);
    expect((await decide(platform, reviewer, { kind: 'approve', applicationId: id })).ok).toBe(
      true,
    );
    await give(number, 'duplicate_payment');
    expect(await caseOf(id)).toMatchObject({ status: 'approved', rejectionCode: null });
  });
});
