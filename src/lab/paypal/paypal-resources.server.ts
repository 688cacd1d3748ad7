import { z } from 'zod';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { documents, storedMoment } from '../documents.server.ts';
import { captureOutcomes, deliveryManners } from '../scenarios.ts';
import { parseMoney, toDecimal, usd } from '~/base/money.ts';

const order = z.object({
  id: z.string(),
  referenceId: z.string(),
  customId: z.string().nullable(),
  description: z.string().nullable(),
  value: z.string(),
  currency: z.string(),
  brand: z.string().nullable(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  status: z.enum(['PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED']),
  /** The result of its capture and how its webhooks are sent, as a tester chose. */
  outcome: z.enum(captureOutcomes).default('completed'),
  deliveries: z.enum(deliveryManners).default('once'),
  createdAt: storedMoment,
});
export type StoredOrder = z.output<typeof order>;

const capture = z.object({
  id: z.string(),
  orderId: z.string(),
  customId: z.string().nullable(),
  value: z.string(),
  currency: z.string(),
  status: z.enum(['COMPLETED', 'PENDING', 'DECLINED', 'PARTIALLY_REFUNDED', 'REFUNDED']),
  createdAt: storedMoment,
});
export type StoredCapture = z.output<typeof capture>;

const refund = z.object({
  id: z.string(),
  captureId: z.string(),
  orderId: z.string(),
  customId: z.string().nullable(),
  value: z.string(),
  currency: z.string(),
  status: z.enum(['COMPLETED', 'PENDING', 'FAILED']),
  createdAt: storedMoment,
});
export type StoredRefund = z.output<typeof refund>;

const id = (body: { id: string }) => body.id;
export const orders = documents({ partner: 'paypal', kind: 'order', shape: order, id });
export const captures = documents({ partner: 'paypal', kind: 'capture', shape: capture, id });
export const refunds = documents({ partner: 'paypal', kind: 'refund', shape: refund, id });

/** An order with its captures and refunds. */
type WholeOrder = { order: StoredOrder; captures: StoredCapture[]; refunds: StoredRefund[] };

export async function wholeOrder(db: Queryable, orderId: string): Promise<WholeOrder | null> {
  const found = await orders.get(db, orderId);
  if (!found) return null;
  return {
    order: found,
    captures: await captures.list(db, { orderId }),
    refunds: await refunds.list(db, { orderId }),
  };
}

/** The order with a merchant's custom id. */
export const orderByCustomId = async (
  db: Queryable,
  customId: string,
): Promise<StoredOrder | null> => (await orders.list(db, { customId }))[0] ?? null;

/** PayPal's representations of its resources, after the documentation of Orders v2 and Payments v2. */

type Addresses = { apiUrl: string; approvalUrl: string };

const time = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;
const money = ({ value, currency }: { value: string; currency: string }) => ({
  currency_code: currency,
  value,
});

/** 3.49 % and 49 cents, as PayPal's price list has it for cards and wallets in the United States. */
const feeOf = (minor: number): number => Math.round(minor * 0.0349) + 49;

/** In dollars alone: the simulated account has no other balance. */
function shares(
  { value, currency }: { value: string; currency: string },
  fee: (minor: number) => number,
) {
  const gross = parseMoney(value);
  if (!gross || currency !== 'USD') return null;
  const kept = Math.min(fee(gross.minor), gross.minor);
  const part = (minor: number) => money({ value: toDecimal(usd(minor)), currency });
  return {
    gross_amount: part(gross.minor),
    paypal_fee: part(kept),
    net_amount: part(gross.minor - kept),
  };
}

/** Those that wait for a review have no shares yet. */
const takenStates = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];

export function orderJson({ order, captures, refunds }: WholeOrder, addresses: Addresses) {
  const self = `${addresses.apiUrl}/v2/checkout/orders/${order.id}`;
  const approval = `${addresses.approvalUrl}?token=${order.id}`;
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    payment_source: { paypal: {} },
    purchase_units: [
      {
        reference_id: order.referenceId,
        amount: money(order),
        ...(order.description && { description: order.description }),
        ...(order.customId && { custom_id: order.customId }),
        ...(captures.length > 0 && {
          payments: {
            captures: captures.map((capture) => captureJson(capture, addresses)),
            ...(refunds.length > 0 && {
              refunds: refunds.map((refund) => refundJson(refund, addresses)),
            }),
          },
        }),
      },
    ],
    create_time: time(order.createdAt),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      ...(order.status === 'PAYER_ACTION_REQUIRED'
        ? [{ href: approval, rel: 'payer-action', method: 'GET' }]
        : []),
      ...(order.status === 'APPROVED'
        ? [{ href: `${self}/capture`, rel: 'capture', method: 'POST' }]
        : []),
    ],
  };
}

function captureJson(capture: StoredCapture, { apiUrl }: Addresses) {
  const self = `${apiUrl}/v2/payments/captures/${capture.id}`;
  const receivable = shares(capture, feeOf);
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    ...(capture.status === 'DECLINED' && { status_details: { reason: 'OTHER' } }),
    amount: money(capture),
    final_capture: true,
    ...(takenStates.includes(capture.status) &&
      receivable && { seller_receivable_breakdown: receivable }),
    ...(capture.customId && { custom_id: capture.customId }),
    create_time: time(capture.createdAt),
    update_time: time(capture.createdAt),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/refund`, rel: 'refund', method: 'POST' },
      { href: `${apiUrl}/v2/checkout/orders/${capture.orderId}`, rel: 'up', method: 'GET' },
    ],
  };
}

export function refundJson(refund: StoredRefund, { apiUrl }: Addresses) {
  // PayPal gives no part of its fee back.
  const payable = shares(refund, () => 0);
  return {
    id: refund.id,
    status: refund.status,
    amount: money(refund),
    ...(payable && { seller_payable_breakdown: payable }),
    ...(refund.customId && { custom_id: refund.customId }),
    create_time: time(refund.createdAt),
    update_time: time(refund.createdAt),
    links: [
      { href: `${apiUrl}/v2/payments/refunds/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${apiUrl}/v2/payments/captures/${refund.captureId}`, rel: 'up', method: 'GET' },
    ],
  };
}

/** A capture in a webhook: with its order. */
export const captureInEvent = (capture: StoredCapture, addresses: Addresses) => ({
  ...captureJson(capture, addresses),
  supplementary_data: { related_ids: { order_id: capture.orderId } },
});

const errorNames: Record<number, string> = {
  400: 'INVALID_REQUEST',
  401: 'AUTHENTICATION_FAILURE',
  404: 'RESOURCE_NOT_FOUND',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'RATE_LIMIT_REACHED',
  500: 'INTERNAL_SERVER_ERROR',
};

export const errorJson = (status: number, issue: string | null, debugId: string) => ({
  name: errorNames[status] ?? 'INTERNAL_SERVER_ERROR',
  message: issue ?? 'The request could not be processed.',
  debug_id: debugId,
  ...(issue && { details: [{ issue, description: issue.toLowerCase().replaceAll('_', ' ') }] }),
});
