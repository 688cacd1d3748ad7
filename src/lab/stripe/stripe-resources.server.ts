import { z } from 'zod';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { documents, storedMoment } from '../documents.server.ts';
import { deliveryManners } from '../scenarios.ts';

/** A session has one payment at most. */
const session = z.object({
  id: z.string(),
  clientReferenceId: z.string().nullable(),
  orderMark: z.string().nullable(),
  name: z.string(),
  /** In cents. */
  amount: z.int(),
  currency: z.string(),
  successUrl: z.string(),
  cancelUrl: z.string().nullable(),
  /** An open one is expired from `expiresAt` on. */
  status: z.enum(['open', 'complete', 'expired']),
  expiresAt: storedMoment,
  payment: z.enum(['none', 'processing', 'succeeded', 'failed']).default('none'),
  /** Set with the payment. */
  intentId: z.string().nullable().default(null),
  chargeId: z.string().nullable().default(null),
  /** What was captured, in cents. */
  captured: z.int().nullable().default(null),
  paidAt: storedMoment.nullable().default(null),
  deliveries: z.enum(deliveryManners).default('once'),
  createdAt: storedMoment,
});
export type StoredSession = z.output<typeof session>;

const refund = z.object({
  id: z.string(),
  sessionId: z.string(),
  refundMark: z.string().nullable(),
  /** In cents. */
  amount: z.int(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  createdAt: storedMoment,
});
export type StoredRefund = z.output<typeof refund>;

const dispute = z.object({
  id: z.string(),
  sessionId: z.string(),
  status: z.enum(['needs_response', 'under_review', 'won', 'lost']),
  createdAt: storedMoment,
});
export type StoredDispute = z.output<typeof dispute>;

const id = (body: { id: string }) => body.id;
export const sessions = documents({ partner: 'stripe', kind: 'session', shape: session, id });
export const refunds = documents({ partner: 'stripe', kind: 'refund', shape: refund, id });
export const disputes = documents({ partner: 'stripe', kind: 'dispute', shape: dispute, id });

/** The session of a charge or of the merchant's id. */
export const findSession = async (
  db: Queryable,
  name: 'chargeId' | 'clientReferenceId',
  value: string,
): Promise<StoredSession | null> => (await sessions.list(db, { [name]: value }))[0] ?? null;

/** The refunds of a session's charge, newest first. */
export const sessionRefunds = (db: Queryable, sessionId: string): Promise<StoredRefund[]> =>
  refunds.list(db, { sessionId }, { newestFirst: true });

/** A movement of money: a session's charge, or a refund of it. */
type ChargeMovement = { at: Date; session: StoredSession; refund: StoredRefund | null };

/** What moved from a moment on and before another, newest first. */
export async function chargeMovements(
  db: Queryable,
  from: Date,
  to: Date,
): Promise<ChargeMovement[]> {
  const moved: ChargeMovement[] = [];
  const paid = { between: { moment: 'paidAt', from, to } };
  for (const charged of await sessions.list(db, { payment: 'succeeded' }, paid)) {
    moved.push({ at: charged.paidAt ?? charged.createdAt, session: charged, refund: null });
  }
  const made = { between: { moment: 'createdAt', from, to } };
  for (const back of await refunds.list(db, { status: 'succeeded' }, made)) {
    const charged = await sessions.get(db, back.sessionId);
    if (charged) moved.push({ at: back.createdAt, session: charged, refund: back });
  }
  return moved.toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/** Stripe's representations of its objects, as its published description asks for them. */

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const orderOf = ({ orderMark }: StoredSession) => (orderMark ? { order: orderMark } : {});

/** What Stripe charges for a payment, in cents: 2.9% and 30 cents. */
export const stripeFee = (amount: number): number => Math.round(amount * 0.029) + 30;

/** Whether an open session is over by now. */
const statusOf = ({ status, expiresAt }: StoredSession, now: Date) =>
  status === 'open' && expiresAt <= now ? 'expired' : status;

/** `expanded`: the names of the fields that are objects and not only their ids. */
export function sessionJson(
  session: StoredSession,
  { pageUrl, now, expanded }: { pageUrl: string; now: Date; expanded: readonly string[] },
) {
  const status = statusOf(session, now);
  return {
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: session.amount,
    amount_total: session.amount,
    automatic_tax: { enabled: false, status: null },
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: seconds(session.createdAt),
    currency: session.currency,
    custom_fields: [],
    custom_text: { shipping_address: null, submit: null },
    customer: null,
    expires_at: seconds(session.expiresAt),
    livemode: false,
    metadata: orderOf(session),
    mode: 'payment',
    payment_intent: expanded.some((name) => name.startsWith('payment_intent'))
      ? intentJson(session, expanded)
      : session.intentId,
    payment_method_types: ['card'],
    payment_status: session.payment === 'succeeded' ? 'paid' : 'unpaid',
    shipping_options: [],
    status,
    success_url: session.successUrl,
    url: status === 'open' ? `${pageUrl}?session=${session.id}` : null,
  };
}

const intentStatus = {
  none: 'requires_payment_method',
  processing: 'processing',
  succeeded: 'succeeded',
  failed: 'requires_payment_method',
} as const;

function intentJson(session: StoredSession, expanded: readonly string[]) {
  if (!session.intentId) return null;
  const hasCharge = expanded.includes('payment_intent.latest_charge');
  return {
    id: session.intentId,
    object: 'payment_intent',
    amount: session.amount,
    amount_received: session.payment === 'succeeded' ? (session.captured ?? 0) : 0,
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    created: seconds(session.paidAt ?? session.createdAt),
    currency: session.currency,
    latest_charge: hasCharge ? chargeJson(session) : session.chargeId,
    livemode: false,
    metadata: orderOf(session),
    payment_method_types: ['card'],
    status: intentStatus[session.payment],
    ...(session.payment === 'failed' && {
      last_payment_error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'The card was declined.',
      },
    }),
  };
}

export function chargeJson(session: StoredSession, refunds: readonly StoredRefund[] = []) {
  const isPaid = session.payment === 'succeeded';
  const refunded = refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);
  return {
    id: session.chargeId ?? '',
    object: 'charge',
    amount: session.amount,
    amount_captured: isPaid ? (session.captured ?? 0) : 0,
    amount_refunded: refunded,
    balance_transaction: isPaid ? `txn_${session.chargeId}` : null,
    billing_details: { address: null, email: null, name: null, phone: null },
    captured: isPaid,
    created: seconds(session.paidAt ?? session.createdAt),
    currency: session.currency,
    disputed: false,
    livemode: false,
    metadata: orderOf(session),
    paid: isPaid,
    payment_intent: session.intentId,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', exp_month: 12, exp_year: 2030, last4: '4242' },
    },
    refunded: isPaid && refunded >= (session.captured ?? 0),
    status: { none: 'pending', processing: 'pending', succeeded: 'succeeded', failed: 'failed' }[
      session.payment
    ],
  };
}

export const refundJson = (
  refund: StoredRefund,
  session: StoredSession,
  { isExpanded = false } = {},
) => ({
  id: refund.id,
  object: 'refund',
  amount: refund.amount,
  balance_transaction: refund.status === 'succeeded' ? `txn_${refund.id}` : null,
  charge: isExpanded ? chargeJson(session) : session.chargeId,
  created: seconds(refund.createdAt),
  currency: session.currency,
  metadata: refund.refundMark ? { refund: refund.refundMark } : {},
  payment_intent: session.intentId,
  reason: null,
  status: refund.status,
  ...(refund.status === 'failed' && { failure_reason: 'declined' }),
});

/** One line of the account's balance. Stripe gives no part of its fee back with a refund. */
export function balanceJson(
  { at, session, refund }: ChargeMovement,
  { isExpanded }: { isExpanded: boolean },
) {
  const amount = refund ? -refund.amount : (session.captured ?? 0);
  const fee = refund ? 0 : stripeFee(amount);
  const source = refund ? refundJson(refund, session) : chargeJson(session);
  return {
    id: `txn_${source.id}`,
    object: 'balance_transaction',
    amount,
    available_on: seconds(at),
    created: seconds(at),
    currency: session.currency,
    description: session.name,
    fee,
    fee_details: refund
      ? []
      : [
          {
            amount: fee,
            application: null,
            currency: session.currency,
            description: 'Stripe processing fees',
            type: 'stripe_fee',
          },
        ],
    net: amount - fee,
    reporting_category: refund ? 'refund' : 'charge',
    source: isExpanded ? source : source.id,
    status: 'pending',
    type: refund ? 'refund' : 'charge',
  };
}

export const disputeJson = (
  dispute: StoredDispute,
  session: StoredSession,
  { isExpanded = false } = {},
) => ({
  id: dispute.id,
  object: 'dispute',
  amount: session.captured ?? 0,
  balance_transactions: [],
  charge: isExpanded ? chargeJson(session) : (session.chargeId ?? ''),
  created: seconds(dispute.createdAt),
  currency: session.currency,
  evidence: {},
  evidence_details: { due_by: null, has_evidence: false, past_due: false, submission_count: 0 },
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: session.intentId,
  reason: 'fraudulent',
  status: dispute.status,
});

export const errorJson = (
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error',
  code: string | null,
  message: string,
) => ({ error: { type, ...(code && { code }), message } });
