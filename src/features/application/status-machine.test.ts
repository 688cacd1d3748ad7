import { describe, expect, it, test } from 'vitest';
import {
  applicationStatuses,
  isFinal,
  paymentStatus,
  statusEvents,
  statusMachine,
  type ApplicationStatus,
  type StatusEvent,
} from './status-machine.ts';

/** Status, event, what it becomes. */
const table: readonly [ApplicationStatus, StatusEvent, ApplicationStatus | null][] = [
  ['pending', 'start_processing', 'processing'],
  ['pending', 'approve', 'approved'],
  ['pending', 'reject', 'rejected'],
  ['processing', 'start_processing', null],
  ['processing', 'approve', 'approved'],
  ['processing', 'reject', 'rejected'],
  ['approved', 'start_processing', null],
  ['approved', 'approve', null],
  ['approved', 'reject', null],
  ['rejected', 'start_processing', null],
  ['rejected', 'approve', null],
  ['rejected', 'reject', null],
];

describe('an application', () => {
  test.each(table)('%s, %s: %s', (status, event, after) => {
    expect(statusMachine.next(status, event)).toBe(after);
  });

  it('has every status and event in the table above', () => {
    expect(table).toHaveLength(applicationStatuses.length * statusEvents.length);
  });

  it('stays approved or rejected for good, and never falls back to pending', () => {
    for (const from of applicationStatuses) {
      for (const to of applicationStatuses) {
        if (isFinal(from)) expect(statusMachine.canReach(from, to)).toBe(from === to);
        if (from !== 'pending') expect(statusMachine.canReach(from, 'pending')).toBe(false);
      }
    }
    expect(applicationStatuses.filter(isFinal)).toEqual(['approved', 'rejected']);
  });
});

describe('its payment status', () => {
  test.each([
    [false, false, 'pending'],
    [false, true, 'failed'],
    [true, false, 'completed'],
    [true, true, 'completed'],
  ])('order paid: %s, newest attempt failed: %s: %s', (paid, latestAttemptFailed, status) => {
    expect(paymentStatus({ paid, latestAttemptFailed })).toBe(status);
  });
});
