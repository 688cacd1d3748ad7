import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Lab } from './context.server.ts';
import type { Gateway } from './gateway/gateway-base.server.ts';
import { cancelPayment, payByCard, returnAddress } from './gateway/gateway.server.ts';

/** A published test number; who presses the button has no card at hand. */
const testCard = {
  cardHolder: 'LALE LAB',
  cardNumber: '4111111111111111',
  expiryDate: '12/39',
  cvv: '123',
};

export type MockRefusal = 'no_simulator' | 'no_order' | 'no_start';

/**
 * Plays the payer at the simulated gateway and answers where it sends the browser: its signed word, and so the success
 * page, is as real as any. No gateway but the simulated one can be played.
 */
export async function playPayer(
  lab: Lab,
  gateway: Gateway | null,
  outcome: 'success' | 'cancel',
  asked: { reference: string | null; request: Request; language: string; address: string },
): Promise<Outcome<string, MockRefusal>> {
  if (!gateway) return refused('no_simulator');
  const order = await lab.order(asked.reference, asked);
  if (!order) return refused('no_order');
  const started = await lab.startCard(order.number, asked);
  if (!started.ok) return refused('no_start');
  const { attemptId, paymentUrl } = started.value;
  const decided =
    outcome === 'success'
      ? await payByCard(gateway, attemptId, testCard)
      : await cancelPayment(gateway, attemptId);
  // A gateway that wants a form posted has not heard of the payment yet: its own page goes on.
  return ok(decided.kind === 'decided' ? returnAddress(gateway, decided.transaction) : paymentUrl);
}
