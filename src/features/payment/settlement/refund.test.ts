import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ok, refused } from '~/base/outcome.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import type { Provider, ProviderRefundEvent } from '../provider.ts';
import { claimCapture, refundById, refundsByAttempts } from './refund-store.server.ts';
import { advanceRefund } from './refund.server.ts';
import { sweepRefunds } from './sweep.server.ts';
import { quietProvider, CAPTURE, partner, makeRefunds } from '../testing/refunds.ts';
import fc from 'fast-check';
import { usd } from '~/base/money.ts';
import { settleRefund } from './refund-notification.server.ts';
import { releaseRefund, withdrawRefund } from './refund-request.server.ts';
import { eventsByAttempt } from './store.server.ts';

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
    const forced = db.transaction((tx) => claimCapture(tx, id, 34_01));
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

describe('refund sequences', async () => {
  const platform = await makeTestPlatform();
  const { db } = platform;
  const { captured, request, attempt } = makeRefunds(platform);

  describe('any sequence of requests and answers', () => {
    const step = fc.oneof(
      fc.record({
        act: fc.constant('request' as const),
        minor: fc.integer({ min: 1, max: 60_00 }),
      }),
      fc.record({
        act: fc.constantFrom('complete', 'fail', 'lose'),
        which: fc.nat({ max: 5 }),
      }),
    );

    it('never gives back more than the capture, and the ledger adds up', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
          const id = await captured();
          const { payments, books } = partner();
          const failing = {
            ...payments,
            providers: [
              quietProvider({ refund: async () => refused({ code: 'refused', message: 'no' }) }),
            ],
          };
          const silent = {
            ...payments,
            providers: [
              quietProvider({ refund: async () => refused({ code: 'no_answer', message: '' }) }),
            ],
          };
          const refunds: string[] = [];
          for (const one of steps) {
            if (one.act === 'request') {
              const outcome = await request(id, one.minor);
              if (outcome.ok) refunds.push(outcome.value.id);
            } else {
              const refund = refunds[one.which % Math.max(1, refunds.length)];
              if (!refund) continue;
              const how = { complete: payments, fail: failing, lose: silent }[one.act];
              await advanceRefund(platform, how, refund).catch(() => undefined);
            }
            const { refundedMinor, claimedMinor } = await attempt(id);
            const ledger = await refundsByAttempts(db, [id]);
            const sum = (states: string[]) =>
              ledger
                .filter(({ state: its }) => states.includes(its))
                .reduce((total, { amountMinor }) => total + amountMinor, 0);
            expect(refundedMinor).toBe(sum(['completed']));
            expect(claimedMinor).toBe(sum(['completed', 'requested', 'sent', 'pending', 'held']));
            expect(claimedMinor).toBeLessThanOrEqual(CAPTURE);
          }
          const back = [...books.values()].reduce((total, minor) => total + minor, 0);
          expect(back).toBe((await attempt(id)).refundedMinor);
        }),
        { numRuns: 25 },
      );
    });
  });
});

describe('refund notification', async () => {
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
      expect(await attempt(id)).toMatchObject({
        refundedMinor: 25_00,
        state: 'partially_refunded',
      });
      expect((await eventsByAttempt(db, id)).map(({ event }) => event).toSorted()).toEqual([
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
      expect(await eventsByAttempt(db, id)).toMatchObject([{ result: 'by_hand' }]);
      expect(await attempt(id)).toMatchObject({ state: 'completed', refundedMinor: 0 });
    });

    it('about a capture that is not ours is kept, raises an alert and is not acknowledged', async () => {
      const { payments } = partner();
      const providerEvent = refundEvent(randomUUID(), { refundId: randomUUID() });
      expect(await settleRefund(platform, 'card', providerEvent, payments)).toBe(
        'unknown_reference',
      );
      expect(await settleRefund(platform, 'card', providerEvent, payments)).toBe(
        'unknown_reference',
      );
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
        db.transaction((tx) =>
          withdrawRefund(tx, { refundId: refund, by: one, at: platform.now() }),
        );
      expect((await withdraw()).ok).toBe(true);
      expect(await withdraw()).toEqual(refused({ code: 'not_held' }));
      expect(await released(refund, other)).toEqual(refused({ code: 'not_held' }));
      expect(await attempt(id)).toMatchObject({ claimedMinor: 0 });
    });
  });
});
