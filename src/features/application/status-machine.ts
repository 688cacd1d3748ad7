import { defineMachine } from '~/base/machine.ts';

/** `processing`: a reviewer has sent it to the authorities. `approved` and `rejected` are final. */
export const applicationStatuses = ['pending', 'processing', 'approved', 'rejected'] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

export const statusEvents = ['start_processing', 'approve', 'reject'] as const;
export type StatusEvent = (typeof statusEvents)[number];

/** The life of an application, visa and insurance alike. "Action required" is a flag beside it, not a status. */
export const statusMachine = defineMachine(applicationStatuses, statusEvents, {
  pending: { start_processing: 'processing', approve: 'approved', reject: 'rejected' },
  processing: { approve: 'approved', reject: 'rejected' },
  approved: {},
  rejected: {},
});

export const isFinal = (status: ApplicationStatus): boolean =>
  status === 'approved' || status === 'rejected';

export const paymentStatuses = ['pending', 'completed', 'failed'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * An application's payment status: completed once its order is paid (also after a refund), failed after a failed
 * attempt until the next begins, otherwise pending. `latestAttemptFailed`: of the order's newest attempt.
 */
export function paymentStatus(order: {
  paid: boolean;
  latestAttemptFailed: boolean;
}): PaymentStatus {
  if (order.paid) return 'completed';
  return order.latestAttemptFailed ? 'failed' : 'pending';
}
