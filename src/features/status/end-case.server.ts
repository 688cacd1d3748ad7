import {
  lockApplication,
  applicationById,
  applicationsNumbered,
  applicationsByOrder,
  type Application,
  changeStatus,
} from '~/features/application/store.server.ts';
import { travellerInsurance } from '~/features/application/travellers.ts';
import { lockInsurance } from '~/features/insurance/store/store.server.ts';
import { lockPayments } from '~/features/order/payer/change-order.server.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import {
  closeCorrection,
  resumeClock,
} from '~/features/application/correction/correction-store.server.ts';
import type { RejectionCode } from '~/features/application/rejection.ts';
import { isFinal } from '~/features/application/status-machine.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { cancelInsurance } from '~/features/insurance/certificate/certificate-job.server.ts';
import {
  refundsByOrder,
  type RefundFound,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { endsCover, type RefundCause } from '~/features/order/refund-policy.ts';
import { orderById, type Order } from '~/features/order/store.server.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { isClaiming } from '~/features/payment/refund-machine.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { dropClaim } from '~/features/application/claim-store.server.ts';

/**
 * Locks an application and the payments of its order until the transaction ends. All code that needs both takes its
 * locks in one order, so that there are no deadlocks: the payments (`lockPayments`), the insurance's row, the
 * application's, the order's last. Settling a payment takes the payments first as well, so with them locked the rest of
 * the order is free.
 */
export async function lockCase(
  tx: Transaction,
  applicationId: string,
): Promise<Application | null> {
  const known = await applicationById(tx, applicationId);
  if (!known) return null;
  await lockPayments(tx, known.orderNumber);
  await lockInsurance(tx, applicationId);
  return lockApplication(tx, applicationId);
}

/**
 * The same for an application that may leave its unpaid order: with a visa also the insurance of the same traveller,
 * which would leave too.
 */
export async function lockTraveller(
  tx: Transaction,
  applicationId: string,
): Promise<Application | null> {
  const known = await applicationById(tx, applicationId);
  if (known?.kind !== 'visa') return lockCase(tx, applicationId);
  await lockPayments(tx, known.orderNumber);
  const beside = travellerInsurance(await applicationsByOrder(tx, known.orderNumber), known);
  if (beside) {
    await lockInsurance(tx, beside.id);
    await lockApplication(tx, beside.id);
  }
  return lockApplication(tx, applicationId);
}

/** The same for applications of one order. */
export async function lockCases(
  tx: Transaction,
  numbers: readonly string[],
): Promise<Application[]> {
  const held: Application[] = [];
  const found = await applicationsNumbered(tx, [...numbers]);
  const orders = new Set(found.map(({ orderNumber }) => orderNumber));
  for (const orderNumber of [...orders].toSorted()) await lockPayments(tx, orderNumber);
  // In one order, so that two refunds of one order do not deadlock.
  for (const { id, kind } of found.toSorted((a, b) => (a.number < b.number ? -1 : 1))) {
    if (kind === 'insurance') await lockInsurance(tx, id);
    const application = await lockApplication(tx, id);
    if (application) held.push(application);
  }
  return held;
}

type Endings = { visa: RejectionCode | null; insurance: RejectionCode | null };

const both = (code: RejectionCode | null): Endings => ({ visa: code, insurance: code });

/**
 * The code with which an application is rejected when it is refunded for this cause; null leaves it to its reviewer.
 * Compensation for a fault of ours (a missed promise, a mistake, an overcharge) ends nothing, and what our system
 * failed to submit is rejected by a person who writes why.
 */
const endings: Readonly<Record<RefundCause, Endings>> = {
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

const refundEnding = (cause: RefundCause, kind: keyof Endings): RejectionCode | null =>
  endings[cause][kind];

/** Why applications end, and what is to be told of it. */
type CaseEnding = {
  cause: RefundCause;
  /** The applications that end; others of the order continue. */
  numbers: readonly string[];
  /** A staff account's id; null for the payer. */
  by: string | null;
  /** What ends them, for the audit trail. */
  because: Record<string, string>;
};

/**
 * Ends what a cause takes back, in the caller's transaction: the cover of insurances, and every application that is still
 * open. Others in the order continue, and decided applications stay as they are. Returns those that it rejected; whoever
 * calls tells of it.
 */
export async function endCases(
  tx: Transaction,
  cases: readonly Application[],
  { cause, numbers, by, because }: CaseEnding,
  at: Date,
): Promise<Application[]> {
  const rejected: Application[] = [];
  for (const found of cases) {
    if (!numbers.includes(found.number)) continue;
    if (found.kind === 'insurance' && endsCover(cause)) {
      await cancelInsurance(tx, found.id, at);
    }
    const code = refundEnding(cause, found.kind);
    if (code === null || isFinal(found.status)) continue;
    await rejectBecause(tx, by, found, { code, because }, at);
    rejected.push(found);
  }
  return rejected;
}

/**
 * The same for what a refund of an order takes back, with its emails: one to the payer, of all that ended and of the
 * refund, and one to every other traveller.
 */
export async function endRefunded(
  tx: Transaction,
  staff: Staff,
  cases: readonly Application[],
  { refund: { id: refundId, orderId, cause, applicationNumbers: numbers } }: RefundFound,
  at: Date,
): Promise<void> {
  const ending = { cause, numbers, by: staff.id, because: { refundId } };
  const rejected = await endCases(tx, cases, ending, at);
  const order = await orderById(tx, orderId);
  for (const found of rejected) {
    await queueEmail(
      tx,
      order && reachesPayer(found, order)
        ? { kind: 'cancelled', about: refundId, createdAt: at }
        : { kind: 'rejected', about: found.id, createdAt: at },
    );
  }
}

/**
 * Rejects an open, locked application for a code of the list because something else ends it, and ends its claim. `by`: a
 * staff account's id, null for the payer; `because`: what ends it, for the audit trail.
 */
export async function rejectBecause(
  tx: Transaction,
  by: string | null,
  found: Application,
  { code, because }: { code: RejectionCode; because: Record<string, string> },
  at: Date,
): Promise<void> {
  if (await closeCorrection(tx, found.id, at)) await resumeClock(tx, found, at);
  const rejection = { code, words: null };
  const change = { id: found.id, from: found.status, at, staffId: by };
  const changed = await changeStatus(tx, { ...change, to: 'rejected', rejection });
  if (!changed) throw new Error('An application changed while it was locked');
  await dropClaim(tx, found.id);
  await audit(tx, {
    at,
    staffId: by,
    action: 'rejected',
    subject: { kind: 'application', id: found.id },
    detail: { from: found.status, reason: code, ...because },
  });
}

/** Whether what an application paid for has been refunded, is being refunded, or waits for a release. */
export async function isBeingRefunded(
  db: Queryable,
  order: Order,
  found: Application,
): Promise<boolean> {
  return (await refundsByOrder(db, order.id)).some((one) => endsByRefund(one, found.number));
}

/** Whether this refund is such a one. */
export const endsByRefund = ({ refund, payment }: RefundFound, number: string): boolean =>
  isClaiming(payment.state) &&
  endsCover(refund.cause) &&
  refund.applicationNumbers.includes(number);
