import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { QueueFull, workQueue } from './work-queue.ts';

test('never does more at once than it may, refuses whom it has no place for, and is free in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.record({ turns: fc.nat(4), fails: fc.boolean() }), { maxLength: 20 }),
      async (atOnce, waiting, works) => {
        const inTurn = workQueue({ atOnce, waiting });
        let working = 0;
        let most = 0;
        const results = await Promise.allSettled(
          works.map(({ turns, fails }) =>
            inTurn(async () => {
              working += 1;
              most = Math.max(most, working);
              for (let done = 0; done < turns; done += 1) await turn();
              working -= 1;
              if (fails) throw new Error('work failed');
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(atOnce);
        const full = results.filter(
          (one) => one.status === 'rejected' && one.reason instanceof QueueFull,
        );
        expect(full).toHaveLength(Math.max(0, works.length - atOnce - waiting));
        // Every place is free again.
        const again = Array.from({ length: atOnce + waiting }, () => inTurn(turn));
        await expect(Promise.all(again)).resolves.toHaveLength(atOnce + waiting);
      },
    ),
    { numRuns: 60 },
  );
});
