import type { PaymentState } from '~/features/payment/machine.ts';

/** PayPal's statuses, as its buttons expect them; only COMPLETED is paid. */
export const paypalStatuses = [
  'PAYER_ACTION_REQUIRED',
  'APPROVED',
  'PENDING',
  'COMPLETED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'REFUNDED',
] as const;
export type PaypalStatus = (typeof paypalStatuses)[number];

const statuses: Record<PaymentState, PaypalStatus> = {
  created: 'PAYER_ACTION_REQUIRED',
  redirected: 'PAYER_ACTION_REQUIRED',
  authorised: 'APPROVED',
  pending: 'PENDING',
  completed: 'COMPLETED',
  partially_refunded: 'COMPLETED',
  failed: 'DECLINED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
  captured_late: 'REFUNDED',
  refunded: 'REFUNDED',
};

export const paypalStatus = (state: PaymentState): PaypalStatus => statuses[state];

const messages: Record<PaypalStatus, string> = {
  PAYER_ACTION_REQUIRED: 'The payment is not approved, or PayPal has not confirmed it yet',
  APPROVED: 'The payment is approved and not taken yet',
  PENDING: 'PayPal is reviewing the payment',
  COMPLETED: 'Payment completed',
  DECLINED: 'PayPal declined the payment',
  CANCELLED: 'The payment was cancelled',
  EXPIRED: 'The payment has expired',
  REFUNDED: 'This payment goes back to the payer',
};

/** One sentence in English, for clients that show the server's message. */
export const paypalMessage = (status: PaypalStatus): string => messages[status];
