import { z } from 'zod';
import { usd, type Money } from '~/base/money.ts';
import type { ProviderEvent, Movement, MovementKind } from '../provider.ts';

/** The parts of Stripe's objects that are used. */
const id = z.string().min(1).max(200);
const metadata = z.record(z.string(), z.string()).nullish();

export const stripeCharge = z.object({
  id,
  amount_captured: z.int(),
  currency: z.string(),
  captured: z.boolean(),
  paid: z.boolean(),
  metadata,
  payment_method_details: z
    .object({ card: z.object({ last4: z.string().nullish() }).nullish() })
    .nullish(),
});
type StripeCharge = z.infer<typeof stripeCharge>;

const failure = z.object({ code: z.string().nullish(), decline_code: z.string().nullish() });

export const stripeSession = z.object({
  id,
  url: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.string(),
  /** Stripe makes it when the payer pays. */
  payment_intent: z
    .object({
      id,
      status: z.string(),
      last_payment_error: failure.nullish(),
      latest_charge: stripeCharge.nullish(),
    })
    .nullish(),
});
type StripeSession = z.infer<typeof stripeSession>;

/** What to expand, so that one question tells everything about a payment. */
export const sessionFields = { expand: ['payment_intent.latest_charge'] };

/** Only dollars are read: another currency is no amount, so nothing is paid by it. */
export const readAmount = (minor: number, currency: string): Money | null =>
  currency === 'usd' ? usd(minor) : null;

/** Of these currencies Stripe counts whole units, of all others hundredths: https://docs.stripe.com/currencies */
const wholeUnits = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');

/** An amount as events keep it and alerts show it, in whatever currency the payer was charged. */
export const amountFacts = (minor: number, currency: string) => ({
  amount: wholeUnits.includes(currency) ? String(minor) : (minor / 100).toFixed(2),
  currency: currency.toUpperCase(),
});

/** The charge that captured the money; null before there is one. */
export function capturedCharge(session: StripeSession): StripeCharge | null {
  const charge = session.payment_intent?.latest_charge;
  return charge?.paid && charge.captured ? charge : null;
}

/** States of a payment intent in a completed session from which no money will come. */
const over = ['requires_payment_method', 'canceled'];

/**
 * What a session says about its attempt. `nothing`: the payer has not paid yet; a card that is declined on Stripe's page
 * is no end, because the payer can try another one there. The event's id names the fact and not the delivery, so that
 * webhook and query produce the same one.
 */
export function toSessionEvent(
  session: StripeSession,
  attemptId: string,
): ProviderEvent | 'nothing' | 'no_answer' {
  const { id: sessionId, status, payment_status: paid, payment_intent: intent } = session;
  const about = { attemptId, providerReference: sessionId, captureId: null, amount: null };
  const payload = { status: `${status}/${paid}`, session: sessionId };
  if (paid === 'paid') {
    const charge = capturedCharge(session);
    // A session that says paid without a captured charge is nothing that Stripe documents.
    if (!charge) return 'no_answer';
    const { amount_captured: amount, currency } = charge;
    return {
      ...about,
      eventId: `capture:${charge.id}:${amount}${currency}`,
      event: 'capture',
      amount: readAmount(amount, currency),
      captureId: charge.id,
      reason: null,
      payload: {
        ...payload,
        captureId: charge.id,
        ...amountFacts(amount, currency),
        cardLast4: charge.payment_method_details?.card?.last4 ?? null,
      },
    };
  }
  if (status === 'open') return 'nothing';
  if (status === 'expired') {
    const eventId = `session:${sessionId}:expired`;
    return { ...about, eventId, event: 'expire', reason: 'expired', payload };
  }
  if (intent && over.includes(intent.status)) {
    const error = intent.last_payment_error;
    const reason = error?.decline_code ?? error?.code ?? 'card_declined';
    const eventId = `session:${sessionId}:declined`;
    return { ...about, eventId, event: 'decline', reason, payload: { ...payload, reason } };
  }
  return { ...about, eventId: `session:${sessionId}:hold`, event: 'hold', reason: null, payload };
}

/** The charge, refund or dispute that moved the money, expanded; of anything else only the id. */
const source = z.union([
  z.string(),
  z.looseObject({
    id: z.string(),
    object: z.string(),
    charge: z.string().nullish(),
    metadata,
  }),
]);

export const balanceTransactions = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1).max(200),
      type: z.string(),
      /** Seconds since 1970. */
      created: z.int(),
      /** Before the fee, below zero where it leaves the balance. */
      amount: z.int(),
      /** Of the account's balance, in which the fee is; the payer's may be another. */
      currency: z.string(),
      fee: z.int(),
      source: source.nullish(),
    }),
  ),
  has_more: z.boolean(),
});
type BalanceTransaction = z.infer<typeof balanceTransactions>['data'][number];

const kinds: Record<string, MovementKind> = {
  charge: 'capture',
  payment: 'capture',
  refund: 'refund',
  payment_refund: 'refund',
  // A refund that came back.
  refund_failure: 'refund',
  // Of a dispute, as its source says.
  adjustment: 'dispute',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
};

/**
 * A balance transaction as a movement; null where it is none of ours: other adjustments, and what other software on the
 * account took. Our captures name the order; a refund and a dispute name the charge, which may be somebody else's.
 * Payouts and fees are those of the whole account.
 */
export function toMovement(transaction: BalanceTransaction): Movement | null {
  const { id, type, created, amount, currency, fee, source: moved } = transaction;
  const kind = kinds[type];
  if (!kind) return null;
  const movement: Movement = {
    id,
    kind,
    at: new Date(created * 1000),
    captureId: null,
    refundId: null,
    amount: readAmount(amount, currency),
    fee: readAmount(fee, currency),
  };
  if (kind === 'payout') return movement;
  // The whole of such a line is a fee.
  if (kind === 'fee')
    return { ...movement, amount: readAmount(0, currency), fee: readAmount(-amount, currency) };
  if (typeof moved !== 'object' || !moved) return null;
  if (kind === 'dispute') {
    const { object, charge } = moved;
    return object === 'dispute' && charge ? { ...movement, captureId: charge } : null;
  }
  if (kind === 'capture')
    return moved.metadata?.order ? { ...movement, captureId: moved.id } : null;
  return moved.charge ? { ...movement, captureId: moved.charge, refundId: moved.id } : null;
}
