import type { DateParts } from '~/ui/fields/date-field.tsx';
import type { ClosedDays } from '~/base/dates/working-hours.ts';
import { UTC, dateOf, daysBetween } from '~/base/dates/dates.ts';
import { toDecimal, type Money } from '~/base/money.ts';
import type { AwaitedReason } from '~/features/payment/awaited.ts';
import type { rejectedBy, ShownRejection } from '../rejection.ts';
import { byTraveller } from '../travellers.ts';
import type { ApplicationStatus, PaymentStatus } from '../status-machine.ts';
import type { DecidedBy, Stage, StageName } from './timeline.ts';

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
  service: string;
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
  rejectedBy: ReturnType<typeof rejectedBy> | null;
  /** Size of the delivered file in bytes; null before there is one. */
  document: { size: number } | null;
  /** Whether the emails go that the traveller may turn off. */
  emailUpdates: boolean;
  /** Receipt and credit notes, where this application is the payer's own. */
  receipts: { id: string; kind: 'receipt' | 'credit_note'; number: string }[];
  decidedBy: DecidedBy;
  timeline: Stage[];
};

/** What the status page sends by email: the link to a copy of the application, or to the document. */
export type AskedEmail = 'copy' | 'document';
export const isAskedEmail = (text: unknown): text is AskedEmail =>
  text === 'copy' || text === 'document';
/** What the form for a date of birth asks for where it is the setting of emails and no receipt. */
export const EMAILS = 'emails';

/** Wrong dates of birth within an hour after which all downloads of an application are refused. */
export const BIRTH_DATE_TRIES = 5;
/** The same within 30 days; the applicant is then told by email. */
export const BIRTH_DATE_TRIES_MONTH = 20;

/** A date of birth that opened nothing. `lockedUntil`: milliseconds since 1970; null where the date was wrong.
 * `isForDays`: whether it is more than a day away. */
export type RefusedDate = DateParts & { lockedUntil: number | null; isForDays: boolean };

const stageNames: Readonly<Record<StageName, string>> = {
  submitted: 'Application Submitted',
  review: 'Under Review',
  certificate: 'Certificate',
  processing: 'Processing',
  approved: 'Approved',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
};

/** The body of the status call, with the specification's names. Moments are ISO 8601 in UTC. */
export function statusAnswer(view: StatusView) {
  const moment = (at: Date | null) => at?.toISOString() ?? null;
  return {
    applicationNumber: view.number,
    firstName: view.firstName,
    lastName: view.lastName,
    createdAt: view.createdAt.toISOString(),
    ...(view.kind === 'visa' ? { arrivalDate: view.startsOn } : { travelDate: view.startsOn }),
    totalAmount: toDecimal(view.total),
    currency: view.total.currency,
    orderReference: view.orderNumber,
    paymentStatus: view.paymentStatus,
    refundedAmount: toDecimal(view.returned.done),
    processingType: view.service,
    transactionId: view.transactionId,
    status: view.status,
    actionRequired: view.actionRequired,
    correctionFields: view.correction?.fields ?? [],
    correctionUntil: moment(view.correction?.until ?? null),
    rejectionCode: view.rejection?.code ?? null,
    rejectionReason: view.rejection?.words ?? null,
    downloadAvailable: view.document !== null,
    promisedAt: moment(view.promisedAt),
    decidedAt: moment(view.decidedAt),
    timeline: view.timeline.map(({ name, state, at, by }) => ({
      stage: name,
      name: stageNames[name],
      state,
      at: moment(at),
      by: moment(by),
    })),
  };
}

/** The body of the status call of an order: `statusAnswer` for each application, by traveller. */
export function orderStatusAnswer(everyone: readonly StatusView[]) {
  const [first] = everyone;
  return {
    orderNumber: first?.orderNumber ?? null,
    totalAmount: first?.due ? toDecimal(first.due) : null,
    currency: first?.total.currency ?? null,
    paymentStatus: first?.paymentStatus ?? null,
    travellers: byTraveller(everyone).map(({ position, applications }) => ({
      position,
      applications: applications.map((view) => ({ kind: view.kind, ...statusAnswer(view) })),
    })),
  };
}

/** How a decision compares with the promised moment; `days` are whole calendar days (UTC) before it. */
export function punctuality(
  decidedAt: Date | null,
  promisedAt: Date | null,
): { kind: 'days_early'; days: number } | { kind: 'in_time' } | { kind: 'unpromised' } {
  if (!decidedAt || !promisedAt || decidedAt > promisedAt) return { kind: 'unpromised' };
  const days = daysBetween(dateOf(decidedAt, UTC), dateOf(promisedAt, UTC));
  return days > 0 ? { kind: 'days_early', days } : { kind: 'in_time' };
}
