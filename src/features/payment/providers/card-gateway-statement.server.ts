import { z } from 'zod';
import { parseMoney } from '~/base/money.ts';
import type { CardGatewayConfig } from '~/platform/config/config-card-gateway.server.ts';
import type { PaymentEvent } from '../machine.ts';
import type { ProviderEvent, ProviderRefundEvent } from '../provider.ts';
import { isSigned } from './signed-fields.server.ts';

const text = z.union([z.string(), z.number()]).transform(String);

/** The gateway's message about a transaction, once its signature is verified. */
export const paymentStatement = z.object({
  eventId: z.string().min(1).max(200),
  status: z.enum(['created', 'completed', 'declined', 'cancelled']),
  transactionId: z.string().min(1).max(200),
  orderId: z.uuid(),
  amount: text,
  currency: z.string().optional(),
  captureId: z.string().max(200).optional(),
  cardLast4: z.string().max(4).optional(),
  /** The sum refunded so far. */
  refundedAmount: text.optional(),
  reason: z.string().max(200).optional(),
  timestamp: text.optional(),
});

/** Its message about one refund. `refundRef` is our id, where we asked for it. */
export const refundStatement = z.object({
  type: z.literal('refund'),
  eventId: z.string().min(1).max(200),
  status: z.enum(['pending', 'completed', 'failed']),
  refundId: z.string().min(1).max(200),
  refundRef: z.string().max(200).optional(),
  transactionId: text.optional(),
  captureId: z.string().max(200).optional(),
  amount: text.optional(),
  currency: z.string().optional(),
});

const events: Record<'completed' | 'declined' | 'cancelled', PaymentEvent> = {
  completed: 'capture',
  declined: 'decline',
  cancelled: 'cancel',
};

export type PaymentStatement = z.infer<typeof paymentStatement>;
export type RefundStatement = z.infer<typeof refundStatement>;

type Keys = Pick<CardGatewayConfig, 'providerPublicKeys' | 'digest'>;

/** A payload's content about a payment or a refund, if its signature is valid; otherwise null. */
export function readStatement(
  payload: string,
  { providerPublicKeys, digest }: Keys,
): { payment: PaymentStatement } | { refund: RefundStatement } | null {
  const fields = decode(payload);
  if (!fields || !isSigned(fields, providerPublicKeys, digest)) return null;
  const refund = refundStatement.safeParse(fields);
  if (refund.success) return { refund: refund.data };
  const payment = paymentStatement.safeParse(fields);
  return payment.success ? { payment: payment.data } : null;
}

/** `nothing`: registered and not decided yet. */
export function interpretPayment(payment: PaymentStatement): ProviderEvent | 'nothing' {
  if (payment.status === 'created') return 'nothing';
  return {
    eventId: payment.eventId,
    attemptId: payment.orderId,
    event: events[payment.status],
    amount: payment.currency === 'USD' ? parseMoney(payment.amount) : null,
    providerReference: payment.transactionId,
    captureId: payment.captureId ?? (payment.status === 'completed' ? payment.transactionId : null),
    reason: payment.reason ?? null,
    payload: {
      status: payment.status,
      transactionId: payment.transactionId,
      amount: payment.amount,
      currency: payment.currency ?? null,
      cardLast4: payment.cardLast4 ?? null,
      reason: payment.reason ?? null,
      timestamp: payment.timestamp ?? null,
    },
  };
}

export function interpretRefund(refund: RefundStatement): ProviderRefundEvent {
  return {
    eventId: refund.eventId,
    providerRefundId: refund.refundId,
    refundId: refund.refundRef ?? null,
    captureId: refund.captureId ?? null,
    state: refund.status,
    amount: refund.currency === 'USD' ? parseMoney(refund.amount ?? '') : null,
    payload: {
      status: refund.status,
      refundId: refund.refundId,
      amount: refund.amount ?? null,
      currency: refund.currency ?? null,
    },
  };
}

/** Decodes base64 JSON of one flat object of texts and numbers, as the gateway sends it; null for anything else. */
function decode(payload: string): Record<string, string> | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
    const fields = z.record(z.string(), text).safeParse(json);
    return fields.success ? fields.data : null;
  } catch {
    return null;
  }
}
