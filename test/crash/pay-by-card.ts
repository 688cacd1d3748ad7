import { payByCard as payAtGateway, returnAddress } from '~/lab/gateway/gateway.server.ts';
import { call, field, formIn } from './retrying-client.ts';
import { started, type Traveller } from './traveller.ts';

const card = {
  cardHolder: 'Thabo Naidoo',
  cardNumber: '4111 1111 1111 1111',
  expiryDate: '12/30',
  cvv: '123',
};

/**
 * Presses our Pay button and submits the form to the gateway; returns the attempt, or null where the order is paid
 * already.
 */
export async function startCard(traveller: Traveller, number: string): Promise<string | null> {
  const answer = await started(traveller, '/api/payment/create', number);
  if (answer === null) return null;
  const { headers } = traveller;
  const page = await call(field(answer, 'paymentUrl'), { headers });
  const { action, fields } = formIn(await page.text());
  const checkout = await call(action, { method: 'POST', body: fields, redirect: 'manual' });
  if (checkout.status !== 303) throw new Error(`gateway: ${checkout.status}`);
  return field(answer, 'paymentId');
}

/**
 * Pays by card and comes back. `lostResult`: neither browser nor notification brings the result, so that the service has
 * to ask for it.
 */
export async function payByCard(
  traveller: Traveller,
  number: string,
  { leaves, lostResult }: { leaves: boolean; lostResult: boolean },
): Promise<boolean> {
  const attemptId = await startCard(traveller, number);
  if (attemptId === null) return true;
  const { gateway, silent } = traveller.doubles;
  if (lostResult) {
    silent.add(attemptId);
    void gateway.faults.plan({ on: 'notification', how: 'never', orderRef: attemptId });
    void gateway.faults.plan({ on: 'return', how: 'never', orderRef: attemptId });
  }
  const back = await captureAtGateway(traveller, attemptId);
  // A browser that loses the redirect does not try again: the payment is captured, and the service must find out.
  if (!leaves) await call(back, { headers: traveller.headers }).catch(() => undefined);
  return true;
}

/** Has the gateway capture; returns where the browser would go then. */
export async function captureAtGateway(
  { doubles: { gateway } }: Traveller,
  attemptId: string,
): Promise<string> {
  const answer = await payAtGateway(gateway, attemptId, card);
  if (answer.kind !== 'decided') throw new Error(`gateway: ${answer.kind}`);
  return returnAddress(gateway, answer.transaction);
}
