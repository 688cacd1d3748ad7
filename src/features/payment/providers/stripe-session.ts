import { z } from 'zod';
import { usd, type Money } from '~/base/money.ts';
import type { ProviderEvent } from '../provider.ts';

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
export type StripeCharge = z.infer<typeof stripeCharge>;

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
export type StripeSession = z.infer<typeof stripeSession>;

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
export function sessionEventOf(
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
