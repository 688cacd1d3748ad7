import { approve, captureOrder } from '~/lab/paypal/simulated-paypal.server.ts';
import { unanswered } from './doubles.ts';
import { call, field, persist } from './retrying-client.ts';
import { started, type Traveller } from './traveller.ts';

type Begun = { id: string; attemptId: string };

/** Presses our PayPal button; null where the order is paid already. */
export async function startPaypal(traveller: Traveller, number: string): Promise<Begun | null> {
  const answer = await started(traveller, '/paypal/order', number);
  return answer === null
    ? null
    : { id: field(answer, 'id'), attemptId: field(answer, 'paymentId') };
}

/** Approves at PayPal and comes back, repeatedly until the service answers, unless the payer leaves. */
export async function approveAtPaypal(
  traveller: Traveller,
  number: string,
  { leaves }: { leaves: boolean },
): Promise<boolean> {
  const begun = await startPaypal(traveller, number);
  if (begun === null) return true;
  const { doubles, armedPoint, headers, committed } = traveller;
  const back = await approve(doubles.paypal, begun.id);
  if (back === null) throw new Error('PayPal does not know the order');
  if (leaves) return true;
  await persist(async () => {
    const isKillPoint = armedPoint.take('paypal notified');
    const coming = call(back, { headers });
    if (isKillPoint) return unanswered(coming, committed(begun.attemptId), armedPoint);
    return coming;
  });
  return true;
}

/** Has PayPal capture without a call of ours. */
export async function captureAtPaypal({ doubles: { paypal } }: Traveller, { id }: Begun) {
  await approve(paypal, id);
  await paypal.db.transaction((tx) => captureOrder(tx, paypal, id));
}
