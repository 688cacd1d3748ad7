import { describe, expect, it } from 'vitest';
import {
  isClaiming,
  isMoving,
  refundEvents,
  refundMachine,
  refundStates,
} from './refund-machine.ts';

/** The whole table: state × event → state; null is not possible. */
const expected = {
  held: { release: 'requested', withdraw: 'withdrawn' },
  requested: {
    undo: 'withdrawn',
    send: 'sent',
    wait: 'pending',
    complete: 'completed',
    fail: 'failed',
  },
  sent: { wait: 'pending', complete: 'completed', fail: 'failed' },
  pending: { complete: 'completed', fail: 'failed' },
  completed: {},
  failed: {},
  withdrawn: {},
} as const;

describe('a refund', () => {
  it.each(refundStates.flatMap((state) => refundEvents.map((event) => [state, event] as const)))(
    '%s on %s',
    (state, event) => {
      const to = Object.entries(expected[state]).find(([name]) => name === event)?.[1] ?? null;
      expect(refundMachine.next(state, event)).toBe(to);
    },
  );

  it('sends nothing that somebody still has to release', () => {
    expect(refundMachine.next('held', 'send')).toBeNull();
    expect(isMoving('held')).toBe(false);
  });

  it('claims its part until it failed or was withdrawn', () => {
    expect(refundStates.filter((state) => !isClaiming(state))).toEqual(['failed', 'withdrawn']);
  });
});
