import { z } from 'zod';
import type { Movement } from '../provider.ts';
import { readAmount } from './stripe-session.ts';

const metadata = z.record(z.string(), z.string()).nullish();
/** The charge or refund that moved the money, expanded; of anything else only the id. */
const source = z.union([
  z.string(),
  z.looseObject({
    id: z.string(),
    object: z.string(),
    charge: z.string().nullish(),
    metadata,
  }),
]);

export const balanceTransactions = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1).max(200),
      type: z.string(),
      /** Of the account's balance, in which the fee is; the payer's may be another. */
      currency: z.string(),
      fee: z.int(),
      source: source.nullish(),
    }),
  ),
  has_more: z.boolean(),
});
export type BalanceTransaction = z.infer<typeof balanceTransactions>['data'][number];

const kinds: Record<string, Movement['kind']> = {
  charge: 'capture',
  payment: 'capture',
  refund: 'refund',
  payment_refund: 'refund',
};

/**
 * A balance transaction as a movement; null where it is none of ours: payouts, Stripe's own invoices, adjustments, and
 * what other software on the account took. Ours name the order, or the refund that we asked for.
 */
export function movementOf(transaction: BalanceTransaction): Movement | null {
  const { id, type, currency, fee, source: moved } = transaction;
  const kind = kinds[type];
  if (!kind || typeof moved !== 'object' || !moved) return null;
  if (!moved.metadata?.order && !moved.metadata?.refund) return null;
  const captureId = kind === 'capture' ? moved.id : moved.charge;
  return captureId ? { id, kind, captureId, fee: readAmount(fee, currency) } : null;
}
