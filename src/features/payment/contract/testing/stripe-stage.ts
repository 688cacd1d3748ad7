import { type PayingService } from '../../../../../test/purchases.ts';
import { eventsOf, playScenario, type StoredEvent, transmission } from '~/lab/partner.server.ts';
import type { FaultKind } from '~/lab/scenarios.ts';
import {
  decidePayment,
  decideRefund,
  pay,
  payAfterAll,
  simulatedStripe,
} from '~/lab/stripe/simulated-stripe.server.ts';
import { refundsOf, sessionBy } from '~/lab/stripe/stripe-resources.server.ts';
import type { Stage, Fault, Word } from './stage.ts';
import { needed } from '../../../../../test/needed.ts';

const kinds: Record<Fault, FaultKind> = {
  error: 'error_before',
  lost: 'error_after',
  reset: 'reset_after',
};

/** Times that the client tries a call. */
const TRIES = 2;

/** The simulated Stripe, controlled by the contract suite. */
export function stripeStage({ platform }: PayingService): Stage {
  const stripe = needed(simulatedStripe(platform));
  const sessionOf = async (attemptId: string) =>
    needed(await sessionBy(stripe.db, 'clientReferenceId', attemptId));
  const idOf = async (attemptId: string) => (await sessionOf(attemptId)).id;

  const wordOf = (event: StoredEvent): Word => ({
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
    (await eventsOf(stripe, await idOf(attemptId))).map(wordOf);

  return {
    name: 'stripe',
    approve: async (attemptId) => needed(await pay(stripe, await idOf(attemptId))),
    decline: async (attemptId) =>
      needed(await pay(stripe, await idOf(attemptId), { outcome: 'failed' })),
    cancel: async (attemptId) => needed((await sessionOf(attemptId)).cancelUrl),
    captureAfterAll: async (attemptId) => payAfterAll(stripe, await idOf(attemptId)),
    captureTooLittle: async (attemptId) =>
      payAfterAll(stripe, await idOf(attemptId), 'wrong_amount'),

    async story(attemptId) {
      const id = await idOf(attemptId);
      await payAfterAll(stripe, id, 'processing');
      await decidePayment(stripe, id, 'succeeded');
      return words(attemptId);
    },

    lastWord: async (attemptId) => needed((await words(attemptId)).at(-1)),

    async money(attemptId) {
      const session = await sessionBy(stripe.db, 'clientReferenceId', attemptId);
      if (session?.payment !== 'succeeded') return { captured: 0, refunded: 0 };
      const refunded = (await refundsOf(stripe.db, session.id))
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
      const refunds = await refundsOf(stripe.db, await idOf(attemptId));
      const { id } = needed(refunds.find(({ status }) => status === 'pending'));
      await decideRefund(stripe, id, state === 'completed' ? 'succeeded' : 'failed');
    },
  };
}
