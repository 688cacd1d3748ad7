import type { ServiceCode } from '~/features/order/service-code.ts';
import type { DateParts } from '~/ui/fields/date-field.tsx';
import type { ClosedDays } from '~/base/dates/working-hours.ts';
import { UTC, toPlainDate, daysBetween } from '~/base/dates/dates.ts';
import type { Money } from '~/base/money.ts';
import type { AwaitedReason } from '~/features/payment/awaited.ts';
import type { rejectionAuthor, ShownRejection } from '~/features/application/rejection.ts';
import type { ApplicationStatus, PaymentStatus } from '~/features/application/status-machine.ts';

export type StageName =
  | 'submitted'
  | 'review'
  | 'certificate'
  | 'processing'
  | 'approved'
  | 'rejected'
  | 'cancelled';

/** One dated event of an application, or one that is still to come. */
export type TimelineStage = {
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
export type Decider = 'authorities' | 'reviewer' | 'service';

export type StageFacts = {
  decidedBy: Decider;
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
  state: TimelineStage['state'],
  at: Date | null = null,
  by: Date | null = null,
): TimelineStage => ({ name, state, at, by });

/**
 * The four stages that the specification names; an insurance has fewer. A decision ends the list: an application that
 * was never sent to the authorities has no processing stage then, and a rejected one ends with the rejection, a cancelled one with that.
 */
export function timeline(facts: StageFacts): TimelineStage[] {
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

/** What the status page and the status call show of one application; never a passport number. */
export type StatusView = {
  kind: 'visa' | 'insurance';
  number: string;
  firstName: string;
  lastName: string;
  status: ApplicationStatus;
  actionRequired: boolean;
  /** The fields to correct, and until when; not the note of staff. */
  correction: { fields: readonly string[]; until: Date; keepsStart: boolean } | null;
  createdAt: Date;
  /** Arrival date of a visa, first insured day of an insurance; YYYY-MM-DD. */
  startsOn: string;
  /** Processing type of a visa, plan of an insurance. */
  service: ServiceCode;
  total: Money;
  /** Which traveller of the order, from 1. */
  travellerPosition: number;
  /** What a payment names: the order's number, or the application's own where the reader may not know of others. */
  orderNumber: string;
  /** The number of the order of several travellers that this one belongs to, for the payer's browser. */
  wholeOrder: string | null;
  /**
   * What paying the whole order costs, which may be more than `total`; null where the reader may not know of the rest.
   */
  due: Money | null;
  /** The same traveller's other applications in the order. */
  beside: { kind: 'visa' | 'insurance'; number: string }[];
  paymentStatus: PaymentStatus;
  /** Why the payment is still being confirmed; null where it is not. Then nobody may pay. */
  awaited: AwaitedReason | null;
  payable: boolean;
  /** The payer may still cancel it, on a page that says what is refunded. */
  cancellable: boolean;
  /** When its payer cancelled it on the status page; an insurance stays approved, without cover. */
  cancelledAt: Date | null;
  /**
   * The order was closed because another application in it was rejected; a payment that arrives all the same is
   * refunded.
   */
  closed: boolean;
  transactionId: string | null;
  /** How much of `total` has been refunded, and how much is being refunded. */
  returned: { done: Money; coming: Money };
  promisedAt: Date | null;
  /** The promised moment passed before a decision, whether there is one by now or not. */
  isMissed: boolean;
  /** There is a promised moment to wait for, so that it is offered for a calendar. */
  isPromised: boolean;
  /** Closed days between the payment and the promised moment; none while nothing is promised. */
  skipped: readonly ClosedDays[];
  decidedAt: Date | null;
  rejection: ShownRejection | null;
  /** Who ended a rejected application; null for any other. */
  rejectedBy: ReturnType<typeof rejectionAuthor> | null;
  /** Size of the delivered file in bytes; null before there is one. */
  document: { size: number } | null;
  /** Receipt and credit notes, where this application is the payer's own. */
  receipts: { id: string; kind: 'receipt' | 'credit_note'; number: string }[];
  decidedBy: Decider;
  timeline: TimelineStage[];
};

/** What the status page sends by email: the link to a copy of the application, or to the document. */
export type AskedEmail = 'copy' | 'document';
export const isAskedEmail = (text: unknown): text is AskedEmail =>
  text === 'copy' || text === 'document';

/** Wrong dates of birth within an hour after which all downloads of an application are refused. */
export const BIRTH_DATE_TRIES = 5;
/** The same within 30 days; the applicant is then told by email. */
export const BIRTH_DATE_TRIES_MONTH = 20;

/** A date of birth that opened nothing. `lockedUntil`: milliseconds since 1970; null where the date was wrong.
 * `isForDays`: whether it is more than a day away. */
export type RefusedDate = DateParts & { lockedUntil: number | null; isForDays: boolean };

/** How a decision compares with the promised moment; `days` are whole calendar days (UTC) before it. */
export function punctuality(
  decidedAt: Date | null,
  promisedAt: Date | null,
): { kind: 'days_early'; days: number } | { kind: 'in_time' } | { kind: 'unpromised' } {
  if (!decidedAt || !promisedAt || decidedAt > promisedAt) return { kind: 'unpromised' };
  const days = daysBetween(toPlainDate(decidedAt, UTC), toPlainDate(promisedAt, UTC));
  return days > 0 ? { kind: 'days_early', days } : { kind: 'in_time' };
}

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
export function visibleStatus(view: StatusView): ShownStatus {
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
export const documentKind = ({
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
