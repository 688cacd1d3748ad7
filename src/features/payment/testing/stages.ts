import { type ProviderName, providerNames } from '~/base/payment-providers.ts';
import { parseMoney, usd } from '~/base/money.ts';
import { purchases, declinedCard, type PayingService } from '../../../../test/purchases.ts';
import {
  type GatewayTransaction,
  transactionByOrder,
} from '~/lab/gateway/simulated-gateway.server.ts';
import {
  refundState,
  signStatement,
  captureDeclined as captureCardAfterAll,
  decideRefund as decideCardRefund,
} from '~/lab/gateway/gateway.server.ts';
import { needed } from '../../../../test/needed.ts';
import {
  webhooksAbout,
  playScenario,
  type StoredEvent,
  transmission,
} from '~/lab/partner.server.ts';
import {
  approve,
  cancel,
  captureOrder,
  decidePending,
  decideRefund as decidePaypalRefund,
  simulatedPaypal,
} from '~/lab/paypal/simulated-paypal.server.ts';
import { orderByCustomId, wholeOrder } from '~/lab/paypal/paypal-resources.server.ts';
import type { CaptureOutcome, FaultKind } from '~/lab/scenarios.ts';
import {
  decidePayment,
  decideRefund as decideStripeRefund,
  pay as payAtStripe,
  payEndedSession,
  simulatedStripe,
} from '~/lab/stripe/simulated-stripe.server.ts';
import { sessionRefunds, findSession } from '~/lab/stripe/stripe-resources.server.ts';

/** A recorded message of a provider to our server, which can be sent again. */
export type RecordedNotification = {
  /** Returns our response's HTTP status. */
  send(forged?: 'unsigned' | 'wrong_signature'): Promise<number>;
};

/**
 * A failing call to the provider. `error`: status 500 before anything is done; `lost`: 500 after it is done; `reset`:
 * connection broken after it is done.
 */
export type CallFault = 'error' | 'lost' | 'reset';
/** Further results of a refund call: refused, or pending. */
type RefundFault = CallFault | 'refused' | 'pending';

/** What the contract suite does with one provider's double. Amounts are in cents. */
export type ContractStage = {
  name: ProviderName;
  /** The payer approves. Returns where the browser is sent. */
  approve(attemptId: string): Promise<string>;
  /** The payment is declined. Returns where the browser is sent. */
  decline(attemptId: string): Promise<string>;
  /** The payer cancels. Returns where the browser is sent. */
  cancel(attemptId: string): Promise<string>;
  /** Captures whatever became of the payment before, with a notification. */
  captureAfterAll(attemptId: string): Promise<void>;
  /** Captures less than was asked, with a notification. */
  captureTooLittle(attemptId: string): Promise<void>;
  /** The messages of the longest flow that ends with a capture, in order. */
  story(attemptId: string): Promise<RecordedNotification[]>;
  /** The provider's last message about a payment. */
  lastWord(attemptId: string): Promise<RecordedNotification>;
  /** What the provider has captured and refunded. */
  money(attemptId: string): Promise<{ captured: number; refunded: number }>;
  /** Makes the next such call fail, once. */
  fault(call: 'begin' | 'ask', how: CallFault): Promise<void>;
  /** Makes the call that captures fail; null where the provider captures without one. */
  faultCapture: ((how: CallFault) => Promise<void>) | null;
  faultRefund(how: RefundFault): Promise<void>;
  /** Decides the pending refund, with a notification. */
  decideRefund(refundId: string, attemptId: string, state: 'completed' | 'failed'): Promise<void>;
};

/** The simulated card gateway, controlled by the contract suite. */
function cardStage(service: PayingService): ContractStage {
  const { gateway, pay, cancel } = purchases(service);
  const { faults } = gateway;

  const transactionOf = async (attemptId: string) =>
    needed(await transactionByOrder(gateway.db, attemptId));

  const wordOf = (transaction: GatewayTransaction): RecordedNotification => ({
    async send(forged) {
      const response = await fetch(needed(transaction.fields.notificationUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ payload: signStatement(gateway, transaction, forged ?? null) }),
      });
      return response.status;
    },
  });

  return {
    name: 'card',
    approve: (attemptId) => pay(attemptId),
    decline: (attemptId) => pay(attemptId, declinedCard),
    cancel: (attemptId) => cancel(attemptId),
    captureAfterAll: (attemptId) => captureCardAfterAll(gateway, attemptId),

    async captureTooLittle(attemptId) {
      void faults.plan({ on: 'notification', how: 'wrong_amount', orderRef: attemptId });
      await pay(attemptId);
    },

    async story(attemptId) {
      const registered = await transactionOf(attemptId);
      await pay(attemptId, declinedCard);
      const declined = await transactionOf(attemptId);
      await captureCardAfterAll(gateway, attemptId);
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
      decideCardRefund(gateway, { orderRef, refundRef }, state),
  };
}

const kinds: Record<CallFault, FaultKind> = {
  error: 'error_before',
  lost: 'error_after',
  reset: 'reset_after',
};

/** Times that the client tries a call that is safe to repeat. */
const TRIES = 2;

const taken: readonly string[] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];
const sum = (values: readonly string[]) =>
  values.reduce((total, value) => total + (parseMoney(value) ?? usd(0)).minor, 0);

/** The simulated PayPal, controlled by the contract suite. */
function paypalStage({ platform }: PayingService): ContractStage {
  const paypal = needed(simulatedPaypal(platform));
  const orderOf = async (attemptId: string) =>
    needed(await orderByCustomId(paypal.db, attemptId)).id;

  const agree = async (attemptId: string, outcome?: CaptureOutcome) =>
    needed(await approve(paypal, await orderOf(attemptId), outcome ? { outcome } : {}));

  /** Captures at PayPal, as a call of ours whose response was lost would have done. */
  const capture = async (attemptId: string, outcome?: CaptureOutcome) => {
    await agree(attemptId, outcome);
    const id = await orderOf(attemptId);
    await paypal.db.transaction((tx) => captureOrder(tx, paypal, id));
  };

  const wordOf = (event: StoredEvent): RecordedNotification => ({
    async send(forged) {
      const signature = forged === 'wrong_signature' ? 'wrong' : 'right';
      const { headers, body } = transmission(paypal, event, { signature });
      const sent = new Headers(headers);
      if (forged === 'unsigned') sent.delete('paypal-transmission-sig');
      const response = await fetch(paypal.webhookUrl, { method: 'POST', headers: sent, body });
      return response.status;
    },
  });

  const words = async (attemptId: string) =>
    (await webhooksAbout(paypal, await orderOf(attemptId))).map(wordOf);

  return {
    name: 'paypal',
    approve: (attemptId) => agree(attemptId),
    decline: (attemptId) => agree(attemptId, 'declined'),
    cancel: async (attemptId) => needed(await cancel(paypal, await orderOf(attemptId))),
    captureAfterAll: (attemptId) => capture(attemptId),
    captureTooLittle: (attemptId) => capture(attemptId, 'wrong_amount'),

    async story(attemptId) {
      await capture(attemptId, 'pending');
      await decidePending(paypal, await orderOf(attemptId), 'COMPLETED');
      return words(attemptId);
    },

    lastWord: async (attemptId) => needed((await words(attemptId)).at(-1)),

    async money(attemptId) {
      const order = await orderByCustomId(paypal.db, attemptId);
      const whole = order && (await wholeOrder(paypal.db, order.id));
      const captures = (whole?.captures ?? []).filter(({ status }) => taken.includes(status));
      const refunds = (whole?.refunds ?? []).filter(({ status }) => status === 'COMPLETED');
      return {
        captured: sum(captures.map(({ value }) => value)),
        refunded: sum(refunds.map(({ value }) => value)),
      };
    },

    async fault(call, how) {
      // The client repeats these calls, so the failure must last as long.
      for (let tries = 0; tries < TRIES; tries += 1) {
        await playScenario(paypal, call === 'begin' ? 'create' : 'get', kinds[how]);
      }
    },
    faultCapture: (how) => playScenario(paypal, 'capture', kinds[how]),
    faultRefund: (how) =>
      playScenario(paypal, 'refund', how === 'refused' || how === 'pending' ? how : kinds[how]),

    async decideRefund(_, attemptId, state) {
      const whole = needed(await wholeOrder(paypal.db, await orderOf(attemptId)));
      const refund = needed(whole.refunds.find(({ status }) => status === 'PENDING'));
      await decidePaypalRefund(paypal, refund.id, state === 'completed' ? 'COMPLETED' : 'FAILED');
    },
  };
}

/** The simulated Stripe, controlled by the contract suite. */
function stripeStage({ platform }: PayingService): ContractStage {
  const stripe = needed(simulatedStripe(platform));
  const sessionOf = async (attemptId: string) =>
    needed(await findSession(stripe.db, 'clientReferenceId', attemptId));
  const idOf = async (attemptId: string) => (await sessionOf(attemptId)).id;

  const wordOf = (event: StoredEvent): RecordedNotification => ({
    async send(forged) {
      const signature = forged === 'wrong_signature' ? 'wrong' : 'right';
      const { headers, body } = transmission(stripe, event, { signature });
      const sent = new Headers(headers);
      if (forged === 'unsigned') sent.delete('stripe-signature');
      const response = await fetch(stripe.webhookUrl, { method: 'POST', headers: sent, body });
      return response.status;
    },
  });

  const words = async (attemptId: string) =>
    (await webhooksAbout(stripe, await idOf(attemptId))).map(wordOf);

  return {
    name: 'stripe',
    approve: async (attemptId) => needed(await payAtStripe(stripe, await idOf(attemptId))),
    decline: async (attemptId) =>
      needed(await payAtStripe(stripe, await idOf(attemptId), { outcome: 'failed' })),
    cancel: async (attemptId) => needed((await sessionOf(attemptId)).cancelUrl),
    captureAfterAll: async (attemptId) => payEndedSession(stripe, await idOf(attemptId)),
    captureTooLittle: async (attemptId) =>
      payEndedSession(stripe, await idOf(attemptId), 'wrong_amount'),

    async story(attemptId) {
      const id = await idOf(attemptId);
      await payEndedSession(stripe, id, 'processing');
      await decidePayment(stripe, id, 'succeeded');
      return words(attemptId);
    },

    lastWord: async (attemptId) => needed((await words(attemptId)).at(-1)),

    async money(attemptId) {
      const session = await findSession(stripe.db, 'clientReferenceId', attemptId);
      if (session?.payment !== 'succeeded') return { captured: 0, refunded: 0 };
      const refunded = (await sessionRefunds(stripe.db, session.id))
        .filter(({ status }) => status === 'succeeded')
        .reduce((sum, { amount }) => sum + amount, 0);
      return { captured: session.captured ?? 0, refunded };
    },

    async fault(call, how) {
      // The client repeats these calls, so the failure must last as long.
      for (let tries = 0; tries < TRIES; tries += 1) {
        await playScenario(stripe, call === 'begin' ? 'create' : 'get', kinds[how]);
      }
    },
    // Stripe captures without a call of ours.
    faultCapture: null,
    faultRefund: (how) =>
      playScenario(stripe, 'refund', how === 'refused' || how === 'pending' ? how : kinds[how]),

    async decideRefund(_, attemptId, state) {
      const refunds = await sessionRefunds(stripe.db, await idOf(attemptId));
      const { id } = needed(refunds.find(({ status }) => status === 'pending'));
      await decideStripeRefund(stripe, id, state === 'completed' ? 'succeeded' : 'failed');
    },
  };
}

const byName: Record<ProviderName, (service: PayingService) => ContractStage> = {
  card: cardStage,
  paypal: paypalStage,
  stripe: stripeStage,
};

/** Every provider's stage, by its name. */
export const stages = providerNames.map((name) => [name, byName[name]] as const);
