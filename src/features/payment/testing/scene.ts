import { expect } from 'vitest';
import { usd, type Money } from '~/base/money.ts';
import { checkout } from '~/features/order/checkout.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { purchases } from '../../../../test/purchases.ts';
import type { TestService } from '../../../../test/service.ts';
import { isOpen } from '../machine.ts';
import { providerNamed } from '../provider.ts';
import { requestRefund } from '../settlement/refund-request.server.ts';
import { refundById, type Refund } from '../settlement/refund-store.server.ts';
import { attemptById, attemptsByReference, openAlerts } from '../settlement/store.server.ts';
import { sweep, sweepRefunds } from '../settlement/sweep.server.ts';
import type { ContractStage } from './stages.ts';
import { somePayer } from '../../../../test/browser.ts';
import { needed } from '../../../../test/needed.ts';

export const PRICE = 94_00;
const MINUTE = 60_000;

/** What every test of the suite does with one provider's stage. */
export function scene(service: TestService, stage: ContractStage) {
  const { platform, payments } = service;
  const { place, start, comeBack, stateOf, expectPaidOnce, expectUnpaid } = purchases(service);
  const provider = needed(providerNamed(payments.providers, stage.name));

  const sweepNow = async () => {
    await sweep(platform, payments.providers, payments.onPaid);
    await sweepRefunds(platform, payments);
  };

  return {
    place,
    provider,
    comeBack,
    stateOf,
    expectPaidOnce,
    expectUnpaid,

    /** Presses our Pay button; returns the attempt's id. */
    begin: (order: Order) => start(order, [provider]),

    /** Presses the button while the payment cannot be started; returns the attempt's id. */
    async failToBegin(order: Order): Promise<string> {
      const current = needed(await orderByNumber(platform.db, order.number));
      const started = await checkout(platform, [provider], current, {
        by: somePayer,
        address: '192.0.2.1',
      });
      expect(started).toMatchObject({ ok: false, error: { code: 'start_failed' } });
      return needed((await attemptsByReference(platform.db, order.number)).at(-1)).id;
    },

    /** Advances the clock and runs the sweep, `times` times. */
    async wait(minutes: number, times = 1): Promise<void> {
      for (let passed = 0; passed < times; passed += 1) {
        platform.clock.advance(minutes * MINUTE);
        await sweepNow();
      }
    },

    attempt: async (id: string) => needed(await attemptById(platform.db, id)),

    alertsOf: async (attemptId: string) =>
      (await openAlerts(platform.db))
        .filter((alert) => alert.attemptId === attemptId)
        .map(({ kind }) => kind),

    async refund(attemptId: string, amount: Money = usd(PRICE)): Promise<string> {
      const outcome = await platform.db.transaction((tx) =>
        requestRefund(tx, {
          attemptId,
          amount,
          reason: 'cancelled',
          requestedBy: 'system',
          at: platform.now(),
        }),
      );
      if (!outcome.ok) throw new Error(outcome.error.code);
      return outcome.value.id;
    },

    refundOf: async (id: string): Promise<Refund> => needed(await refundById(platform.db, id)),

    /** Checks that the provider's and our amounts for an order agree. */
    async expectBooksAgree(order: Order): Promise<void> {
      const stored = needed(await orderByNumber(platform.db, order.number));
      for (const attempt of await attemptsByReference(platform.db, order.number)) {
        expect(isOpen(attempt.state)).toBe(false);
        const { captured, refunded } = await stage.money(attempt.id);
        expect(refunded).toBe(attempt.refundedMinor);
        if (stored.paidBy === attempt.id) expect(captured).toBe(attempt.amountMinor);
        // Captures that did not pay the order must be refunded.
        else expect(captured).toBe(refunded);
      }
    },
  };
}
