import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Lab } from './context.server.ts';
import type { Gateway } from './gateway/gateway-base.server.ts';
import { cancelPayment, payByCard, returnAddress } from './gateway/gateway.server.ts';

/** A published test number, as the page asks for none. */
const testCard = {
  cardHolder: 'LALE LAB',
  cardNumber: '4111111111111111',
  expiryDate: '12/39',
  cvv: '123',
};

export type MockRefusal = 'no_simulator' | 'no_order' | 'no_start';

/**
 * Acts as the payer at the simulated gateway; returns where it sends the browser. The signed result, and so the success
 * page, is genuine. Only works with the simulated gateway.
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
  // A gateway that needs a submitted form does not know the payment yet: its own page continues.
  return ok(decided.kind === 'decided' ? returnAddress(gateway, decided.transaction) : paymentUrl);
}
