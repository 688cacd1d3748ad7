import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderByNumber } from '~/features/order/store.server.ts';
import { declinedCard, goodCard, purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { transactionByOrder } from '~/lab/gateway/simulated-gateway.server.ts';
import { isOpen } from '../machine.ts';
import { attemptsFor } from './store.server.ts';
import { sweep, sweepRefunds } from './sweep.server.ts';

const service = await startTestService();
const { platform, payments } = service;
const { place, start, pay, cancel, comeBack, expectPaidOnce, expectUnpaid, gateway } =
  purchases(service);
const MINUTE = 60_000;

/** What traveller, gateway and network may do, in any order; `which` picks one of the attempts so far. */
const step = fc.record({
  action: fc.constantFrom(
    'start',
    'wait',
    'pay',
    'pay',
    'decline',
    'cancel',
    'return',
    'notify',
    'sweep',
    'gateway_away',
    'gateway_back',
  ),
  which: fc.nat({ max: 3 }),
});

describe('whatever happens in whatever order', () => {
  it('ends with one paid order if anything was captured, else with none, and nothing undecided', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const order = await place();
        const attempts: string[] = [];
        const returns = new Map<string, string>();
        let isAway = false;
        const leave = async (away: boolean) => {
          if (away === isAway) return;
          isAway = away;
          await (away ? service.goAway() : service.comeBack());
        };

        for (const { action, which } of [{ action: 'start' as const, which: 0 }, ...steps]) {
          const attempt = attempts[which % Math.max(attempts.length, 1)];
          if (action === 'start') {
            await start(order).then(
              (id) => attempts.push(id),
              () => undefined,
            );
          }
          if (action === 'wait') platform.clock.advance(40 * MINUTE);
          if (action === 'gateway_away') await leave(true);
          if (action === 'gateway_back') await leave(false);
          if (action === 'sweep') await sweep(platform, payments.providers, payments.onPaid);
          if (action === 'notify') await service.runJobs();
          if (!attempt) continue;
          if (action === 'pay') returns.set(attempt, await pay(attempt, goodCard));
          if (action === 'decline') returns.set(attempt, await pay(attempt, declinedCard));
          if (action === 'cancel') returns.set(attempt, await cancel(attempt));
          const address = returns.get(attempt);
          if (action === 'return' && address && !isAway) await comeBack(address);
        }

        await leave(false);
        for (let passed = 0; passed < 30; passed++) {
          platform.clock.advance(60 * MINUTE);
          await sweep(platform, payments.providers, payments.onPaid);
          await sweepRefunds(platform, payments);
        }

        const stored = await attemptsFor(platform.db, order.number);
        expect(stored.filter(({ state }) => isOpen(state))).toEqual([]);
        const transactions = await Promise.all(
          stored.map(({ id }) => transactionByOrder(gateway.db, id)),
        );
        const captured = transactions.filter((transaction) => transaction?.captureId);
        if (captured.length === 0) return expectUnpaid(order);
        await expectPaidOnce(order);
        const paid = await orderByNumber(platform.db, order.number);
        for (const transaction of captured) {
          const refunded = Object.values(transaction?.refunds ?? {});
          expect(refunded).toEqual(transaction?.orderRef === paid?.paidBy ? [] : [94_00]);
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 60_000);
});
