import { createHash, randomBytes } from 'node:crypto';
import type { Platform } from '~/platform/platform.server.ts';
import {
  stripeSignature,
  STRIPE_VERSION,
} from '~/features/payment/providers/stripe-client.server.ts';
import { type SimulatedPartner, queueWebhook, type StoredEvent } from '../partner.server.ts';
import {
  errorJson,
  disputes,
  refunds,
  sessionRefunds,
  findSession,
  sessions,
  type StoredDispute,
  type StoredRefund,
  type StoredSession,
  chargeJson,
  disputeJson,
  refundJson,
  sessionJson,
} from './stripe-resources.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { DeliveryManner, FaultKind, PaymentOutcome } from '../scenarios.ts';

/** The simulated Stripe's path, in test mode. */
export const SIMULATED_STRIPE_PATH = '/lab/stripe';

/** A simulated Stripe. It knows one account and its webhook, nothing else of Lale. */
export type SimulatedStripe = SimulatedPartner & {
  secretKey: string;
  webhookSecret: string;
  /** The addresses of its calls, and of its payment page for browsers. */
  apiUrl: string;
  pageUrl: string;
};

/** The simulated Stripe of this installation; null in live mode. */
export function simulatedStripe(platform: Platform): SimulatedStripe | null {
  const { simulator, publicUrl, mode, host, port } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const own = `http://${host}:${port}`;
  const { secretKey, webhookSecret } = simulatedStripeKeys(simulator.merchant.privateKey);
  return {
    name: 'stripe',
    db: platform.db,
    now: platform.now,
    secretKey,
    webhookSecret,
    webhookUrl: `${own}/api/payment/notification/stripe`,
    signedHeaders: (body, signature) => {
      const seconds = Math.floor(platform.now().getTime() / 1000);
      const secret = signature === 'right' ? webhookSecret : 'whsec_somebody_else';
      const value = stripeSignature(secret, seconds, Buffer.from(body));
      return { 'stripe-signature': `t=${seconds},v1=${value},v0=${'0'.repeat(64)}` };
    },
    failure: (status) =>
      status === 429
        ? errorJson('invalid_request_error', 'rate_limit', 'Too many requests.')
        : errorJson('api_error', null, 'Something went wrong.'),
    apiUrl: own + SIMULATED_STRIPE_PATH,
    pageUrl: `${publicUrl}${SIMULATED_STRIPE_PATH}/pay`,
  };
}

/** The account's secrets, derived so that they need not be stored. */
export function simulatedStripeKeys(merchantKey: string) {
  const derived = (use: string) =>
    createHash('sha256').update(`stripe:${use}:${merchantKey}`).digest('hex').slice(0, 32);
  return { secretKey: `sk_test_${derived('key')}`, webhookSecret: `whsec_${derived('webhook')}` };
}

/** An id like Stripe's: what it is of, and 24 characters; a session's has 58. */
export const newId = (of: string, length = 24): string =>
  `${of}_${randomBytes(length / 2).toString('hex')}`;

export type PayerChoice = { outcome?: PaymentOutcome; deliveries?: DeliveryManner };

/**
 * The payer pays. Returns where the browser goes; null for an unknown session, and where the card was declined. Paying
 * a session that is not open changes nothing.
 */
export async function pay(
  stripe: SimulatedStripe,
  sessionId: string,
  { outcome = 'paid', deliveries = 'once' }: PayerChoice = {},
): Promise<string | null> {
  return stripe.db.transaction(async (tx) => {
    const session = await sessions.lock(tx, sessionId);
    if (!session || outcome === 'declined') return null;
    const isOpen = session.status === 'open' && session.expiresAt > stripe.now();
    if (isOpen) await take(tx, stripe, { ...session, deliveries }, outcome);
    return session.successUrl;
  });
}

/** Takes the money whatever became of the session before, which Stripe itself would not do. */
export async function payEndedSession(
  stripe: SimulatedStripe,
  sessionId: string,
  outcome: 'paid' | 'processing' | 'wrong_amount' = 'paid',
): Promise<void> {
  await stripe.db.transaction(async (tx) => {
    const session = await sessions.lock(tx, sessionId);
    if (!session) throw new Error(`The simulated Stripe has no session ${sessionId}`);
    await take(tx, stripe, session, outcome);
  });
}

async function take(
  tx: Transaction,
  stripe: SimulatedStripe,
  session: StoredSession,
  outcome: Exclude<PaymentOutcome, 'declined'>,
) {
  const isPaid = outcome === 'paid' || outcome === 'wrong_amount';
  const values = {
    status: 'complete',
    payment: isPaid ? 'succeeded' : outcome,
    intentId: newId('pi'),
    chargeId: newId('ch'),
    captured: outcome === 'wrong_amount' ? Math.max(session.amount - 100, 1) : session.amount,
    paidAt: stripe.now(),
    deliveries: session.deliveries,
  } as const;
  await sessions.change(tx, session.id, values);
  const paid = { ...session, ...values };
  await notifyOf(tx, stripe, paid, 'checkout.session.completed');
  if (outcome === 'failed') {
    await notifyOf(tx, stripe, paid, 'checkout.session.async_payment_failed');
  }
}

const notifyOf = (tx: Transaction, stripe: SimulatedStripe, session: StoredSession, type: string) =>
  sendWebhook(tx, stripe, session, {
    type,
    object: sessionJson(session, { pageUrl: stripe.pageUrl, now: stripe.now(), expanded: [] }),
  });

/** The merchant closes a session; null where it is not open. */
export async function expireSession(
  stripe: SimulatedStripe,
  sessionId: string,
): Promise<StoredSession | 'unknown' | null> {
  return stripe.db.transaction(async (tx) => {
    const session = await sessions.lock(tx, sessionId);
    if (!session) return 'unknown';
    if (session.status !== 'open' || session.expiresAt <= stripe.now()) return null;
    const values = { status: 'expired', expiresAt: stripe.now() } as const;
    await sessions.change(tx, sessionId, values);
    const expired = { ...session, ...values };
    await notifyOf(tx, stripe, expired, 'checkout.session.expired');
    return expired;
  });
}

/** Decides a payment that is being processed; false when none is. */
export async function decidePayment(
  stripe: SimulatedStripe,
  sessionId: string,
  payment: 'succeeded' | 'failed',
): Promise<boolean> {
  return stripe.db.transaction(async (tx) => {
    const session = await sessions.lock(tx, sessionId);
    if (session?.payment !== 'processing') return false;
    await sessions.change(tx, sessionId, { payment });
    await notifyOf(
      tx,
      stripe,
      { ...session, payment },
      `checkout.session.async_payment_${payment}`,
    );
    return true;
  });
}

/** Why a refund is refused, with Stripe's code. */
export type RefundRefusal = { code: string; message: string };

/** Refunds. `how`: the result a test wants; a refund without our mark counts as made at Stripe directly. */
export async function refundCharge(
  tx: Transaction,
  stripe: SimulatedStripe,
  asked: { chargeId: string; amount: number | null; mark: string | null },
  how: FaultKind | null = null,
): Promise<{ refund: StoredRefund; session: StoredSession } | RefundRefusal> {
  const found = await findSession(tx, 'chargeId', asked.chargeId);
  const session = found && (await sessions.lock(tx, found.id));
  if (!session) return { code: 'resource_missing', message: `No such charge: '${asked.chargeId}'` };
  const all = await sessionRefunds(tx, session.id);
  const left =
    (session.payment === 'succeeded' ? (session.captured ?? 0) : 0) -
    all.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0);
  const amount = asked.amount ?? left;
  if (how === 'refused') return { code: 'charge_disputed', message: 'The charge is disputed.' };
  if (left <= 0) return { code: 'charge_already_refunded', message: 'Already refunded.' };
  if (amount <= 0 || amount > left) {
    return { code: 'amount_too_large', message: 'The amount is greater than what is left.' };
  }
  const refund: StoredRefund = {
    id: newId('re'),
    sessionId: session.id,
    refundMark: asked.mark,
    amount,
    status: how === 'pending' ? 'pending' : 'succeeded',
    createdAt: stripe.now(),
  };
  await refunds.insert(tx, refund);
  await sendWebhook(tx, stripe, session, {
    type: 'charge.refunded',
    object: chargeJson(session, [refund, ...all]),
  });
  await sendWebhook(tx, stripe, session, {
    type: 'refund.created',
    object: refundJson(refund, session),
  });
  return { refund, session };
}

/** A refund made on Stripe's own pages. */
export const refundByHand = (stripe: SimulatedStripe, chargeId: string, amount: number | null) =>
  stripe.db.transaction((tx) => refundCharge(tx, stripe, { chargeId, amount, mark: null }));

/** Decides a pending refund; false when it is not pending. */
export const decideRefund = (
  stripe: SimulatedStripe,
  refundId: string,
  status: 'succeeded' | 'failed',
): Promise<boolean> => moveRefund(stripe, refundId, { from: 'pending', to: status });

/** The payer's bank sends back a refund that had succeeded; false when it had not. */
export const failRefund = (stripe: SimulatedStripe, refundId: string): Promise<boolean> =>
  moveRefund(stripe, refundId, { from: 'succeeded', to: 'failed' });

async function moveRefund(
  stripe: SimulatedStripe,
  refundId: string,
  { from, to: status }: { from: StoredRefund['status']; to: 'succeeded' | 'failed' },
): Promise<boolean> {
  return stripe.db.transaction(async (tx) => {
    const found = await refunds.get(tx, refundId);
    const session = found && (await sessions.lock(tx, found.sessionId));
    const refund = await refunds.get(tx, refundId);
    if (!session || refund?.status !== from) return false;
    await refunds.change(tx, refundId, { status });
    await sendWebhook(tx, stripe, session, {
      type: status === 'failed' ? 'refund.failed' : 'refund.updated',
      object: refundJson({ ...refund, status }, session),
    });
    return true;
  });
}

/** The payer's bank disputes a charge. */
export async function openDispute(
  stripe: SimulatedStripe,
  chargeId: string,
): Promise<StoredDispute> {
  return stripe.db.transaction(async (tx) => {
    const session = await findSession(tx, 'chargeId', chargeId);
    if (!session) throw new Error(`The simulated Stripe has no charge ${chargeId}`);
    const dispute: StoredDispute = {
      id: newId('dp'),
      sessionId: session.id,
      status: 'needs_response',
      createdAt: stripe.now(),
    };
    await disputes.insert(tx, dispute);
    const object = disputeJson(dispute, session);
    await sendWebhook(tx, stripe, session, { type: 'charge.dispute.created', object });
    return dispute;
  });
}

/** The bank decides a dispute. */
export async function closeDispute(
  stripe: SimulatedStripe,
  disputeId: string,
  status: 'won' | 'lost',
): Promise<void> {
  await stripe.db.transaction(async (tx) => {
    const dispute = await disputes.get(tx, disputeId);
    const session = dispute && (await sessions.lock(tx, dispute.sessionId));
    if (!session) throw new Error(`The simulated Stripe has no dispute ${disputeId}`);
    await disputes.change(tx, disputeId, { status });
    const object = disputeJson({ ...dispute, status }, session);
    await sendWebhook(tx, stripe, session, { type: 'charge.dispute.closed', object });
  });
}

/** Queues a webhook about a session in the transaction, sent in the manner chosen for the session. */
export const sendWebhook = (
  tx: Transaction,
  stripe: SimulatedStripe,
  session: Pick<StoredSession, 'id' | 'deliveries'>,
  { type, object }: { type: string; object: object },
): Promise<StoredEvent> =>
  queueWebhook(tx, stripe, session, type, (position, at) => ({
    id: `evt_${position}${randomBytes(10).toString('hex')}`,
    object: 'event',
    api_version: STRIPE_VERSION,
    created: Math.floor(at.getTime() / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }));
