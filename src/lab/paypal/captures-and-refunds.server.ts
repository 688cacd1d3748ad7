import { randomBytes } from 'node:crypto';
import { parseMoney, toDecimal, usd } from '~/base/money.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { FaultKind } from './scenarios.ts';
import {
  captureById,
  changeCapture,
  changeOrder,
  changeRefund,
  eventsOf,
  insertCapture,
  insertRefund,
  lockedOrder,
  refundById,
  wholeOrder,
  type StoredCapture,
  type StoredOrder,
  type StoredRefund,
} from './paypal-store.server.ts';
import { captureInEvent, refundJson } from './representation.ts';
import type { SimulatedPaypal } from './simulated-paypal.server.ts';
import { sendWebhook } from './webhooks.server.ts';

/** 17 capital letters and digits, like PayPal's ids. */
export const newId = (): string => randomBytes(9).toString('hex').toUpperCase().slice(0, 17);

/** One of PayPal's issues, with its status. */
export type PayPalRefusal = { status: 404 | 422; issue: string };

/** Captures an approved order; a refusal changes nothing. */
export async function captureOrder(
  tx: Transaction,
  paypal: SimulatedPaypal,
  orderId: string,
): Promise<PayPalRefusal | null> {
  const order = await lockedOrder(tx, orderId);
  if (!order) return { status: 404, issue: 'INVALID_RESOURCE_ID' };
  if (order.status === 'COMPLETED') return { status: 422, issue: 'ORDER_ALREADY_CAPTURED' };
  if (order.status !== 'APPROVED') return { status: 422, issue: 'ORDER_NOT_APPROVED' };
  if (order.outcome === 'refused') return { status: 422, issue: 'INSTRUMENT_DECLINED' };
  const ordered = parseMoney(order.value) ?? usd(0);
  const isWrong = order.outcome === 'wrong_amount';
  const capture: StoredCapture = {
    id: newId(),
    orderId,
    customId: order.customId,
    value: isWrong ? toDecimal(usd(Math.max(ordered.minor - 100, 1))) : order.value,
    currency: order.currency,
    status: statusOf[order.outcome],
    createdAt: paypal.now(),
  };
  await insertCapture(tx, capture);
  await changeOrder(tx, orderId, { status: 'COMPLETED' });
  await notifyOfCapture(tx, paypal, order, capture);
  return null;
}

const statusOf = {
  completed: 'COMPLETED',
  wrong_amount: 'COMPLETED',
  pending: 'PENDING',
  declined: 'DECLINED',
} as const;

const captureEvents: Record<StoredCapture['status'], string> = {
  COMPLETED: 'PAYMENT.CAPTURE.COMPLETED',
  PENDING: 'PAYMENT.CAPTURE.PENDING',
  DECLINED: 'PAYMENT.CAPTURE.DENIED',
  PARTIALLY_REFUNDED: 'PAYMENT.CAPTURE.REFUNDED',
  REFUNDED: 'PAYMENT.CAPTURE.REFUNDED',
};

async function notifyOfCapture(
  tx: Transaction,
  paypal: SimulatedPaypal,
  order: StoredOrder,
  capture: StoredCapture,
) {
  await sendWebhook(tx, paypal, order, {
    type: captureEvents[capture.status],
    resourceType: 'capture',
    resource: captureInEvent(capture, paypal),
    before: (await eventsOf(tx, order.id)).length,
  });
}

/** Decides a pending capture; false when none is pending. */
export async function decidePending(
  paypal: SimulatedPaypal,
  orderId: string,
  status: 'COMPLETED' | 'DECLINED',
): Promise<boolean> {
  return paypal.db.transaction(async (tx) => {
    await lockedOrder(tx, orderId);
    const whole = await wholeOrder(tx, orderId);
    const waiting = whole?.captures.find((capture) => capture.status === 'PENDING');
    if (!whole || !waiting) return false;
    await changeCapture(tx, waiting.id, status);
    await notifyOfCapture(tx, paypal, whole.order, { ...waiting, status });
    return true;
  });
}

/** Refunds. `how`: the result a test wants; a refund without our custom id counts as made at PayPal directly. */
export async function refundCapture(
  tx: Transaction,
  paypal: SimulatedPaypal,
  asked: { captureId: string; value: string | null; customId: string | null },
  how: FaultKind | null = null,
): Promise<StoredRefund | PayPalRefusal> {
  const found = await captureById(tx, asked.captureId);
  const order = found && (await lockedOrder(tx, found.orderId));
  const whole = order && (await wholeOrder(tx, order.id));
  const capture = whole?.captures.find(({ id }) => id === asked.captureId);
  if (!whole || !capture) return { status: 404, issue: 'INVALID_RESOURCE_ID' };
  if (capture.status === 'PENDING') return { status: 422, issue: 'PENDING_CAPTURE' };
  if (capture.status === 'REFUNDED') return { status: 422, issue: 'CAPTURE_FULLY_REFUNDED' };
  if (capture.status === 'DECLINED' || how === 'refused') {
    return { status: 422, issue: 'REFUND_NOT_ALLOWED' };
  }
  const left = minor(capture.value) - backOf(whole.refunds, capture.id);
  const amount = asked.value === null ? left : minor(asked.value);
  if (amount <= 0) return { status: 422, issue: 'CANNOT_BE_ZERO_OR_NEGATIVE' };
  if (amount > left) return { status: 422, issue: 'REFUND_AMOUNT_EXCEEDED' };
  const refund: StoredRefund = {
    id: newId(),
    captureId: capture.id,
    orderId: capture.orderId,
    customId: asked.customId ?? capture.customId,
    value: toDecimal(usd(amount)),
    currency: capture.currency,
    status: how === 'pending' ? 'PENDING' : 'COMPLETED',
    createdAt: paypal.now(),
  };
  await insertRefund(tx, refund);
  await followRefund(tx, paypal, whole.order, refund);
  return refund;
}

/** A refund made on PayPal's own pages. */
export const refundByHand = (
  paypal: SimulatedPaypal,
  captureId: string,
  value: string | null,
): Promise<StoredRefund | PayPalRefusal> =>
  paypal.db.transaction((tx) => refundCapture(tx, paypal, { captureId, value, customId: null }));

/** Decides a pending refund; false when it is not pending. */
export async function decideRefund(
  paypal: SimulatedPaypal,
  refundId: string,
  status: 'COMPLETED' | 'FAILED',
): Promise<boolean> {
  return paypal.db.transaction(async (tx) => {
    const found = await refundById(tx, refundId);
    const order = found && (await lockedOrder(tx, found.orderId));
    const refund = await refundById(tx, refundId);
    if (!order || refund?.status !== 'PENDING') return false;
    await changeRefund(tx, refundId, status);
    await followRefund(tx, paypal, order, { ...refund, status });
    return true;
  });
}

/** Updates a refund's capture, and sends the webhook. */
async function followRefund(
  tx: Transaction,
  paypal: SimulatedPaypal,
  order: StoredOrder,
  refund: StoredRefund,
) {
  const whole = await wholeOrder(tx, order.id);
  const capture = whole?.captures.find(({ id }) => id === refund.captureId);
  if (whole && capture && refund.status === 'COMPLETED') {
    const done = whole.refunds.filter(({ status }) => status === 'COMPLETED');
    const isAll = backOf(done, capture.id) >= minor(capture.value);
    await changeCapture(tx, capture.id, isAll ? 'REFUNDED' : 'PARTIALLY_REFUNDED');
  }
  await sendWebhook(tx, paypal, order, {
    type: refundEvents[refund.status],
    resourceType: 'refund',
    resource: refundJson(refund, paypal),
    before: (await eventsOf(tx, order.id)).length,
  });
}

const refundEvents: Record<StoredRefund['status'], string> = {
  COMPLETED: 'PAYMENT.CAPTURE.REFUNDED',
  PENDING: 'PAYMENT.REFUND.PENDING',
  FAILED: 'PAYMENT.REFUND.FAILED',
};

const minor = (value: string) => parseMoney(value)?.minor ?? 0;
const backOf = (refunds: StoredRefund[], captureId: string) =>
  refunds
    .filter((refund) => refund.captureId === captureId && refund.status !== 'FAILED')
    .reduce((sum, { value }) => sum + minor(value), 0);
