import {
  createHash,
  createHmac,
  randomBytes,
  randomUUID,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import { signedText } from '~/features/payment/providers/paypal-client.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  untrustedKey,
  type SimulatedPartner,
  queueWebhook,
  type StoredEvent,
} from '../partner.server.ts';
import {
  errorJson,
  captures,
  orders,
  refunds,
  type StoredCapture,
  type StoredOrder,
  type StoredRefund,
  wholeOrder,
  captureInEvent,
  orderJson,
  refundJson,
} from './paypal-resources.server.ts';
import { parseMoney, toDecimal, usd } from '~/base/money.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { CaptureOutcome, DeliveryManner, FaultKind } from '../scenarios.ts';

/** The simulated PayPal's path, in test mode. */
export const SIMULATED_PAYPAL_PATH = '/lab/paypal';
/** Lale's account and webhook there. */
export const SIMULATED_CLIENT_ID = 'LALE-TEST';
export const SIMULATED_WEBHOOK_ID = '0LALETESTWEBHOOK1';

/** A simulated PayPal. It knows its own key and one account, nothing else of Lale. */
export type SimulatedPaypal = SimulatedPartner & {
  /** Signs its webhooks; its certificate is made from it. */
  privateKey: string;
  clientId: string;
  clientSecret: string;
  webhookId: string;
  /** The addresses of its calls, and of its approval page for browsers. */
  apiUrl: string;
  approvalUrl: string;
};

/** The simulated PayPal of this installation; null in live mode. */
export function simulatedPaypal(platform: Platform): SimulatedPaypal | null {
  const { simulator, publicUrl, mode, host, port } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const own = `http://${host}:${port}`;
  const paypal: SimulatedPaypal = {
    name: 'paypal',
    db: platform.db,
    now: platform.now,
    privateKey: simulator.provider.privateKey,
    clientId: SIMULATED_CLIENT_ID,
    clientSecret: simulatedSecret(simulator.merchant.privateKey),
    webhookId: SIMULATED_WEBHOOK_ID,
    webhookUrl: `${own}/api/payment/notification/paypal`,
    signedHeaders: (body, signature) => signedHeaders(paypal, body, signature),
    failure: (status) => errorJson(status, null, newId()),
    apiUrl: own + SIMULATED_PAYPAL_PATH,
    approvalUrl: `${publicUrl}${SIMULATED_PAYPAL_PATH}/checkoutnow`,
  };
  return paypal;
}

/** 17 capital letters and digits, like PayPal's ids. */
export const newId = (): string => randomBytes(9).toString('hex').toUpperCase().slice(0, 17);

function signedHeaders(
  paypal: SimulatedPaypal,
  body: string,
  signature: 'right' | 'wrong',
): Record<string, string> {
  const transmissionId = randomUUID();
  const transmissionTime = paypal.now().toISOString();
  const text = signedText({
    transmissionId,
    transmissionTime,
    webhookId: paypal.webhookId,
    body: Buffer.from(body),
  });
  const key = signature === 'right' ? paypal.privateKey : untrustedKey();
  return {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': `${paypal.apiUrl}/v1/notifications/certs/${certificateId(paypal)}`,
    'paypal-transmission-id': transmissionId,
    'paypal-transmission-time': transmissionTime,
    'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(text), key).toString('base64'),
  };
}

export const certificateId = (paypal: SimulatedPaypal): string =>
  `CERT-${createHash('sha256').update(paypal.privateKey).digest('hex').slice(0, 24)}`;

/** The account's secret, derived so that it need not be stored. */
export const simulatedSecret = (merchantKey: string): string =>
  createHash('sha256').update(`paypal:${merchantKey}`).digest('base64url');

/** Shorter than PayPal's nine hours, so that long tests cover a renewal. */
export const TOKEN_SECONDS = 3600;

/** A signed token that contains its expiry; nothing is stored. */
export function issueToken(paypal: SimulatedPaypal, use: 'api' | 'browser' = 'api'): string {
  const until = Math.floor(paypal.now().getTime() / 1000) + TOKEN_SECONDS;
  const text = `${use}.${until}`;
  return `${text}.${macOf(paypal, text)}`;
}

export function isToken(paypal: SimulatedPaypal, token: string): boolean {
  const [use = '', until = '', mac = ''] = token.split('.');
  const expected = Buffer.from(macOf(paypal, `${use}.${until}`));
  const given = Buffer.from(mac);
  if (use !== 'api' || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return false;
  }
  return Number(until) * 1000 > paypal.now().getTime();
}

const macOf = (paypal: SimulatedPaypal, text: string) =>
  createHmac('sha256', paypal.clientSecret).update(text).digest('hex');

/**
 * The payer presses Approve. `outcome`: the result of the capture; `deliveries`: how the order's webhooks are sent.
 * Returns where the browser goes; null for an unknown order. Pressing again changes nothing.
 */
export async function approve(
  paypal: SimulatedPaypal,
  orderId: string,
  { outcome = 'completed', deliveries = 'once' }: PayerChoice = {},
): Promise<string | null> {
  return paypal.db.transaction(async (tx) => {
    const order = await orders.lock(tx, orderId);
    if (!order) return null;
    if (order.status === 'PAYER_ACTION_REQUIRED') {
      await orders.change(tx, orderId, { status: 'APPROVED', outcome, deliveries });
      const whole = await wholeOrder(tx, orderId);
      if (whole) {
        await sendWebhook(tx, paypal, whole.order, {
          type: 'CHECKOUT.ORDER.APPROVED',
          resourceType: 'checkout-order',
          resource: orderJson(whole, paypal),
        });
      }
    }
    return returnAddress(order);
  });
}

export type PayerChoice = { outcome?: CaptureOutcome; deliveries?: DeliveryManner };

/** The payer presses Cancel: PayPal leaves the order as it is and sends no webhook. */
export async function cancel(paypal: SimulatedPaypal, orderId: string): Promise<string | null> {
  const whole = await wholeOrder(paypal.db, orderId);
  if (!whole) return null;
  const url = new URL(whole.order.cancelUrl);
  url.searchParams.set('token', orderId);
  return url.href;
}

export function returnAddress(order: StoredOrder): string {
  const url = new URL(order.returnUrl);
  url.searchParams.set('token', order.id);
  url.searchParams.set('PayerID', 'LALETESTPAYER');
  return url.href;
}

/** One of PayPal's issues, with its status. */
type PayPalRefusal = { status: 404 | 422; issue: string };

/** Captures an approved order; a refusal changes nothing. */
export async function captureOrder(
  tx: Transaction,
  paypal: SimulatedPaypal,
  orderId: string,
): Promise<PayPalRefusal | null> {
  const order = await orders.lock(tx, orderId);
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
  await captures.insert(tx, capture);
  await orders.change(tx, orderId, { status: 'COMPLETED' });
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
  });
}

/** Decides a pending capture; false when none is pending. */
export async function decidePending(
  paypal: SimulatedPaypal,
  orderId: string,
  status: 'COMPLETED' | 'DECLINED',
): Promise<boolean> {
  return paypal.db.transaction(async (tx) => {
    await orders.lock(tx, orderId);
    const whole = await wholeOrder(tx, orderId);
    const waiting = whole?.captures.find((capture) => capture.status === 'PENDING');
    if (!whole || !waiting) return false;
    await captures.change(tx, waiting.id, { status });
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
  const found = await captures.get(tx, asked.captureId);
  const order = found && (await orders.lock(tx, found.orderId));
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
  await refunds.insert(tx, refund);
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
    const found = await refunds.get(tx, refundId);
    const order = found && (await orders.lock(tx, found.orderId));
    const refund = await refunds.get(tx, refundId);
    if (!order || refund?.status !== 'PENDING') return false;
    await refunds.change(tx, refundId, { status });
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
    await captures.change(tx, capture.id, { status: isAll ? 'REFUNDED' : 'PARTIALLY_REFUNDED' });
  }
  await sendWebhook(tx, paypal, order, {
    type: refundEvents[refund.status],
    resourceType: 'refund',
    resource: refundJson(refund, paypal),
  });
}

const refundEvents: Record<StoredRefund['status'], string> = {
  COMPLETED: 'PAYMENT.CAPTURE.REFUNDED',
  PENDING: 'PAYMENT.REFUND.PENDING',
  FAILED: 'PAYMENT.REFUND.FAILED',
};

const minor = (value: string) => parseMoney(value)?.minor ?? 0;
const backOf = (all: StoredRefund[], captureId: string) =>
  all
    .filter((refund) => refund.captureId === captureId && refund.status !== 'FAILED')
    .reduce((sum, { value }) => sum + minor(value), 0);

/** Queues a webhook about an order in the transaction, sent in the manner chosen for the order. */
export const sendWebhook = (
  tx: Transaction,
  paypal: SimulatedPaypal,
  order: StoredOrder,
  { type, resourceType, resource }: { type: string; resourceType: string; resource: object },
): Promise<StoredEvent> =>
  queueWebhook(tx, paypal, order, type, (position, at) => ({
    id: `WH-${position}${randomUUID().replaceAll('-', '').toUpperCase().slice(0, 14)}`,
    event_version: '1.0',
    create_time: at.toISOString(),
    resource_type: resourceType,
    resource_version: '2.0',
    event_type: type,
    summary: type,
    resource,
    links: [],
  }));
