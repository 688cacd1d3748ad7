import { z } from 'zod';
import type { Notification, ProviderRefundEvent } from '../provider.ts';
import {
  captureEventOf,
  markedRefund,
  paypalCapture,
  paypalRefund,
  readAmount,
  refundState,
  type PaypalRefund,
} from './paypal-order.ts';

const webhook = z.object({
  id: z.string().min(1).max(200),
  event_type: z.string(),
  resource: z.unknown(),
});

/** The ids of our attempts; other software on the same account has other custom ids. */
const ours = z.uuid();

const approved = z.object({ purchase_units: z.array(z.object({ custom_id: ours })).min(1) });

/** What a webhook means, once its signature is verified. */
export function readWebhook(body: unknown): Notification {
  const event = webhook.safeParse(body).data;
  if (!event) return { kind: 'irrelevant' };
  const { event_type: type, resource } = event;
  if (/^PAYMENT\.CAPTURE\.(COMPLETED|PENDING|DENIED|DECLINED)$/.test(type))
    return capture(resource);
  if (/^PAYMENT\.(CAPTURE\.(REFUNDED|REVERSED)|REFUND\.\w+)$/.test(type)) {
    const refund = paypalRefund.safeParse(resource).data;
    return refund ? { kind: 'refunds', events: [refundEventOf(refund)] } : { kind: 'irrelevant' };
  }
  // The payer has approved but may not come back, or the approval has expired: asking for the order tells which.
  if (type === 'CHECKOUT.ORDER.APPROVED' || type === 'CHECKOUT.PAYMENT-APPROVAL.REVERSED') {
    const attemptId = approved.safeParse(resource).data?.purchase_units[0]?.custom_id;
    if (attemptId) return { kind: 'ask', attemptId };
  }
  return { kind: 'irrelevant' };
}

function capture(resource: unknown): Notification {
  const captured = paypalCapture.safeParse(resource).data;
  const attemptId = ours.safeParse(captured?.custom_id).data;
  if (!captured || !attemptId) return { kind: 'irrelevant' };
  const orderId = captured.supplementary_data?.related_ids?.order_id ?? null;
  const providerEvent = captureEventOf(captured, { attemptId, orderId });
  return providerEvent ? { kind: 'payment', event: providerEvent } : { kind: 'irrelevant' };
}

function refundEventOf(refund: PaypalRefund): ProviderRefundEvent {
  const up = refund.links?.find(({ rel }) => rel === 'up')?.href;
  return {
    eventId: `refund:${refund.id}:${refund.status}`,
    providerRefundId: refund.id,
    refundId: markedRefund(refund.custom_id),
    captureId: up?.match(/\/captures\/([A-Za-z0-9]+)/)?.[1] ?? null,
    state: refundState(refund.status),
    amount: readAmount(refund.amount),
    payload: {
      status: refund.status,
      refundId: refund.id,
      amount: refund.amount?.value ?? null,
      currency: refund.amount?.currency_code ?? null,
    },
  };
}
