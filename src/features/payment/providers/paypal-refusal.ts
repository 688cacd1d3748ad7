import { z } from 'zod';

const refusal = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string() })).optional(),
});

/** PayPal's code for a refusal: `details[0].issue`, or the error's name; null without one. */
export function issueOf(body: unknown): string | null {
  const error = refusal.safeParse(body).data;
  return error?.details?.[0]?.issue ?? error?.name ?? null;
}

/**
 * Issues of a capture after which the order cannot be captured: the payer has to pay in another way (Orders v2,
 * capture, 422 and 403). For all others the provider is asked again.
 */
const declines = new Set([
  'INSTRUMENT_DECLINED',
  'TRANSACTION_REFUSED',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_RECEIVING_LIMIT_EXCEEDED',
  'TRANSACTION_BLOCKED_BY_PAYEE',
  'PAYEE_BLOCKED_TRANSACTION',
  'COMPLIANCE_VIOLATION',
  'DOMESTIC_TRANSACTION_REQUIRED',
  'DECLINED_DUE_TO_RELATED_TXN',
]);

export const isDecline = (issue: string | null): issue is string =>
  issue !== null && declines.has(issue);
