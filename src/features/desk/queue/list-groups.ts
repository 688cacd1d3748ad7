import type { QueueGroup } from '~/features/application/queue-group.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { ListFilter, Narrowing, ShownList } from './list-filter.ts';

const undecided: readonly QueueGroup[] = ['waiting', 'paused', 'unpaid'];
const open: readonly QueueGroup[] = ['waiting', 'undelivered', 'paused', 'unpaid'];
const allGroups: readonly QueueGroup[] = [...open, 'decided', 'closed'];

const shownGroups: Record<ShownList, readonly QueueGroup[]> = {
  all: allGroups,
  open,
  overdue: ['waiting', 'undelivered'],
  mine: open,
  corrected: ['waiting'],
  undelivered: ['undelivered'],
  action_required: ['paused'],
};

/** The parts of the queue in which a status occurs. Staff can only reject what is unpaid. */
const statusGroups: Record<ApplicationStatus, readonly QueueGroup[]> = {
  pending: undecided,
  processing: ['waiting', 'paused'],
  approved: ['undelivered', 'decided'],
  rejected: ['decided', 'closed'],
};

const paymentGroups: Record<Exclude<Narrowing['payment'], ''>, readonly QueueGroup[]> = {
  paid: ['waiting', 'undelivered', 'paused', 'decided'],
  unpaid: ['unpaid', 'closed'],
};

/**
 * The parts of the queue that a list may contain, in queue order. A filter for rejected ones never reads the waiting,
 * and contradictory filters read nothing.
 */
export function groupsOf({ show, narrowing }: Pick<ListFilter, 'show' | 'narrowing'>) {
  const { status, payment } = narrowing;
  return shownGroups[show].filter(
    (group) =>
      (status === '' || statusGroups[status].includes(group)) &&
      (payment === '' || paymentGroups[payment].includes(group)),
  );
}
