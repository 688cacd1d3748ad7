/** The gateway's checkout of a payment; null without the payment's id, which it requires. */
export function redirectAddress(gatewayPage: string, id: string): string | null {
  if (id === '') return null;
  const address = new URL(gatewayPage);
  address.searchParams.set('order', id);
  return address.href;
}

type StartedDebugPayment = { raw: string; paymentUrl: string | null };

/** `POST /api/payment/create` as the debug page sends it; returns the raw response. */
export async function startPayment(orderId: string): Promise<StartedDebugPayment> {
  const asked = {
    amount: 114,
    currency: 'USD',
    description: '7-day insurance (test)',
    customerEmail: 'lab@lale.example',
    customerName: 'Lale Lab',
    ...(orderId && { orderId }),
  };
  try {
    const response = await fetch('/api/payment/create', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    });
    const answer: unknown = await response.json().catch(() => null);
    const raw = JSON.stringify({ status: response.status, answer }, null, 2);
    return { raw, paymentUrl: response.ok ? paymentUrlOf(answer) : null };
  } catch {
    return { raw: JSON.stringify({ status: 0, answer: null }, null, 2), paymentUrl: null };
  }
}

function paymentUrlOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('paymentUrl' in answer)) return null;
  const { paymentUrl } = answer;
  return typeof paymentUrl === 'string' && /^(https?:\/\/|\/)/.test(paymentUrl) ? paymentUrl : null;
}
