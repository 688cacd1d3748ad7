import { describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/service.ts';
import { EXPIRY_MS } from '../settlement/sweep.server.ts';
import { scene } from './testing/scene.ts';
import { stages } from './testing/stages.ts';

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
