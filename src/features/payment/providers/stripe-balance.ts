import { z } from 'zod';
import type { Movement, MovementKind } from '../provider.ts';
import { readAmount } from './stripe-session.ts';

const metadata = z.record(z.string(), z.string()).nullish();
/** The charge, refund or dispute that moved the money, expanded; of anything else only the id. */
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
      /** Seconds since 1970. */
      created: z.int(),
      /** Before the fee, below zero where it leaves the balance. */
      amount: z.int(),
      /** Of the account's balance, in which the fee is; the payer's may be another. */
      currency: z.string(),
      fee: z.int(),
      source: source.nullish(),
    }),
  ),
  has_more: z.boolean(),
});
export type BalanceTransaction = z.infer<typeof balanceTransactions>['data'][number];

const kinds: Record<string, MovementKind> = {
  charge: 'capture',
  payment: 'capture',
  refund: 'refund',
  payment_refund: 'refund',
  // A refund that came back.
  refund_failure: 'refund',
  // Of a dispute, as its source says.
  adjustment: 'dispute',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
};

/**
 * A balance transaction as a movement; null where it is none of ours: other adjustments, and what other software on the
 * account took. Our captures name the order; a refund and a dispute name the charge, which may be somebody else's.
 * Payouts and fees are those of the whole account.
 */
export function movementOf(transaction: BalanceTransaction): Movement | null {
  const { id, type, created, amount, currency, fee, source: moved } = transaction;
  const kind = kinds[type];
  if (!kind) return null;
  const movement: Movement = {
    id,
    kind,
    at: new Date(created * 1000),
    captureId: null,
    refundId: null,
    amount: readAmount(amount, currency),
    fee: readAmount(fee, currency),
  };
  if (kind === 'payout') return movement;
  // The whole of such a line is a fee.
  if (kind === 'fee')
    return { ...movement, amount: readAmount(0, currency), fee: readAmount(-amount, currency) };
  if (typeof moved !== 'object' || !moved) return null;
  if (kind === 'dispute') {
    const { object, charge } = moved;
    return object === 'dispute' && charge ? { ...movement, captureId: charge } : null;
  }
  if (kind === 'capture')
    return moved.metadata?.order ? { ...movement, captureId: moved.id } : null;
  return moved.charge ? { ...movement, captureId: moved.charge, refundId: moved.id } : null;
}
