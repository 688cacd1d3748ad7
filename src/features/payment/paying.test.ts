import { describe, expect, it } from 'vitest';
import { startTestService } from '../../../test/service.ts';
import { EXPIRY_MS } from './settlement/sweep.server.ts';
import { scene, PRICE } from './testing/scene.ts';
import { stages, type RecordedNotification, type CallFault } from './testing/stages.ts';
import { eventsByAttempt } from './settlement/store.server.ts';
import { usd } from '~/base/money.ts';
import { requestRefund } from './settlement/refund-request.server.ts';
import { advanceRefund } from './settlement/refund.server.ts';

const service = await startTestService();
const EXPIRY_HOURS = EXPIRY_MS / 3600_000;

describe.each(stages)('paying by %s', (_, makeStage) => {
  const stage = makeStage(service);
  const {
    place,
    begin,
    comeBack,
    stateOf,
    wait,
    attempt,
    alertsOf,
    expectPaidOnce,
    expectUnpaid,
    expectBooksAgree,
  } = scene(service, stage);

  it('is settled by the return alone', async () => {
    const order = await place();
    const id = await begin(order);
    expect(await comeBack(await stage.approve(id))).toMatch(/^\/payment-success\?/);
    await expectPaidOnce(order);
    await expectBooksAgree(order);
    expect((await attempt(id)).captureId).not.toBeNull();
  });

  it('is settled by notifications alone', async () => {
    const order = await place();
    await stage.approve(await begin(order));
    await expectUnpaid(order);
    await service.runJobs();
    await expectPaidOnce(order);
    await expectBooksAgree(order);
  });

  it('is settled by the sweep alone, when neither return nor notification arrived', async () => {
    const order = await place();
    await stage.approve(await begin(order));
    await wait(3);
    await expectPaidOnce(order);
    await expectBooksAgree(order);
  });

  it('stays settled once, whatever arrives afterwards and in the same instant', async () => {
    const order = await place();
    const id = await begin(order);
    const address = await stage.approve(id);
    await Promise.all([comeBack(address), service.runJobs(), comeBack(address)]);
    const word = await stage.lastWord(id);
    expect(await Promise.all([word.send(), word.send()])).toEqual([200, 200]);
    await wait(10, 2);
    await expectPaidOnce(order);
    await expectBooksAgree(order);
  });

  it('declined leaves the order unpaid, and a second try pays it', async () => {
    const order = await place();
    const first = await begin(order);
    expect(await comeBack(await stage.decline(first))).toMatch(/^\/payment-cancel\?/);
    expect(await stateOf(first)).toBe('failed');
    await expectUnpaid(order);
    const second = await begin(order);
    expect(second).not.toBe(first);
    await comeBack(await stage.approve(second));
    await expectPaidOnce(order);
    await expectBooksAgree(order);
  });

  it('cancelled leads back to the same unpaid order', async () => {
    const order = await place();
    const first = await begin(order);
    expect(await comeBack(await stage.cancel(first))).toMatch(/^\/payment-cancel\?/);
    expect(await stateOf(first)).toBe('cancelled');
    await expectUnpaid(order);
    await comeBack(await stage.approve(await begin(order)));
    await expectPaidOnce(order);
    await expectBooksAgree(order);
  });

  it('abandoned expires after a day and takes nothing', async () => {
    const order = await place();
    const id = await begin(order);
    await wait(60, EXPIRY_HOURS - 1);
    expect(await stateOf(id)).not.toBe('expired');
    await wait(60, 3);
    expect(await stateOf(id)).toBe('expired');
    await expectUnpaid(order);
    expect(await stage.money(id)).toEqual({ captured: 0, refunded: 0 });
  });

  it('late, after it was cancelled here, still pays the unpaid order', async () => {
    const order = await place();
    const id = await begin(order);
    await comeBack(await stage.cancel(id));
    await stage.captureAfterAll(id);
    await service.runJobs();
    await expectPaidOnce(order);
    await expectBooksAgree(order);
  });

  it('late, after it expired here, still pays the unpaid order', async () => {
    const order = await place();
    const id = await begin(order);
    await wait(60, EXPIRY_HOURS + 2);
    expect(await stateOf(id)).toBe('expired');
    await stage.captureAfterAll(id);
    await service.runJobs();
    await expectPaidOnce(order);
    await expectBooksAgree(order);
  });

  it('late, after another attempt had paid, is refunded completely', async () => {
    const order = await place();
    const first = await begin(order);
    await comeBack(await stage.cancel(first));
    const second = await begin(order);
    await comeBack(await stage.approve(second));
    await stage.captureAfterAll(first);
    await service.runJobs();
    await wait(10);
    await expectPaidOnce(order);
    expect(await stateOf(first)).toBe('refunded');
    expect(await stateOf(second)).toBe('completed');
    expect(await alertsOf(first)).toContain('paid_twice');
    expect(await stage.money(first)).toEqual({ captured: 94_00, refunded: 94_00 });
    await expectBooksAgree(order);
  });

  it('with less than was asked pays nothing, however often it is said, and raises an alert', async () => {
    const order = await place();
    const id = await begin(order);
    await stage.captureTooLittle(id);
    await service.runJobs();
    await service.runJobs();
    await expectUnpaid(order);
    expect(await alertsOf(id)).toEqual(['wrong_amount']);
  });
});

describe('words', async () => {
  const service = await startTestService();
  const { db } = service.platform;

  function orders<T>(items: readonly T[]): T[][] {
    if (items.length === 0) return [[]];
    return items.flatMap((item, index) =>
      orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
    );
  }

  describe.each(stages)('what %s says', (_, makeStage) => {
    const stage = makeStage(service);
    const { place, begin, comeBack, stateOf, expectPaidOnce, expectUnpaid, expectBooksAgree } =
      scene(service, stage);

    it('in any order ends in one paid order', async () => {
      const { length } = await stage.story(await begin(await place()));
      for (const sequence of orders(Array.from({ length }, (__, index) => index))) {
        const order = await place();
        const words = await stage.story(await begin(order));
        for (const index of sequence) await words[index]?.send();
        await expectPaidOnce(order);
        await expectBooksAgree(order);
      }
    });

    it('doubled, backwards and all at once ends in one paid order, each event kept once', async () => {
      const order = await place();
      const id = await begin(order);
      const words = await stage.story(id);
      const doubled = [...words, ...words].toReversed();
      await Promise.all(doubled.map((word) => word.send()));
      await expectPaidOnce(order);
      await expectBooksAgree(order);
      const kept = await eventsByAttempt(db, id);
      expect(new Set(kept.map(({ eventId }) => eventId)).size).toBe(kept.length);
    });

    it.each(['unsigned', 'wrong_signature'] as const)(
      'changes nothing while it is %s, and is believed once it is genuine',
      async (forged) => {
        const order = await place();
        const id = await begin(order);
        await stage.captureAfterAll(id);
        const word: RecordedNotification = await stage.lastWord(id);
        expect(await word.send(forged)).toBe(400);
        await expectUnpaid(order);
        expect(await eventsByAttempt(db, id)).toEqual([]);
        expect(await word.send()).toBe(200);
        await expectPaidOnce(order);
      },
    );

    it('with a decline does not undo a capture', async () => {
      const order = await place();
      const id = await begin(order);
      const words = await stage.story(id);
      for (const word of words.toReversed()) await word.send();
      expect(await stateOf(id)).toBe('completed');
    });

    it('is not replaced by an address that a browser was merely given', async () => {
      const order = await place();
      const id = await begin(order);
      const claim = new URLSearchParams({ status: 'completed', payment: id, order: order.number });
      const location = await comeBack(`${service.url}/api/payment/return/${stage.name}?${claim}`);
      expect(location).toMatch(/^\/payment-cancel/);
      await expectUnpaid(order);
    });
  });
});

describe('answers', async () => {
  const service = await startTestService();
  const EXPIRY_HOURS = EXPIRY_MS / 3600_000;
  const faults: readonly CallFault[] = ['error', 'lost', 'reset'];

  describe.each(stages)('an answer of %s', (_, makeStage) => {
    const stage = makeStage(service);
    const { place, begin, failToBegin, comeBack, stateOf, wait, expectPaidOnce, expectUnpaid } =
      scene(service, stage);
    const { expectBooksAgree } = scene(service, stage);

    describe.each(faults)('with fault: %s', (how) => {
      it('to the start decides nothing, and a second try pays once', async () => {
        const order = await place();
        await stage.fault('begin', how);
        const lost = await failToBegin(order);
        expect(await stateOf(lost)).toBe('created');
        await comeBack(await stage.approve(await begin(order)));
        await wait(60, EXPIRY_HOURS + 2);
        expect(await stateOf(lost)).toBe('expired');
        await expectPaidOnce(order);
        await expectBooksAgree(order);
      });

      it('to a question decides nothing, and it is asked again', async () => {
        const order = await place();
        const id = await begin(order);
        await stage.approve(id);
        await stage.fault('ask', how);
        await wait(3);
        await expectUnpaid(order);
        expect(await stateOf(id)).toBe('redirected');
        await wait(10);
        await expectPaidOnce(order);
        await expectBooksAgree(order);
      });

      it.runIf(stage.faultCapture)('to the capture takes the money once', async () => {
        const order = await place();
        const id = await begin(order);
        const address = await stage.approve(id);
        await stage.faultCapture?.(how);
        await comeBack(address);
        await service.runJobs();
        await wait(10, 2);
        await expectPaidOnce(order);
        await expectBooksAgree(order);
      });
    });

    it('that does not come for two days decides nothing, and then settles', async () => {
      const order = await place();
      const id = await begin(order);
      await stage.approve(id);
      await service.goAway();
      await wait(240, 12);
      expect(await stateOf(id)).toBe('redirected');
      await service.comeBack();
      await wait(120);
      await expectPaidOnce(order);
      await expectBooksAgree(order);
    });

    it('leaves the traveller at “confirming” when nothing can be asked, never at “failed”', async () => {
      const order = await place();
      const id = await begin(order);
      const address = await stage.approve(id);
      const bare = new URL(address);
      bare.searchParams.delete('payload');
      await stage.fault('ask', 'error');
      expect(await comeBack(bare.href)).toMatch(/^\/payment-success\?/);
      expect(await stateOf(id)).toBe('redirected');
      await wait(10);
      await expectPaidOnce(order);
    });
  });
});

describe('refunds', async () => {
  const service = await startTestService();
  const { platform, payments } = service;

  describe.each(stages)('a refund by %s', (_, makeStage) => {
    const stage = makeStage(service);
    const { place, begin, comeBack, stateOf, wait, attempt, alertsOf, refund, refundOf, provider } =
      scene(service, stage);

    async function paid() {
      const order = await place();
      const id = await begin(order);
      await comeBack(await stage.approve(id));
      return id;
    }
    const asked = async (id: string) => {
      const { providerReference, captureId } = await attempt(id);
      return { id, providerReference, captureId: captureId ?? '' };
    };

    it('of the whole gives the whole back', async () => {
      const id = await paid();
      const refundId = await refund(id);
      await service.runJobs();
      expect(await refundOf(refundId)).toMatchObject({ state: 'completed', amountMinor: PRICE });
      expect(await stateOf(id)).toBe('refunded');
      expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: PRICE });
    });

    it('in parts adds up, and never to more than was taken', async () => {
      const id = await paid();
      await refund(id, usd(20_00));
      await service.runJobs();
      expect(await stateOf(id)).toBe('partially_refunded');
      expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: 20_00 });
      await refund(id, usd(70_00));
      await expect(refund(id, usd(4_01))).rejects.toThrow('exceeds');
      await service.runJobs();
      await refund(id, usd(4_00));
      await service.runJobs();
      expect(await stateOf(id)).toBe('refunded');
      expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: PRICE });
    });

    it('asked for twice in the same instant is made once', async () => {
      const id = await paid();
      const whole = {
        attemptId: id,
        amount: usd(PRICE),
        reason: 'cancelled',
        requestedBy: 'system',
        at: platform.now(),
      };
      const ask = () => platform.db.transaction((tx) => requestRefund(tx, whole));
      const outcomes = await Promise.all([ask(), ask()]);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      await service.runJobs();
      expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: PRICE });
    });

    it('sent twice in the same instant is made once', async () => {
      const id = await paid();
      const refundId = await refund(id, usd(30_00));
      await Promise.all([
        advanceRefund(platform, payments, refundId),
        advanceRefund(platform, payments, refundId),
      ]);
      await service.runJobs();
      expect(await refundOf(refundId)).toMatchObject({ state: 'completed' });
      expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: 30_00 });
    });

    it('sent twice under one id answers its state and moves no more money', async () => {
      const id = await paid();
      const wanted = {
        refundId: crypto.randomUUID(),
        attempt: await asked(id),
        amount: usd(10_00),
      };
      const first = await provider.refund(wanted);
      expect(await provider.refund(wanted)).toEqual(first);
      expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: 10_00 });
    });

    it.each(['error', 'lost', 'reset'] as const)(
      'whose answer is in fault (%s) is made once',
      async (how) => {
        const id = await paid();
        await stage.faultRefund(how);
        const refundId = await refund(id);
        await service.runJobs();
        expect(['sent', 'completed']).toContain((await refundOf(refundId)).state);
        await wait(10, 2);
        expect(await refundOf(refundId)).toMatchObject({ state: 'completed' });
        expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: PRICE });
        expect(await stateOf(id)).toBe('refunded');
      },
    );

    it('that is refused raises an alert, frees its part and leaves the payment', async () => {
      const id = await paid();
      await stage.faultRefund('refused');
      const refundId = await refund(id);
      await service.runJobs();
      expect(await refundOf(refundId)).toMatchObject({ state: 'failed' });
      expect(await alertsOf(id)).toEqual(['refund_failed']);
      expect(await stateOf(id)).toBe('completed');
      expect(await stage.money(id)).toEqual({ captured: PRICE, refunded: 0 });
      await refund(id);
      await service.runJobs();
      expect(await stateOf(id)).toBe('refunded');
    });

    it.each(['completed', 'failed'] as const)(
      'that is pending counts as in flight until it is %s',
      async (state) => {
        const id = await paid();
        await stage.faultRefund('pending');
        const refundId = await refund(id);
        await service.runJobs();
        expect(await refundOf(refundId)).toMatchObject({ state: 'pending' });
        await expect(refund(id, usd(1))).rejects.toThrow('exceeds');
        await wait(10);
        expect(await refundOf(refundId)).toMatchObject({ state: 'pending' });
        await stage.decideRefund(refundId, id, state);
        await service.runJobs();
        expect(await refundOf(refundId)).toMatchObject({ state });
        expect(await stateOf(id)).toBe(state === 'completed' ? 'refunded' : 'completed');
        expect(await stage.money(id)).toEqual({
          captured: PRICE,
          refunded: state === 'completed' ? PRICE : 0,
        });
      },
    );

    it('of nothing that was ever asked for is unknown to the partner', async () => {
      const wanted = {
        refundId: crypto.randomUUID(),
        attempt: await asked(await paid()),
        amount: usd(1_00),
        providerRefundId: null,
      };
      expect(await provider.askRefund(wanted)).toBe('unknown');
    });

    it('shows in the partner’s books, which know what we know', async () => {
      const id = await paid();
      await refund(id, usd(25_00));
      await service.runJobs();
      const { captureId } = await attempt(id);
      expect(await provider.books(await asked(id))).toMatchObject({
        captured: usd(PRICE),
        captureId,
        refunded: usd(25_00),
      });
      const open = await begin(await place());
      const { providerReference } = await attempt(open);
      expect(await provider.books({ id: open, providerReference })).toMatchObject({
        captured: null,
        captureId: null,
        refunded: usd(0),
      });
    });
  });
});
