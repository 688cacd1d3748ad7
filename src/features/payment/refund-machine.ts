import { defineMachine } from '~/base/machine.ts';

/**
 * The life of one refund. `held` waits for somebody's release. `sent`: the provider was called, and what it did is not
 * known yet. `pending`: the provider has it and is not done.
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

/** release, withdraw and send are ours, the others a provider's word, which may overtake what we write down. */
export const refundEvents = ['release', 'withdraw', 'send', 'wait', 'complete', 'fail'] as const;
export type RefundEvent = (typeof refundEvents)[number];

const decided = { complete: 'completed', fail: 'failed' } as const;

export const refundMachine = defineMachine(refundStates, refundEvents, {
  held: { release: 'requested', withdraw: 'withdrawn' },
  requested: { send: 'sent', wait: 'pending', ...decided },
  sent: { wait: 'pending', ...decided },
  pending: decided,
  completed: {},
  failed: {},
  withdrawn: {},
});

/** On its way at the provider or to it: the sweep asks until it is decided. */
export const movingStates = ['requested', 'sent', 'pending'] as const;

export const isMoving = (state: RefundProgress): boolean =>
  movingStates.some((moving) => moving === state);

/** Takes its part of the capture: what has gone back, and what is meant to. */
export const isClaiming = (state: RefundProgress): boolean =>
  state !== 'failed' && state !== 'withdrawn';
