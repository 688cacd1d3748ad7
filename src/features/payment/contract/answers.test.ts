import { describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/service.ts';
import { EXPIRY_MS } from '../settlement/sweep.server.ts';
import { scene } from './testing/scene.ts';
import { stages } from './testing/stages.ts';
import type { Fault } from './testing/stage.ts';

const service = await startTestService();
const EXPIRY_HOURS = EXPIRY_MS / 3600_000;
const faults: readonly Fault[] = ['error', 'lost', 'reset'];

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
