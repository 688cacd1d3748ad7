import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ok, refused } from '~/base/outcome.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import type { Provider } from '../provider.ts';
import { claim, refundById } from './refund-store.server.ts';
import { advanceRefund } from './refund.server.ts';
import { sweepRefunds } from './sweep.server.ts';
import { quietProvider } from '../testing/quiet-provider.ts';
import { CAPTURE, partner, makeRefunds } from '../testing/refunds.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const MINUTE = 60_000;
const { captured, request, requested, attempt, state, alertsOf } = makeRefunds(platform);

describe('a refund', () => {
  it('of a part leaves the rest paid, and a second part makes it whole', async () => {
    const { payments, done } = partner();
    const id = await captured();
    const first = await requested(id, 25_00);
    expect(await attempt(id)).toMatchObject({ claimedMinor: 25_00, refundedMinor: 0 });
    await advanceRefund(platform, payments, first);
    expect(await attempt(id)).toMatchObject({ state: 'partially_refunded', refundedMinor: 25_00 });
    expect(await refundById(db, first)).toMatchObject({
      state: 'completed',
      providerRefundId: `RF-${first}`,
      askAt: null,
    });
    const second = await requested(id, 20_00);
    await advanceRefund(platform, payments, second);
    expect(await attempt(id)).toMatchObject({ state: 'partially_refunded', refundedMinor: 45_00 });
    const rest = await requested(id, 49_00);
    await advanceRefund(platform, payments, rest);
    expect(await attempt(id)).toMatchObject({ state: 'refunded', refundedMinor: CAPTURE });
    expect(done).toEqual([first, second, rest]);
  });

  it('is only made of what is left, and of money that is held', async () => {
    const id = await captured();
    await requested(id, 60_00);
    expect(await request(id, 34_01)).toEqual(refused({ code: 'exceeds', availableMinor: 34_00 }));
    expect(await request(id, 0)).toMatchObject({ error: { code: 'exceeds' } });
    expect(await request(randomUUID(), 1)).toEqual(refused({ code: 'not_refundable' }));
    const late = await captured('captured_late');
    expect(await request(late, 1_00)).toEqual(refused({ code: 'not_refundable' }));
    expect((await request(late, CAPTURE)).ok).toBe(true);
  });

  it('racing with another for one capture leaves one of them', async () => {
    const id = await captured();
    const outcomes = await Promise.all([60_00, 60_00, 60_00].map((minor) => request(id, minor)));
    expect(outcomes.filter(({ ok: isOk }) => isOk)).toHaveLength(1);
    expect(await attempt(id)).toMatchObject({ claimedMinor: 60_00 });
  });

  it('beyond the capture is refused by the database itself', async () => {
    const id = await captured();
    await requested(id, 60_00);
    const forced = db.transaction((tx) => claim(tx, id, 34_01));
    await expect(forced).rejects.toThrow();
  });

  it('refused by the provider fails, frees its part and raises an alert', async () => {
    const no = { code: 'refused', message: 'Refund refused: 422' } as const;
    const { payments, done } = partner({ refund: async () => refused(no) });
    const id = await captured();
    const refund = await requested(id, 94_00);
    await advanceRefund(platform, payments, refund);
    expect(await refundById(db, refund)).toMatchObject({ state: 'failed', failure: no.message });
    expect(await attempt(id)).toMatchObject({ state: 'completed', claimedMinor: 0 });
    expect(await alertsOf(id)).toEqual(['refund_failed']);
    expect(done).toEqual([]);
    expect((await request(id, 94_00)).ok).toBe(true);
  });

  it('without an answer is sent again under the same id, and is made once', async () => {
    const { payments, books, calls, made } = partner();
    const [working] = payments.providers;
    const losing = {
      ...payments,
      providers: [
        quietProvider({
          refund: async (refund) => {
            await working?.refund(refund);
            return refused({ code: 'no_answer', message: 'timeout' });
          },
        }),
      ],
    };
    const id = await captured();
    const refund = await requested(id, 25_00);
    await expect(advanceRefund(platform, losing, refund)).rejects.toThrow(/no answer/);
    expect(await state(refund)).toBe('sent');
    expect(await attempt(id)).toMatchObject({ refundedMinor: 0, claimedMinor: 25_00 });
    await advanceRefund(platform, payments, refund);
    expect(calls).toEqual([refund, refund]);
    expect([...books]).toEqual([[refund, 25_00]]);
    expect(await refundById(db, refund)).toMatchObject({
      state: 'completed',
      providerRefundId: made(refund).providerRefundId,
    });
    expect(await attempt(id)).toMatchObject({ refundedMinor: 25_00 });
  });

  it('after a crash between the provider and our commit is completed once by the repetition', async () => {
    const { payments, done, books } = partner();
    const crashing = {
      ...payments,
      onRefunded: () => Promise.reject(new Error('the process ended here')),
    };
    const id = await captured();
    const refund = await requested(id, 25_00);
    await expect(advanceRefund(platform, crashing, refund)).rejects.toThrow('ended here');
    expect(await state(refund)).toBe('sent');
    expect(await attempt(id)).toMatchObject({ state: 'completed', refundedMinor: 0 });
    await Promise.all([1, 2, 3].map(() => advanceRefund(platform, payments, refund)));
    expect(done).toEqual([refund]);
    expect(books.size).toBe(1);
    expect(await attempt(id)).toMatchObject({ state: 'partially_refunded', refundedMinor: 25_00 });
  });
});

describe('a refund that the provider has not finished', () => {
  const slow = () => {
    const made = partner();
    let stands: Awaited<ReturnType<Provider['askRefund']>> = 'no_answer';
    const provider = quietProvider({
      refund: async ({ refundId }) => ok(made.made(refundId, 'pending')),
      askRefund: async () => stands,
    });
    const payments = { ...made.payments, providers: [provider] };
    return { ...made, payments, say: (answer: typeof stands) => void (stands = answer) };
  };

  it('is asked about by the sweep until it is decided', async () => {
    const { payments, say, made } = slow();
    const id = await captured();
    const refund = await requested(id, 25_00);
    await advanceRefund(platform, payments, refund);
    for (const answer of ['no_answer', made(refund, 'pending')] as const) {
      say(answer);
      platform.clock.advance(2 * 60 * MINUTE);
      await sweepRefunds(platform, payments);
      expect(await state(refund)).toBe('pending');
    }
    say(made(refund, 'completed'));
    platform.clock.advance(2 * 60 * MINUTE);
    await sweepRefunds(platform, payments);
    expect(await state(refund)).toBe('completed');
    expect(await attempt(id)).toMatchObject({ refundedMinor: 25_00 });
  });

  it('fails on the provider’s word', async () => {
    const { payments, say, made } = slow();
    const id = await captured();
    const refund = await requested(id, 25_00);
    await advanceRefund(platform, payments, refund);
    say(made(refund, 'failed'));
    await advanceRefund(platform, payments, refund);
    expect(await state(refund)).toBe('failed');
    expect(await attempt(id)).toMatchObject({ state: 'completed', claimedMinor: 0 });
    expect(await alertsOf(id)).toEqual(['refund_failed']);
  });

  it('and whose job never ran is brought further by the sweep', async () => {
    const { payments, done } = partner();
    const refund = await requested(await captured(), 25_00);
    platform.clock.advance(3 * MINUTE);
    await sweepRefunds(platform, payments);
    expect(done).toContain(refund);
  });
});
