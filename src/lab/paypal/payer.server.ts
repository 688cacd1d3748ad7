import type { CaptureOutcome, DeliveryManner, FaultCall, FaultKind } from './scenarios.ts';
import {
  addFault,
  changeOrder,
  lockedOrder,
  wholeOrder,
  type StoredOrder,
} from './paypal-store.server.ts';
import { orderJson } from './representation.ts';
import type { SimulatedPaypal } from './simulated-paypal.server.ts';
import { sendWebhook } from './webhooks.server.ts';

/**
 * The payer presses Approve. `outcome`: the result of the capture; `deliveries`: how the order's webhooks are sent.
 * Returns where the browser goes; null for an unknown order. Pressing again changes nothing.
 */
export async function approve(
  paypal: SimulatedPaypal,
  orderId: string,
  { outcome = 'completed', deliveries = 'once' }: PayerChoice = {},
): Promise<string | null> {
  return paypal.db.transaction(async (tx) => {
    const order = await lockedOrder(tx, orderId);
    if (!order) return null;
    if (order.status === 'PAYER_ACTION_REQUIRED') {
      await changeOrder(tx, orderId, { status: 'APPROVED', outcome, deliveries });
      const whole = await wholeOrder(tx, orderId);
      if (whole) {
        await sendWebhook(tx, paypal, whole.order, {
          type: 'CHECKOUT.ORDER.APPROVED',
          resourceType: 'checkout-order',
          resource: orderJson(whole, paypal),
          before: 0,
        });
      }
    }
    return returnAddress(order);
  });
}

export type PayerChoice = { outcome?: CaptureOutcome; deliveries?: DeliveryManner };

/** The payer presses Cancel: PayPal leaves the order as it is and sends no webhook. */
export async function cancel(paypal: SimulatedPaypal, orderId: string): Promise<string | null> {
  const whole = await wholeOrder(paypal.db, orderId);
  if (!whole) return null;
  const url = new URL(whole.order.cancelUrl);
  url.searchParams.set('token', orderId);
  return url.href;
}

export function returnAddress(order: StoredOrder): string {
  const url = new URL(order.returnUrl);
  url.searchParams.set('token', order.id);
  url.searchParams.set('PayerID', 'LALETESTPAYER');
  return url.href;
}

/** Makes the next call of a kind fail, once. */
export async function playScenario(
  paypal: SimulatedPaypal,
  call: FaultCall,
  kind: FaultKind,
): Promise<void> {
  await addFault(paypal.db, { call, kind, at: new Date() });
}
