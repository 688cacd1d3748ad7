import type { ServiceCode } from '~/features/order/service-code.ts';
import type { DateParts } from '~/ui/fields/date-field.tsx';
import type { ClosedDays } from '~/base/dates/working-hours.ts';
import { UTC, dateOf, daysBetween } from '~/base/dates/dates.ts';
import type { Money } from '~/base/money.ts';
import type { AwaitedReason } from '~/features/payment/awaited.ts';
import type { rejectedBy, ShownRejection } from '~/features/application/rejection.ts';
import type { ApplicationStatus, PaymentStatus } from '~/features/application/status-machine.ts';
import type { DecidedBy, Stage } from './timeline.ts';

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
  rejectedBy: ReturnType<typeof rejectedBy> | null;
  /** Size of the delivered file in bytes; null before there is one. */
  document: { size: number } | null;
  /** Receipt and credit notes, where this application is the payer's own. */
  receipts: { id: string; kind: 'receipt' | 'credit_note'; number: string }[];
  decidedBy: DecidedBy;
  timeline: Stage[];
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
  const days = daysBetween(dateOf(decidedAt, UTC), dateOf(promisedAt, UTC));
  return days > 0 ? { kind: 'days_early', days } : { kind: 'in_time' };
}
