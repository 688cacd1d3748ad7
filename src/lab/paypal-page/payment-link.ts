import { paypalCalls } from './paypal-calls.ts';

/** The prefixes of our order numbers; anything else is an id of PayPal's. */
const OUR_NUMBER = /^TR[VIG]/i;

/**
 * PayPal's page for the order in the query, or for a new one; null where there is none. PayPal's order is checked
 * first.
 * @throws A `CallError`.
 */
export async function findPaymentLink({
  amount,
  orderId,
}: {
  amount?: string;
  orderId?: string;
}): Promise<string | null> {
  const isPaypals = orderId && !OUR_NUMBER.test(orderId);
  if (isPaypals) return (await paypalCalls.readOrder(orderId)).approveUrl;
  const made = await paypalCalls.createOrder({ amount, orderReference: orderId });
  if (!made.id) return null;
  const seen = await paypalCalls.readOrder(made.id);
  return seen.approveUrl ?? made.approveUrl;
}
