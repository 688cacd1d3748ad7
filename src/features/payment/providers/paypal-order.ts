import { z } from 'zod';
import { add, parseMoney, usd, type Money } from '~/base/money.ts';
import type { PaymentEvent } from '../machine.ts';
import type { Books, Movement, ProviderEvent, RefundState } from '../provider.ts';

/** The parts of PayPal's representations that are used (Orders v2, Payments v2). */
const money = z.object({ currency_code: z.string(), value: z.string() });
/** What PayPal keeps of a capture, or gives back of that with a refund. */
const breakdown = z.object({ paypal_fee: money.optional() });
const link = z.object({ href: z.string(), rel: z.string() });

export const paypalCapture = z.object({
  id: z.string().min(1).max(100),
  status: z.string(),
  status_details: z.object({ reason: z.string().optional() }).optional(),
  amount: money.optional(),
  custom_id: z.string().optional(),
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
    .optional(),
  create_time: z.string().optional(),
  seller_receivable_breakdown: breakdown.optional(),
});
type PaypalCapture = z.infer<typeof paypalCapture>;

export const paypalRefund = z.object({
  id: z.string().min(1).max(100),
  status: z.string(),
  amount: money.optional(),
  custom_id: z.string().optional(),
  links: z.array(link).optional(),
  create_time: z.string().optional(),
  seller_payable_breakdown: breakdown.optional(),
});
export type PaypalRefund = z.infer<typeof paypalRefund>;

const unit = z.object({
  custom_id: z.string().optional(),
  payments: z
    .object({
      captures: z.array(paypalCapture).optional(),
      refunds: z.array(paypalRefund).optional(),
    })
    .optional(),
});

export const paypalOrder = z.object({
  id: z.string().min(1).max(100),
  status: z.string(),
  purchase_units: z.array(unit).optional(),
  links: z.array(link).optional(),
});
export type PaypalOrder = z.infer<typeof paypalOrder>;

/** Only dollars are read: another currency is no amount, so nothing is paid by it. */
export const readAmount = (amount: z.infer<typeof money> | undefined): Money | null =>
  amount?.currency_code === 'USD' ? parseMoney(amount.value) : null;

const capturesOf = (order: PaypalOrder): PaypalCapture[] =>
  (order.purchase_units ?? []).flatMap(({ payments }) => payments?.captures ?? []);

export const paypalRefunds = (order: PaypalOrder): PaypalRefund[] =>
  (order.purchase_units ?? []).flatMap(({ payments }) => payments?.refunds ?? []);

/** Statuses of captured money, whatever was refunded since. An order's status COMPLETED alone proves no capture. */
const taken = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];

const eventOf = (status: string): PaymentEvent | null => {
  if (taken.includes(status)) return 'capture';
  if (status === 'PENDING') return 'hold';
  return status === 'DECLINED' || status === 'FAILED' ? 'decline' : null;
};

/**
 * The event of a capture; null for a status that PayPal does not document. The event's id names the fact and not the
 * delivery, so that webhook and query produce the same one.
 */
export function toCaptureEvent(
  capture: PaypalCapture,
  about: { attemptId: string; orderId: string | null },
): ProviderEvent | null {
  const event = eventOf(capture.status);
  if (!event) return null;
  const value = capture.amount?.value ?? null;
  const currency = capture.amount?.currency_code ?? null;
  const reason = capture.status_details?.reason ?? null;
  return {
    eventId: `capture:${capture.id}:${event}:${value ?? ''}${currency ?? ''}`,
    attemptId: about.attemptId,
    event,
    amount: readAmount(capture.amount),
    providerReference: about.orderId,
    captureId: event === 'decline' ? null : capture.id,
    reason: event === 'decline' ? declineReason(reason) : null,
    payload: { status: capture.status, captureId: capture.id, amount: value, currency, reason },
  };
}

const declineReason = (reason: string | null) =>
  reason === null || reason === 'OTHER' ? 'paypal_declined' : reason.toLowerCase();

/** The capture that decides: one that captured money, else one that is pending, else the last that failed. */
export function decisiveCapture(order: PaypalOrder): PaypalCapture | null {
  const captures = capturesOf(order);
  return (
    captures.find(({ status }) => taken.includes(status)) ??
    captures.find(({ status }) => status === 'PENDING') ??
    captures.at(-1) ??
    null
  );
}

export const refundState = (status: string): RefundState => {
  if (status === 'COMPLETED') return 'completed';
  return status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'pending';
};

/** Prefix of our refund's id at PayPal; a refund made there directly has the capture's id or none. */
const REFUND_MARK = 'refund.';
export const refundMark = (refundId: string) => REFUND_MARK + refundId;
export const markedRefund = (customId: string | undefined): string | null =>
  customId?.startsWith(REFUND_MARK) ? customId.slice(REFUND_MARK.length) : null;

/** The money captured and refunded according to an order's representation. */
export function toBooks(order: PaypalOrder): Books {
  const capture = decisiveCapture(order);
  const isTaken = capture !== null && taken.includes(capture.status);
  const back = paypalRefunds(order)
    .filter(({ status }) => refundState(status) === 'completed')
    .map(({ amount }) => readAmount(amount) ?? usd(0));
  return {
    captured: isTaken ? readAmount(capture.amount) : null,
    captureId: isTaken ? capture.id : null,
    refunded: add(...back),
    movements: isTaken ? movementsOf(order, capture) : [],
  };
}

/** A capture and its completed refunds as movements; those without a time are left out. */
function movementsOf(order: PaypalOrder, capture: PaypalCapture): Movement[] {
  const captured: Movement = {
    id: capture.id,
    kind: 'capture',
    at: new Date(capture.create_time ?? Number.NaN),
    captureId: capture.id,
    refundId: null,
    amount: readAmount(capture.amount),
    fee: readAmount(capture.seller_receivable_breakdown?.paypal_fee),
  };
  const refunds = paypalRefunds(order)
    .filter(({ status }) => refundState(status) === 'completed')
    .map((refund): Movement => ({
      id: refund.id,
      kind: 'refund',
      at: new Date(refund.create_time ?? Number.NaN),
      captureId: capture.id,
      refundId: refund.id,
      amount: negative(readAmount(refund.amount)),
      fee: negative(readAmount(refund.seller_payable_breakdown?.paypal_fee)),
    }));
  return [captured, ...refunds].filter(({ at }) => !Number.isNaN(at.getTime()));
}

const negative = (amount: Money | null): Money | null =>
  amount && usd(amount.minor === 0 ? 0 : -amount.minor);

/** Where the payer approves: `payer-action` of an order with a payment source, otherwise `approve`. */
export function approvalLink(order: PaypalOrder): string | null {
  const links = order.links ?? [];
  const found =
    links.find(({ rel }) => rel === 'payer-action') ?? links.find(({ rel }) => rel === 'approve');
  return found && /^https?:\/\//.test(found.href) ? found.href : null;
}
