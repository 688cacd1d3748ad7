import type { RejectionCode } from '~/features/application/rejection.ts';
import type { RefundCause } from '~/features/order/refund-cause.ts';

type Ending = { visa: RejectionCode | null; insurance: RejectionCode | null };

const both = (code: RejectionCode | null): Ending => ({ visa: code, insurance: code });

/**
 * The code with which an application is rejected when it is refunded for this cause; null leaves it to its reviewer.
 * Compensation for a fault of ours (a missed promise, a mistake, an overcharge) ends nothing, and what our system
 * failed to submit is rejected by a person who writes why.
 */
const endings: Readonly<Record<RefundCause, Ending>> = {
  cancelled: both('withdrawn'),
  illness: both('withdrawn'),
  disaster: both('withdrawn'),
  duplicate_payment: both('duplicate'),
  not_available: { visa: 'not_for_nationality', insurance: 'not_insurable' },
  visa_refused: { visa: 'authorities_refused', insurance: 'withdrawn' },
  insurance_rejected: { visa: null, insurance: 'not_insurable' },
  missed_promise: both(null),
  our_error: both(null),
  overcharged: both(null),
  not_submitted: both(null),
  // The rejection has ended it.
  rejected_by_us: both(null),
};

export const endingOf = (cause: RefundCause, kind: keyof Ending): RejectionCode | null =>
  endings[cause][kind];
