import { expect } from 'vitest';
import { isOpen } from '../../machine.ts';
import { PRICE, type Partner } from './partner.ts';
import type { Sight } from './system.ts';

/** What must hold after every step: the six invariants of a purchase, for one order. */
export function expectInvariants(sight: Sight, partner: Partner): void {
  const completed = sight.attempts.filter(({ isCompleted }) => isCompleted);
  const captureIds = sight.attempts.flatMap(({ captureId }) => captureId ?? []);
  // 1. One capture, one completed attempt, one paid order.
  expect(completed.length).toBeLessThanOrEqual(1);
  expect(sight.paidBy).toBe(completed[0]?.id ?? null);
  expect(new Set(captureIds).size).toBe(captureIds.length);
  for (const attempt of sight.attempts) {
    const truth = partner.payments.get(attempt.id);
    const { captured, refunded } = partner.money(attempt.id);
    // 2. Nothing is paid without a provider's event about money that was captured.
    const saysPaid = ['completed', 'partially_refunded', 'refunded', 'captured_late'];
    if (saysPaid.includes(attempt.state)) {
      expect(truth?.captureId).not.toBeNull();
      expect(attempt.captureId).toBe(truth?.captureId);
    } else expect(attempt.isCompleted).toBe(false);
    // 3. Refunds, pending ones included, never exceed the capture, here or at the provider.
    expect(attempt.refundedMinor).toBeLessThanOrEqual(attempt.claimedMinor);
    expect(attempt.claimedMinor).toBeLessThanOrEqual(PRICE);
    expect(refunded).toBeLessThanOrEqual(captured);
    expect(refunded).toBeLessThanOrEqual(attempt.claimedMinor);
    expect(attempt.refundedMinor).toBeLessThanOrEqual(refunded);
  }
  // 4. and 6. The inbox holds every event once, those that matched nothing included.
  const events = sight.inbox.map(({ eventId }) => eventId);
  expect(new Set(events).size).toBe(events.length);
  for (const { attemptId, result } of sight.inbox) {
    expect(attemptId === null).toBe(result === 'unknown_reference');
    expect(result).not.toBe('received');
  }
}

/** What must hold at the end, after all events and waiting. */
export function expectEnd(sight: Sight, partner: Partner): void {
  // 5. Nothing is left undecided, and a missing answer was never taken for a result.
  expect(sight.attempts.filter(({ state }) => isOpen(state))).toEqual([]);
  expect(sight.movingRefunds).toBe(0);
  const captured = [...partner.payments].filter(([, { captureId }]) => captureId);
  expect(sight.paidBy !== null).toBe(captured.length > 0);
  for (const [id] of captured) {
    const attempt = sight.attempts.find((seen) => seen.id === id);
    const { refunded } = partner.money(id);
    expect(attempt?.refundedMinor).toBe(refunded);
    if (id === sight.paidBy) continue;
    // More was captured than the order's price: refunded, unless the provider refused and staff were alerted.
    if (refunded !== PRICE) expect(sight.failedRefunds).toBeGreaterThan(0);
  }
}
