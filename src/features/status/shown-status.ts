import type { StatusView } from './status-view.ts';

export type ShownStatus =
  | 'pending'
  | 'processing'
  | 'approved'
  | 'rejected'
  | 'unpaid'
  | 'correcting'
  | 'closed'
  | 'confirming'
  | 'issuing'
  | 'updating';

/**
 * The status that the card explains first. `updating` is the specification's default, for a status this page does not
 * know.
 */
export function shownStatusOf(view: StatusView): ShownStatus {
  if (view.status === 'rejected' || view.status === 'approved') return view.status;
  if (view.awaited) return 'confirming';
  if (view.closed) return 'closed';
  if (view.payable) return 'unpaid';
  if (view.correction) return 'correcting';
  if (view.decidedBy === 'service' && view.status === 'pending') return 'issuing';
  return view.status === 'pending' || view.status === 'processing' ? view.status : 'updating';
}

/**
 * What the document that can be downloaded is. A cancelled insurance has a certificate that says so: proof of when it
 * ended, and no longer of cover.
 */
export const documentOf = ({
  kind,
  cancelledAt,
}: Pick<StatusView, 'kind' | 'cancelledAt'>): 'visa' | 'insurance' | 'cancelledInsurance' =>
  kind === 'insurance' && cancelledAt ? 'cancelledInsurance' : kind;

/** Cancelled by its payer, or rejected because the traveller asked for it, without further words. */
export const isWithdrawn = ({
  status,
  rejection,
  cancelledAt,
}: Pick<StatusView, 'status' | 'rejection' | 'cancelledAt'>): boolean =>
  cancelledAt !== null ||
  (status === 'rejected' && rejection?.code === 'withdrawn' && !rejection.words);
