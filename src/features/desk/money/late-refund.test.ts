import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { refused } from '~/base/outcome.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { returnLate } from '~/features/payment/settlement/settle.server.ts';
import { advanceRefund } from '~/features/payment/settlement/refund.server.ts';
import { refundsOf } from '~/features/payment/settlement/refund-store.server.ts';
import { attemptById } from '~/features/payment/settlement/store.server.ts';
import { partner } from '~/features/payment/testing/refunds.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const { db } = platform;
const manager = await storeStaff(platform, { role: 'manager' });
const reviewer = await storeStaff(platform);

/** A second payment for a paid order, whose refund the provider has refused. */
async function refusedReturn() {
  const { number } = await makeApplication(platform);
  const at = platform.now();
  const attemptId = await db.transaction(async (tx) => {
    const id = randomUUID();
    const late = {
      state: 'captured_late',
      providerReference: `P-${id}`,
      captureId: `C-${id}`,
    } as const;
    await storeAttempt(tx, { number, amountMinor: 94_00 }, at, { id, ...late });
    await returnLate(tx, id, at);
    return id;
  });
  const refunds = () => refundsOf(db, [attemptId]);
  const [first] = await refunds();
  if (!first) throw new Error('Nothing was asked for');
  const refusing = partner({
    refund: async () => refused({ code: 'refused', message: 'card_account_closed' }),
  });
  await advanceRefund(platform, refusing.payments, first.id);
  return { number, attemptId, refundId: first.id, refunds };
}

const page = async (number: string, { cookie }: { cookie: string }) =>
  (await app.request(`/en/admin/orders/${number}`, { headers: { cookie } })).text();
const press = (number: string, refund: string, { cookie }: { cookie: string }) => {
  // Refunds are sorted by time.
  platform.clock.advance(1000);
  return app.request(`/en/admin/orders/${number}`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ intent: 'retry', refund }),
  });
};

test('a second payment that did not go back is tried again by a manager, once, and goes back whole', async () => {
  const { number, attemptId, refundId, refunds } = await refusedReturn();
  const before = await page(number, manager);
  expect(before).toContain('card_account_closed');
  expect(before).toContain(`name="refund" value="${refundId}"`);
  const presses = await Promise.all([
    press(number, refundId, manager),
    press(number, refundId, manager),
  ]);
  for (const response of presses) {
    expect(response.headers.get('location')).toContain('done=retried');
  }
  const [first, again, ...more] = await refunds();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ id: refundId, state: 'failed' });
  expect(again).toMatchObject({
    amountMinor: 94_00,
    reason: 'paid_twice',
    requestedBy: manager.id,
    state: 'requested',
  });
  const trail = await auditEntriesOf(db, { kind: 'refund', id: again?.id ?? '' });
  expect(trail).toMatchObject([{ action: 'refund_opened', staffId: manager.id }]);

  // The provider gets an id that it has not refused.
  const willing = partner();
  await advanceRefund(platform, willing.payments, again?.id ?? '');
  expect(willing.books).toEqual(new Map([[again?.id, 94_00]]));
  expect(await attemptById(db, attemptId)).toMatchObject({
    refundedMinor: 94_00,
    claimedMinor: 94_00,
    state: 'refunded',
  });
  expect(await page(number, manager)).not.toContain('value="retry"');
});

test('nobody tries again what has not failed, nor without the right to', async () => {
  const { number, refundId, refunds } = await refusedReturn();
  expect(await page(number, reviewer)).not.toContain('value="retry"');
  expect((await press(number, refundId, reviewer)).status).toBe(403);
  expect(await refunds()).toHaveLength(1);
  await press(number, refundId, manager);
  const [, again] = await refunds();
  expect((await press(number, again?.id ?? '', manager)).status).toBe(409);
  expect(await refunds()).toHaveLength(2);
  expect((await press(number, randomUUID(), manager)).status).toBe(409);
});

test('what is tried again and fails can be tried again', async () => {
  const { number, refundId, refunds } = await refusedReturn();
  await press(number, refundId, manager);
  const [, again] = await refunds();
  const refusing = partner({ refund: async () => refused({ code: 'refused', message: 'no' }) });
  await advanceRefund(platform, refusing.payments, again?.id ?? '');
  const html = await page(number, manager);
  expect(html.match(/value="retry"/g)).toHaveLength(1);
  await press(number, again?.id ?? '', manager);
  const all = await refunds();
  expect(all.map(({ state }) => state)).toEqual(['failed', 'failed', 'requested']);
  expect(usd(all[2]?.amountMinor ?? 0)).toEqual(usd(94_00));
});
