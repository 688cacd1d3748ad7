import { parseMoney, usd } from '~/base/money.ts';
import { purchases, declinedCard, type PayingService } from '../../../../../test/purchases.ts';
import {
  type GatewayTransaction,
  transactionByOrder,
} from '~/lab/gateway/simulated-gateway.server.ts';
import {
  refundState,
  statementOf,
  captureAfterAll,
  decideRefund,
} from '~/lab/gateway/gateway.server.ts';
import type { Stage, Word } from './stage.ts';
import { needed } from '../../../../../test/needed.ts';

/** The simulated card gateway, controlled by the contract suite. */
export function cardStage(service: PayingService): Stage {
  const { gateway, pay, cancel } = purchases(service);
  const { faults } = gateway;

  const transactionOf = async (attemptId: string) =>
    needed(await transactionByOrder(gateway.db, attemptId));

  const wordOf = (transaction: GatewayTransaction): Word => ({
    async send(forged) {
      const response = await fetch(needed(transaction.fields.notificationUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ payload: statementOf(gateway, transaction, forged ?? null) }),
      });
      return response.status;
    },
  });

  return {
    name: 'card',
    approve: (attemptId) => pay(attemptId),
    decline: (attemptId) => pay(attemptId, declinedCard),
    cancel: (attemptId) => cancel(attemptId),
    captureAfterAll: (attemptId) => captureAfterAll(gateway, attemptId),

    async captureTooLittle(attemptId) {
      void faults.plan({ on: 'notification', how: 'wrong_amount', orderRef: attemptId });
      await pay(attemptId);
    },

    async story(attemptId) {
      const registered = await transactionOf(attemptId);
      await pay(attemptId, declinedCard);
      const declined = await transactionOf(attemptId);
      await captureAfterAll(gateway, attemptId);
      const captured = await transactionOf(attemptId);
      return [registered, declined, captured].map(wordOf);
    },

    lastWord: async (attemptId) => wordOf(await transactionOf(attemptId)),

    async money(attemptId) {
      const transaction = await transactionByOrder(gateway.db, attemptId);
      if (transaction?.status !== 'completed') return { captured: 0, refunded: 0 };
      const refunded = Object.entries(transaction.refunds)
        .filter(([ref]) => refundState(transaction, ref) === 'completed')
        .reduce((sum, [, minor]) => sum + minor, 0);
      return { captured: (parseMoney(transaction.amount) ?? usd(0)).minor, refunded };
    },

    fault: async (call, how) =>
      void faults.plan({ on: call === 'begin' ? 'checkout' : 'query', how }),
    faultCapture: null,
    faultRefund: async (how) => void faults.plan({ on: 'refund', how }),
    decideRefund: (refundRef, orderRef, state) =>
      decideRefund(gateway, { orderRef, refundRef }, state),
  };
}
