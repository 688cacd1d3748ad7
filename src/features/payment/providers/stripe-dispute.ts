import { z } from 'zod';
import type { ProviderDispute } from '../provider.ts';
import { readAmount } from './stripe-session.ts';

export const stripeDispute = z.object({
  id: z.string().min(1).max(200),
  amount: z.int(),
  currency: z.string(),
  reason: z.string().nullish(),
  status: z.string(),
  charge: z.object({
    id: z.string(),
    metadata: z.record(z.string(), z.string()).nullish(),
  }),
});
export type StripeDispute = z.infer<typeof stripeDispute>;

export const disputeOf = (dispute: StripeDispute): ProviderDispute => ({
  disputeId: dispute.id,
  captureId: dispute.charge.id,
  status: dispute.status,
  reason: dispute.reason ?? null,
  amount: readAmount(dispute.amount, dispute.currency),
});
