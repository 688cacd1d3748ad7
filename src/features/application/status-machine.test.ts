import { describe, expect, it, test } from 'vitest';
import {
  applicationStatuses,
  isFinal,
  mayDecide,
  paymentStatus,
  statusEvents,
  statusMachine,
  type ApplicationStatus,
  type StatusEvent,
} from './status-machine.ts';

/** Status, event, what it becomes, whether staff may do it before payment. */
const table: readonly [ApplicationStatus, StatusEvent, ApplicationStatus | null, boolean][] = [
  ['pending', 'start_processing', 'processing', false],
  ['pending', 'approve', 'approved', false],
  ['pending', 'reject', 'rejected', true],
  ['processing', 'start_processing', null, false],
  ['processing', 'approve', 'approved', false],
  ['processing', 'reject', 'rejected', true],
  ['approved', 'start_processing', null, false],
  ['approved', 'approve', null, false],
  ['approved', 'reject', null, false],
  ['rejected', 'start_processing', null, false],
  ['rejected', 'approve', null, false],
  ['rejected', 'reject', null, false],
];

describe('an application', () => {
  test.each(table)('%s, %s: %s (unpaid: %s)', (status, event, after, unpaid) => {
    expect(statusMachine.next(status, event)).toBe(after);
    expect(mayDecide({ kind: 'visa', status, paid: true }, event)).toBe(after !== null);
    expect(mayDecide({ kind: 'visa', status, paid: false }, event)).toBe(unpaid);
    // Nothing of an insurance goes to the authorities.
    expect(mayDecide({ kind: 'insurance', status, paid: true }, event)).toBe(
      after !== null && event !== 'start_processing',
    );
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
