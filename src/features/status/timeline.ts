import type { ApplicationStatus } from '~/features/application/status-machine.ts';

export type StageName =
  | 'submitted'
  | 'review'
  | 'certificate'
  | 'processing'
  | 'approved'
  | 'rejected'
  | 'cancelled';

/** One dated event of an application, or one that is still to come. */
export type Stage = {
  readonly name: StageName;
  readonly state: 'done' | 'now' | 'next' | 'failed';
  /** When it happened or began; null while it is to come. */
  readonly at: Date | null;
  /** The promised moment, for the last stage of a paid application that is not decided. */
  readonly by: Date | null;
};

/**
 * Who decides. `authorities`: a reviewer checks and sends it on; `reviewer`: a reviewer alone; `service`: automatic, a
 * certificate is made once it is paid.
 */
export type DecidedBy = 'authorities' | 'reviewer' | 'service';

export type StageFacts = {
  decidedBy: DecidedBy;
  status: ApplicationStatus;
  createdAt: Date;
  paidAt: Date | null;
  processingAt: Date | null;
  decidedAt: Date | null;
  promisedAt: Date | null;
  /** When it was cancelled by who paid or at the traveller's wish; a cancelled insurance was approved before. */
  cancelledAt?: Date | null;
};

const stage = (
  name: StageName,
  state: Stage['state'],
  at: Date | null = null,
  by: Date | null = null,
): Stage => ({ name, state, at, by });

/**
 * The four stages that the specification names; an insurance has fewer. A decision ends the list: an application that
 * was never sent to the authorities has no processing stage then, and a rejected one ends with the rejection, a cancelled one with that.
 */
export function timeline(facts: StageFacts): Stage[] {
  const { decidedBy, status, createdAt, paidAt, processingAt, decidedAt, promisedAt } = facts;
  const { cancelledAt = null } = facts;
  const submitted = stage('submitted', 'done', createdAt);
  if (status === 'approved' || status === 'rejected') {
    return [
      submitted,
      ...(paidAt && decidedBy !== 'service' ? [stage('review', 'done', paidAt)] : []),
      ...(processingAt ? [stage('processing', 'done', processingAt)] : []),
      ...(status === 'approved' ? [stage('approved', 'done', decidedAt)] : []),
      ...(status === 'rejected' && !cancelledAt ? [stage('rejected', 'failed', decidedAt)] : []),
      ...(cancelledAt ? [stage('cancelled', 'failed', cancelledAt)] : []),
    ];
  }
  const approved = stage('approved', 'next', null, promisedAt);
  if (status === 'processing') {
    const review = stage('review', 'done', paidAt);
    return [submitted, review, stage('processing', 'now', processingAt), approved];
  }
  const name = decidedBy === 'service' ? 'certificate' : 'review';
  const current = paidAt ? stage(name, 'now', paidAt) : stage(name, 'next');
  const handOver = decidedBy === 'authorities' ? [stage('processing', 'next')] : [];
  return [submitted, current, ...handOver, approved];
}
