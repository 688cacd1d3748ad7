import { describe, expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import { startTestService } from '../../../../test/service.ts';
import { requestRefund } from '../settlement/refund-request.server.ts';
import { advanceRefund } from '../settlement/refund.server.ts';
import { PRICE, scene } from './testing/scene.ts';
import { stages } from './testing/stages.ts';

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
    const wanted = { refundId: crypto.randomUUID(), attempt: await asked(id), amount: usd(10_00) };
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
