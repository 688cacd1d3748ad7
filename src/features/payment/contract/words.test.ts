import { describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/service.ts';
import { eventsFor } from '../settlement/store.server.ts';
import { scene } from './testing/scene.ts';
import { stages } from './testing/stages.ts';
import type { Word } from './testing/stage.ts';

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
  const { place, begin, comeBack, stateOf, expectPaidOnce, expectUnpaid, expectBooksAgree } = scene(
    service,
    stage,
  );

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
    const kept = await eventsFor(db, id);
    expect(new Set(kept.map(({ eventId }) => eventId)).size).toBe(kept.length);
  });

  it.each(['unsigned', 'wrong_signature'] as const)(
    'changes nothing while it is %s, and is believed once it is genuine',
    async (forged) => {
      const order = await place();
      const id = await begin(order);
      await stage.captureAfterAll(id);
      const word: Word = await stage.lastWord(id);
      expect(await word.send(forged)).toBe(400);
      await expectUnpaid(order);
      expect(await eventsFor(db, id)).toEqual([]);
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
