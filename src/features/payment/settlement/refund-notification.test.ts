import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import { refused } from '~/base/outcome.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import type { ProviderRefundEvent } from '../provider.ts';
import { settleRefund } from './refund-notification.server.ts';
import { releaseRefund, withdrawRefund } from './refund-request.server.ts';
import { refundById } from './refund-store.server.ts';
import { advanceRefund } from './refund.server.ts';
import { eventsFor } from './store.server.ts';
import { sweepRefunds } from './sweep.server.ts';
import { partner, makeRefunds } from '../testing/refunds.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const MINUTE = 60_000;
const { captured, request, requested, attempt, state, alertsOf } = makeRefunds(platform);

describe('a notification about a refund', () => {
  const refundEvent = (
    attemptId: string,
    more: Partial<ProviderRefundEvent>,
  ): ProviderRefundEvent => ({
    eventId: randomUUID(),
    providerRefundId: `RF-${randomUUID()}`,
    refundId: null,
    captureId: `C-${attemptId}`,
    state: 'completed',
    amount: usd(25_00),
    payload: {},
    ...more,
  });

  it('completes ours, once, however often it is delivered and in whichever order', async () => {
    const { payments, done } = partner();
    const id = await captured();
    const refundId = await requested(id, 25_00);
    const providerEvent = refundEvent(id, { refundId });
    const pending = refundEvent(id, { refundId, state: 'pending' });
    const tell = (word: ProviderRefundEvent) => settleRefund(platform, 'card', word, payments);
    const settled = await Promise.all([
      tell(providerEvent),
      tell(providerEvent),
      tell(providerEvent),
    ]);
    expect(settled.toSorted()).toEqual(['duplicate', 'duplicate', 'moved']);
    expect(await tell(pending)).toBe('ignored');
    await advanceRefund(platform, payments, refundId);
    expect(done).toEqual([refundId]);
    expect(await attempt(id)).toMatchObject({ refundedMinor: 25_00, state: 'partially_refunded' });
    expect((await eventsFor(db, id)).map(({ event }) => event).toSorted()).toEqual([
      'refund_completed',
      'refund_pending',
    ]);
  });

  it('with another amount changes nothing and raises an alert', async () => {
    const { payments } = partner();
    const id = await captured();
    const refundId = await requested(id, 25_00);
    const providerEvent = refundEvent(id, { refundId, amount: usd(26_00) });
    expect(await settleRefund(platform, 'card', providerEvent, payments)).toBe('wrong_amount');
    expect(await state(refundId)).toBe('requested');
    expect(await alertsOf(id)).toEqual(['wrong_amount']);
  });

  it('about money given back by hand is kept and raises an alert', async () => {
    const { payments } = partner();
    const id = await captured();
    expect(await settleRefund(platform, 'card', refundEvent(id, {}), payments)).toBe('by_hand');
    expect(await alertsOf(id)).toEqual(['unknown_refund']);
    expect(await eventsFor(db, id)).toMatchObject([{ result: 'by_hand' }]);
    expect(await attempt(id)).toMatchObject({ state: 'completed', refundedMinor: 0 });
  });

  it('about a capture that is not ours is kept, raises an alert and is not acknowledged', async () => {
    const { payments } = partner();
    const providerEvent = refundEvent(randomUUID(), { refundId: randomUUID() });
    expect(await settleRefund(platform, 'card', providerEvent, payments)).toBe('unknown_reference');
    expect(await settleRefund(platform, 'card', providerEvent, payments)).toBe('unknown_reference');
  });

  it('that a completed refund failed after all raises an alert', async () => {
    const { payments } = partner();
    const id = await captured();
    const refundId = await requested(id, 25_00);
    await advanceRefund(platform, payments, refundId);
    const providerEvent = refundEvent(id, { refundId, state: 'failed' });
    expect(await settleRefund(platform, 'card', providerEvent, payments)).toBe('ignored');
    expect(await alertsOf(id)).toEqual(['refund_failed']);
    expect(await state(refundId)).toBe('completed');
  });
});

describe('a held refund', () => {
  const held = async (attemptId: string, requestedBy: string) => {
    const outcome = await request(attemptId, 60_00, { hold: true, requestedBy });
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value.id;
  };
  const [one, other] = [randomUUID(), randomUUID()];
  const released = (refundId: string, by: string) =>
    db.transaction((tx) => releaseRefund(tx, { refundId, by, at: platform.now() }));

  it('claims its part, is not sent, and continues once somebody else releases it', async () => {
    const { payments, calls } = partner();
    const id = await captured();
    const refund = await held(id, one);
    expect((await request(id, 60_00)).ok).toBe(false);
    platform.clock.advance(24 * 60 * MINUTE);
    await sweepRefunds(platform, payments);
    await advanceRefund(platform, payments, refund);
    expect(calls).not.toContain(refund);
    expect(await released(refund, one)).toEqual(refused({ code: 'own' }));
    const outcomes = await Promise.all([released(refund, other), released(refund, other)]);
    expect(outcomes.filter(({ ok: isOk }) => isOk)).toHaveLength(1);
    await advanceRefund(platform, payments, refund);
    expect(await refundById(db, refund)).toMatchObject({ state: 'completed', releasedBy: other });
  });

  it('frees its part when it is withdrawn', async () => {
    const id = await captured();
    const refund = await held(id, one);
    const withdraw = () =>
      db.transaction((tx) => withdrawRefund(tx, { refundId: refund, by: one, at: platform.now() }));
    expect((await withdraw()).ok).toBe(true);
    expect(await withdraw()).toEqual(refused({ code: 'not_held' }));
    expect(await released(refund, other)).toEqual(refused({ code: 'not_held' }));
    expect(await attempt(id)).toMatchObject({ claimedMinor: 0 });
  });
});
