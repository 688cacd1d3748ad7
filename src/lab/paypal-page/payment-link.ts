import { paypalCalls } from './paypal-calls.ts';

/** Our order numbers begin so; anything else is PayPal's. */
const OUR_NUMBER = /^TR[VIG]/i;

/**
 * PayPal's page for the order that the query names, or for a new one; null where there is none to go to. PayPal's
 * order is looked at before anybody is sent there.
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
