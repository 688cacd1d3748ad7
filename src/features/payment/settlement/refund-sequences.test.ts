import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refused } from '~/base/outcome.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { refundsOf } from './refund-store.server.ts';
import { advanceRefund } from './refund.server.ts';
import { quietProvider } from '../testing/quiet-provider.ts';
import { CAPTURE, partner, makeRefunds } from '../testing/refunds.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const { captured, request, attempt } = makeRefunds(platform);

describe('any sequence of requests and answers', () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('request' as const), minor: fc.integer({ min: 1, max: 60_00 }) }),
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
          const ledger = await refundsOf(db, [id]);
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
