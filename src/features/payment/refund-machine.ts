import { defineMachine } from '~/base/machine.ts';

/**
 * The states of one refund. `held`: waits for a release. `sent`: the provider was called, with unknown result.
 * `pending`: the provider is processing it.
 */
export const refundStates = [
  'held',
  'requested',
  'sent',
  'pending',
  'completed',
  'failed',
  'withdrawn',
] as const;
export type RefundProgress = (typeof refundStates)[number];

/**
 * `release`, `withdraw`, `undo` (of the decision that asked for it) and `send` are ours, the others reported by the
 * provider, possibly before our own are stored.
 */
export const refundEvents = [
  'release',
  'withdraw',
  'undo',
  'send',
  'wait',
  'complete',
  'fail',
] as const;
export type RefundEvent = (typeof refundEvents)[number];

const decided = { complete: 'completed', fail: 'failed' } as const;

export const refundMachine = defineMachine(refundStates, refundEvents, {
  held: { release: 'requested', withdraw: 'withdrawn' },
  requested: { undo: 'withdrawn', send: 'sent', wait: 'pending', ...decided },
  sent: { wait: 'pending', ...decided },
  pending: decided,
  completed: {},
  failed: {},
  withdrawn: {},
});

/** Being processed by the provider, or about to be: the sweep asks until it is decided. */
export const movingStates = ['requested', 'sent', 'pending'] as const;

export const isMoving = (state: RefundProgress): boolean =>
  movingStates.some((moving) => moving === state);

/** Counts against the capture: refunded, or meant to be. */
export const isClaiming = (state: RefundProgress): boolean =>
  state !== 'failed' && state !== 'withdrawn';
