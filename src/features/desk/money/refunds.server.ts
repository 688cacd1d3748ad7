import { toDecimal, usd, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import {
  openRefund,
  exceedsRefundSum,
  type OpenError,
  retryFailed,
  type RetryError,
  proposeRefund,
  type RefundProposal,
  type ProposalError,
} from '~/features/order/refunds/order-refund.server.ts';
import {
  orderRefundById,
  type RefundFound,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { chooseAmounts, type ChosenLine } from '~/features/order/refunds/refund-proposal.ts';
import type { RefundCause } from '~/features/order/refund-policy.ts';
import type { Order } from '~/features/order/store.server.ts';
import { retryLateRefund } from '~/features/payment/settlement/settle.server.ts';
import {
  releaseRefund,
  withdrawRefund,
  type ReleaseError,
} from '~/features/payment/settlement/refund-request.server.ts';
import { audit, type AuditAction } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { endRefunded, lockCases } from '~/features/status/end-case.server.ts';
import { refundRejection, pastApplications } from '~/features/status/rejection-refund.server.ts';

type Refunding = Pick<Platform, 'db' | 'now' | 'config'>;

/** What staff ask for. */
export type RefundChoice = {
  cause: RefundCause;
  /** When the traveller's request arrived. */
  askedAt: Date;
  /** The applications of the order to refund. */
  applications: readonly string[];
};

/** `no_application`: none of the order's was chosen. `forbidden`: the role does not allow it. */
export type RefundRefusal = OpenError | { code: 'no_application' | 'forbidden' };

/** What the policy refunds for a choice. Reads only. */
export async function proposeAmounts(
  { db, now }: Refunding,
  order: Order,
  { cause, askedAt, applications }: RefundChoice,
): Promise<Outcome<RefundProposal, ProposalError | { code: 'no_application' }>> {
  const at = now();
  const then = await pastApplications(db, order.number, { askedAt, now: at }, applications);
  if (then.size === 0) return refused({ code: 'no_application' });
  return proposeRefund(db, order, { cause, askedAt, applications: then }, at);
}

type RefundPreview = { lines: ChosenLine[]; total: Money; waits: boolean };

/** What a choice would do, to be confirmed. Reads only. */
export async function previewRefund(
  platform: Refunding,
  staff: Staff,
  order: Order,
  { choice, amounts, note: reason }: { choice: RefundChoice } & ChosenAmounts,
): Promise<Outcome<RefundPreview, RefundRefusal>> {
  if (!may(staff.role, 'refund')) return refused({ code: 'forbidden' });
  const proposal = await proposeAmounts(platform, order, choice);
  if (!proposal.ok) return proposal;
  const chosen = chooseAmounts(proposal.value.lines, amounts ?? new Map(), reason ?? '');
  if (!chosen.ok) return chosen;
  const upTo = limitOf(platform, staff);
  const waits =
    upTo !== null && (await exceedsRefundSum(platform.db, order, chosen.value.total, upTo));
  return ok({ ...chosen.value, waits });
}

/** Amounts by order line, and why they differ from the proposal. */
type ChosenAmounts = {
  amounts?: ReadonlyMap<string, Money> | undefined;
  note?: string | undefined;
};

/** The sum that somebody may refund of one order without a release; null for no limit. */
const limitOf = ({ config }: Refunding, { role }: Staff): Money | null =>
  may(role, 'release_refund') ? null : config.refundManagerAbove;

/** Opens a refund as staff chose it; above the configured sum a reviewer's is held for a manager. */
export async function refundOrder(
  platform: Refunding,
  staff: Staff,
  order: Order,
  { choice, ...wanted }: { choice: RefundChoice; id?: string | undefined } & ChosenAmounts,
): Promise<Outcome<RefundFound, RefundRefusal>> {
  if (!may(staff.role, 'refund')) return refused({ code: 'forbidden' });
  const at = platform.now();
  const upTo = limitOf(platform, staff);
  return platform.db.transaction(async (tx) => {
    const { cause, askedAt } = choice;
    const applications = await pastApplications(
      tx,
      order.number,
      { askedAt, now: at },
      choice.applications,
    );
    if (applications.size === 0) return refused({ code: 'no_application' });
    const cases = await lockCases(tx, [...applications.keys()]);
    const isKnown = wanted.id !== undefined && (await orderRefundById(tx, wanted.id)) !== null;
    const asked = { cause, askedAt, applications };
    const by = { staffId: staff.id, upTo };
    const opened = await openRefund(tx, order.number, { ...wanted, asked, by }, at);
    if (!opened.ok || isKnown) return opened;
    await note(tx, 'refund_opened', staff, opened.value, at);
    if (opened.value.payment.state !== 'held')
      await endRefunded(tx, staff, cases, opened.value, at);
    return opened;
  });
}

/** Releases a refund that somebody else asked for. */
export async function releaseHeldRefund(
  { db, now }: Refunding,
  staff: Staff,
  refundId: string,
): Promise<Outcome<RefundFound, ReleaseError | { code: 'forbidden' }>> {
  if (!may(staff.role, 'release_refund')) return refused({ code: 'forbidden' });
  const at = now();
  return db.transaction(async (tx) => {
    const found = await orderRefundById(tx, refundId);
    if (!found) return refused({ code: 'not_held' });
    const cases = await lockCases(tx, found.refund.applicationNumbers);
    const payment = await releaseRefund(tx, { refundId, by: staff.id, at });
    if (!payment.ok) return payment;
    const released = { ...found, payment: payment.value };
    await note(tx, 'refund_released', staff, released, at);
    await endRefunded(tx, staff, cases, released, at);
    return ok(released);
  });
}

/** Withdraws a held refund: one's own, or, for those who may release, anybody's. */
export async function withdrawHeldRefund(
  { db, now }: Refunding,
  staff: Staff,
  refundId: string,
): Promise<Outcome<RefundFound, { code: 'not_held' | 'forbidden' }>> {
  const at = now();
  return db.transaction(async (tx) => {
    const found = await orderRefundById(tx, refundId);
    if (!found) return refused({ code: 'not_held' });
    const isOwn = found.refund.requestedBy === staff.id;
    if (!isOwn && !may(staff.role, 'release_refund')) return refused({ code: 'forbidden' });
    const cases = await lockCases(tx, found.refund.applicationNumbers);
    const payment = await withdrawRefund(tx, { refundId, by: staff.id, at });
    if (!payment.ok) return payment;
    const withdrawn = { ...found, payment: payment.value };
    await note(tx, 'refund_withdrawn', staff, withdrawn, at);
    // What a rejection meanwhile did not refund, because this refund held it back, is refunded all the same.
    for (const held of cases) {
      const { status, rejectionCode: code, decidedAt } = held;
      if (status === 'rejected' && decidedAt)
        await refundRejection(tx, held, { code, at: decidedAt }, { now: at });
    }
    return ok(withdrawn);
  });
}

/**
 * Retries a refund that the provider did not make: a new one with the same lines and sums, by those who may release.
 * Pressing twice makes one.
 */
export async function retryRefund(
  { db, now }: Refunding,
  staff: Staff,
  refundId: string,
): Promise<Outcome<{ refund: { id: string } }, RetryError | { code: 'forbidden' }>> {
  if (!may(staff.role, 'release_refund')) return refused({ code: 'forbidden' });
  const at = now();
  return db.transaction(async (tx) => {
    const asked = { refundId, by: staff.id, at };
    if (!(await orderRefundById(tx, refundId))) return retryReturn(tx, asked);
    const again = await retryFailed(tx, asked);
    if (!again.ok) return again;
    const { isNew, ...found } = again.value;
    if (isNew) await note(tx, 'refund_opened', staff, found, at);
    return ok(found);
  });
}

/**
 * A second payment is refunded automatically; where the provider refused, it is retried here. It is not an order's
 * refund.
 */
async function retryReturn(
  tx: Transaction,
  asked: { refundId: string; by: string; at: Date },
): Promise<Outcome<{ refund: { id: string } }, RetryError>> {
  const again = await retryLateRefund(tx, asked);
  if (!again.ok) return refused({ code: again.error.code });
  const { refund, isNew } = again.value;
  if (isNew) {
    await audit(tx, {
      at: asked.at,
      staffId: asked.by,
      action: 'refund_opened',
      subject: { kind: 'refund', id: refund.id },
      detail: {
        attemptId: refund.attemptId,
        cause: refund.reason,
        amount: toDecimal(usd(refund.amountMinor)),
        state: refund.state,
      },
    });
  }
  return ok({ refund });
}

const note = (
  tx: Transaction,
  action: AuditAction,
  staff: Staff,
  { refund, payment }: RefundFound,
  at: Date,
): Promise<void> =>
  audit(tx, {
    at,
    staffId: staff.id,
    action,
    subject: { kind: 'refund', id: refund.id },
    detail: {
      orderId: refund.orderId,
      cause: refund.cause,
      amount: toDecimal(usd(payment.amountMinor)),
      state: payment.state,
    },
  });
