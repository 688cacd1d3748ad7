import type { PaymentState } from './machine.ts';

/**
 * Why an attempt may be captured at any moment, so that nobody may begin another one beside it. `held`: the provider has
 * accepted it and checks it. `confirming`: the payer has approved it. `awaited`: the payer's browser came back from the
 * provider, which has not said yet whether anything was paid.
 */
export const awaitedReasons = ['held', 'confirming', 'awaited'] as const;
export type AwaitedReason = (typeof awaitedReasons)[number];

export type Awaitable = {
  state: PaymentState;
  supersededAt: Date | null;
  cameBackAt: Date | null;
};

/**
 * Null for an attempt that has ended, that pays nothing any more, or whose payer has not come back from the provider's
 * page: such a payer may go on there, or end it by paying in another way. The same as SQL: `awaitedSql`.
 */
export function awaitedReason({
  state,
  supersededAt,
  cameBackAt,
}: Awaitable): AwaitedReason | null {
  if (supersededAt !== null) return null;
  if (state === 'pending') return 'held';
  if (state === 'authorised') return 'confirming';
  const isAtProvider = state === 'created' || state === 'redirected';
  return isAtProvider && cameBackAt !== null ? 'awaited' : null;
}
