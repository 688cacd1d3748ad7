import assert from 'node:assert/strict';
import { checkout } from '../src/features/order/checkout.server.ts';
import { orderByNumber, type Order } from '../src/features/order/store.server.ts';
import {
  cancelPayment,
  payByCard,
  returnAddress,
  type CardAnswer,
} from '../src/lab/gateway/gateway.server.ts';
import { simulatedGateway } from '../src/lab/gateway/simulated-gateway.server.ts';
import type { Providers } from '../src/features/payment/provider.ts';
import {
  attemptById,
  attemptsByReference,
} from '../src/features/payment/settlement/store.server.ts';
import type { Payments } from '../src/features/payment/settlement/context.server.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import { newBrowser, somePayer } from './browser.ts';
import { makeApplication } from './make.ts';
import { needed } from './needed.ts';

/** A service that listens, so that the gateway reaches it over HTTP. */
export type PayingService = { platform: Platform; payments: Payments };

export const goodCard = {
  cardHolder: 'THABO NAIDOO',
  cardNumber: '4111 1111 1111 1111',
  expiryDate: '12/29',
  cvv: '123',
};
export const declinedCard = { ...goodCard, cardNumber: '4000 0000 0000 0002' };

/** The steps of a purchase by traveller and gateway, and what must hold at its end. */
export function purchases({ platform, payments }: PayingService) {
  const gateway = needed(simulatedGateway(platform));
  /** The browser that places the orders. */
  const payer = newBrowser(platform);

  const decided = (answer: CardAnswer): string => {
    if (answer.kind !== 'decided') throw new Error(`The gateway answered ${answer.kind}`);
    return returnAddress(gateway, answer.transaction);
  };

  return {
    gateway,
    payer,
    place: async (): Promise<Order> =>
      (await makeApplication(platform, { paid: false, sessionHash: payer.sessionHash })).order,

    /** Presses our Pay button; returns the attempt's id. */
    async start(order: Order, providers: Providers = payments.providers): Promise<string> {
      const current = needed(await orderByNumber(platform.db, order.number));
      const started = await checkout(platform, providers, current, {
        by: somePayer,
        address: '192.0.2.1',
        provider: providers[0]?.name,
      });
      if (!started.ok) throw new Error(started.error.code);
      return started.value.attemptId;
    },

    /** Presses Pay at the gateway; returns the address to which it sends the browser. */
    pay: async (attemptId: string, card = goodCard): Promise<string> =>
      decided(await payByCard(gateway, attemptId, card)),

    cancel: async (attemptId: string): Promise<string> =>
      decided(await cancelPayment(gateway, attemptId)),

    /** Follows the gateway's redirect; returns where our return address leads. */
    async comeBack(address: string): Promise<string> {
      const response = await fetch(address, { redirect: 'manual' });
      assert.equal(response.status, 303);
      return response.headers.get('location') ?? '';
    },

    stateOf: async (attemptId: string) => needed(await attemptById(platform.db, attemptId)).state,

    async expectPaidOnce(order: Order): Promise<void> {
      const attempts = await attemptsByReference(platform.db, order.number);
      const completed = attempts.filter(({ state }) => state === 'completed');
      assert.equal(completed.length, 1);
      const stored = await orderByNumber(platform.db, order.number);
      assert.equal(stored?.paidBy, completed[0]?.id);
      // All other captures have been or are being refunded.
      for (const { id, captureId, state } of attempts) {
        if (id === stored?.paidBy || captureId === null) continue;
        assert.ok(['captured_late', 'refunded'].includes(state), state);
      }
    },

    async expectUnpaid(order: Order): Promise<void> {
      const attempts = await attemptsByReference(platform.db, order.number);
      assert.deepEqual(
        attempts.filter(({ completedAt }) => completedAt !== null),
        [],
      );
      assert.equal((await orderByNumber(platform.db, order.number))?.paidAt, null);
    },
  };
}

export type Purchases = ReturnType<typeof purchases>;
