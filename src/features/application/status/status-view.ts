import { UTC, dateOf, daysBetween } from '~/base/dates/dates.ts';
import { toDecimal, type Money } from '~/base/money.ts';
import type { Rejection } from '../rejection.ts';
import { byTraveller } from '../travellers.ts';
import type { ApplicationStatus, PaymentStatus } from '../status-machine.ts';
import type { DecidedBy, Stage, StageName } from './timeline.ts';

/** What the status page and the status call show of one application. No passport number, ever. */
export type StatusView = {
  kind: 'visa' | 'insurance';
  number: string;
  firstName: string;
  lastName: string;
  status: ApplicationStatus;
  actionRequired: boolean;
  /** What the traveller is asked to correct, and until when; no word of it. */
  correction: { fields: readonly string[]; until: Date } | null;
  createdAt: Date;
  /** Arrival date of a visa, first insured day of an insurance; YYYY-MM-DD. */
  startsOn: string;
  /** Processing type of a visa, plan of an insurance. */
  service: string;
  total: Money;
  /** Which traveller of the order, from 1. */
  travellerPosition: number;
  /** What a payment names: the order's number; the application's own for who may know of no other. */
  orderNumber: string;
  /** The order of several travellers that this one is of, for its payer's browser. */
  wholeOrder: string | null;
  /** What paying the order costs: more than `total` where it holds more than this. Null for who may not know of the rest. */
  due: Money | null;
  /** The same traveller's other applications in the order. */
  beside: { kind: 'visa' | 'insurance'; number: string }[];
  paymentStatus: PaymentStatus;
  /** The provider has taken the payment on and has not decided yet. */
  confirming: boolean;
  payable: boolean;
  /** Its order was closed because another application in it was rejected; what is paid for it all the same goes back. */
  closed: boolean;
  transactionId: string | null;
  /** What has gone back of `total`, and what is on its way back. */
  returned: { done: Money; coming: Money };
  promisedAt: Date | null;
  decidedAt: Date | null;
  rejection: Rejection | null;
  /** The delivered file, in bytes; null while there is none to download. */
  document: { size: number } | null;
  /** Receipt and credit notes, where this application is the payer's own. */
  receipts: { id: string; kind: 'receipt' | 'credit_note'; number: string }[];
  decidedBy: DecidedBy;
  timeline: Stage[];
};

/** Wrong dates of birth, within an hour, after which nothing of an application is downloaded. */
export const BIRTH_DATE_TRIES = 5;

const stageNames: Readonly<Record<StageName, string>> = {
  submitted: 'Application Submitted',
  review: 'Under Review',
  certificate: 'Certificate',
  processing: 'Processing',
  approved: 'Approved',
  rejected: 'Rejected',
};

/** The answer of the status calls, with the specification's names. Moments are ISO 8601 in UTC. */
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

/** The answer of the status call of an order: what `statusAnswer` says of each of its applications, by traveller. */
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

/** How a decision stands to what was promised; `days` are whole calendar days (UTC) before it. */
export function punctuality(
  decidedAt: Date | null,
  promisedAt: Date | null,
): { kind: 'days_early'; days: number } | { kind: 'in_time' } | { kind: 'unpromised' } {
  if (!decidedAt || !promisedAt || decidedAt > promisedAt) return { kind: 'unpromised' };
  const days = daysBetween(dateOf(decidedAt, UTC), dateOf(promisedAt, UTC));
  return days > 0 ? { kind: 'days_early', days } : { kind: 'in_time' };
}
