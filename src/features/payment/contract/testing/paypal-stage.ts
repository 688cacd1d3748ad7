import { parseMoney, usd } from '~/base/money.ts';
import { type PayingService } from '../../../../../test/purchases.ts';
import { eventsOf, playScenario, type StoredEvent, transmission } from '~/lab/partner.server.ts';
import {
  approve,
  cancel,
  captureOrder,
  decidePending,
  decideRefund,
  simulatedPaypal,
} from '~/lab/paypal/simulated-paypal.server.ts';
import { orderByCustomId, wholeOrder } from '~/lab/paypal/paypal-resources.server.ts';
import type { CaptureOutcome, FaultKind } from '~/lab/scenarios.ts';
import type { Stage, Fault, Word } from './stage.ts';
import { needed } from '../../../../../test/needed.ts';

const kinds: Record<Fault, FaultKind> = {
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
export function paypalStage({ platform }: PayingService): Stage {
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

  const wordOf = (event: StoredEvent): Word => ({
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
    (await eventsOf(paypal, await orderOf(attemptId))).map(wordOf);

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
      await decideRefund(paypal, refund.id, state === 'completed' ? 'COMPLETED' : 'FAILED');
    },
  };
}
