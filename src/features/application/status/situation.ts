import type { StatusView } from './status-view.ts';

export type Situation =
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
 * Which situation the card explains first. `updating` is the specification's default, for a status this page does not
 * know.
 */
export function situationOf(view: StatusView): Situation {
  if (view.status === 'rejected' || view.status === 'approved') return view.status;
  if (view.confirming) return 'confirming';
  if (view.closed) return 'closed';
  if (view.payable) return 'unpaid';
  if (view.correction) return 'correcting';
  if (view.decidedBy === 'service' && view.status === 'pending') return 'issuing';
  return view.status === 'pending' || view.status === 'processing' ? view.status : 'updating';
}

/** The closed days that promises paid together skip: those of the latest promise that is still to be kept. */
export const skippedOf = (views: readonly StatusView[]): StatusView['skipped'] =>
  views
    .filter((view) => ['pending', 'processing'].includes(situationOf(view)))
    .map(({ skipped, promisedAt }) => ({ skipped, at: promisedAt?.getTime() ?? 0 }))
    .reduce((latest, one) => (one.at > latest.at ? one : latest), { skipped: [], at: 0 }).skipped;
