import { ok, refused } from '~/base/outcome.ts';
import type {
  ProviderAnswer,
  AttemptAsked,
  ProviderEvent,
  Provider,
  RefundMade,
  RefundToMake,
  AttemptToBegin,
  ProviderNotification,
  ProviderRefundEvent,
} from '../provider.ts';
import {
  paypalCertificates,
  paypalClient,
  type PaypalAccount,
  isFromPaypal,
} from './paypal-client.server.ts';
import {
  approvalLink,
  toBooks,
  toCaptureEvent,
  decisiveCapture,
  markedRefund,
  paypalOrder,
  paypalRefund,
  refundState,
  paypalRefunds,
  type PaypalOrder,
  type PaypalRefund,
  refundMark,
  paypalCapture,
  readAmount,
} from './paypal-order.ts';
import { z } from 'zod';
import { defaultLanguage, languageFacts, isLanguage } from '~/base/languages.ts';
import { toDecimal, type Money } from '~/base/money.ts';

const webhook = z.object({
  id: z.string().min(1).max(200),
  event_type: z.string(),
  resource: z.unknown(),
});

/** The ids of our attempts; other software on the same account has other custom ids. */
const ours = z.uuid();

const approved = z.object({ purchase_units: z.array(z.object({ custom_id: ours })).min(1) });

/** What a webhook means, once its signature is verified. */
function readWebhook(body: unknown): ProviderNotification {
  const event = webhook.safeParse(body).data;
  if (!event) return { kind: 'irrelevant' };
  const { event_type: type, resource } = event;
  if (/^PAYMENT\.CAPTURE\.(COMPLETED|PENDING|DENIED|DECLINED)$/.test(type))
    return capture(resource);
  if (/^PAYMENT\.(CAPTURE\.(REFUNDED|REVERSED)|REFUND\.\w+)$/.test(type)) {
    const refund = paypalRefund.safeParse(resource).data;
    return refund ? { kind: 'refunds', events: [refundEventOf(refund)] } : { kind: 'irrelevant' };
  }
  // The payer has approved but may not come back, or the approval has expired: asking for the order tells which.
  if (type === 'CHECKOUT.ORDER.APPROVED' || type === 'CHECKOUT.PAYMENT-APPROVAL.REVERSED') {
    const attemptId = approved.safeParse(resource).data?.purchase_units[0]?.custom_id;
    if (attemptId) return { kind: 'ask', attemptId };
  }
  return { kind: 'irrelevant' };
}

function capture(resource: unknown): ProviderNotification {
  const captured = paypalCapture.safeParse(resource).data;
  const attemptId = ours.safeParse(captured?.custom_id).data;
  if (!captured || !attemptId) return { kind: 'irrelevant' };
  const orderId = captured.supplementary_data?.related_ids?.order_id ?? null;
  const providerEvent = toCaptureEvent(captured, { attemptId, orderId });
  return providerEvent ? { kind: 'payment', event: providerEvent } : { kind: 'irrelevant' };
}

function refundEventOf(refund: PaypalRefund): ProviderRefundEvent {
  const up = refund.links?.find(({ rel }) => rel === 'up')?.href;
  return {
    eventId: `refund:${refund.id}:${refund.status}`,
    providerRefundId: refund.id,
    refundId: markedRefund(refund.custom_id),
    captureId: up?.match(/\/captures\/([A-Za-z0-9]+)/)?.[1] ?? null,
    state: refundState(refund.status),
    amount: readAmount(refund.amount),
    payload: {
      status: refund.status,
      refundId: refund.id,
      amount: refund.amount?.value ?? null,
      currency: refund.amount?.currency_code ?? null,
    },
  };
}

const paypalMoney = (amount: Money) => ({
  currency_code: amount.currency,
  value: toDecimal(amount),
});

/** The order to create (Orders v2). No name, address or email is sent: payers enter theirs at PayPal. */
const orderRequest = (attempt: AttemptToBegin) => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: attempt.id,
      custom_id: attempt.id,
      description: attempt.description.slice(0, 127),
      amount: paypalMoney(attempt.amount),
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        brand_name: 'Lale',
        locale: languageFacts(isLanguage(attempt.language) ? attempt.language : defaultLanguage)
          .paypal,
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        return_url: attempt.returnUrl,
        cancel_url: attempt.cancelUrl,
      },
    },
  },
});

const refundRequest = (refundId: string, amount: Money) => ({
  amount: paypalMoney(amount),
  custom_id: refundMark(refundId),
});

const refusal = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string() })).optional(),
});

/** PayPal's code for a refusal: `details[0].issue`, or the error's name; null without one. */
function issueOf(body: unknown): string | null {
  const error = refusal.safeParse(body).data;
  return error?.details?.[0]?.issue ?? error?.name ?? null;
}

/**
 * Issues of a capture after which the order cannot be captured: the payer has to pay in another way (Orders v2,
 * capture, 422 and 403). For all others the provider is asked again.
 */
const declines = new Set([
  'INSTRUMENT_DECLINED',
  'TRANSACTION_REFUSED',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_RECEIVING_LIMIT_EXCEEDED',
  'TRANSACTION_BLOCKED_BY_PAYEE',
  'PAYEE_BLOCKED_TRANSACTION',
  'COMPLIANCE_VIOLATION',
  'DOMESTIC_TRANSACTION_REQUIRED',
  'DECLINED_DUE_TO_RELATED_TXN',
]);

const isDecline = (issue: string | null): issue is string => issue !== null && declines.has(issue);

export type PaypalSettings = PaypalAccount & {
  webhookId: string;
  /** The folder whose certificates alone may sign webhooks, as `https://host/…/`. */
  certificates: string;
  now: () => Date;
};

/** PayPal Orders v2: create the order, the payer approves at PayPal, capture; webhooks report the rest. */
export function paypal(settings: PaypalSettings): Provider {
  const { call } = paypalClient(settings);
  const keyAt = paypalCertificates({
    folder: settings.certificates,
    timeoutMs: settings.timeoutMs,
    now: settings.now,
  });

  /** Without PayPal's id stored, the browser never got PayPal's address, so nobody can have paid. */
  const orderOf = async (attempt: AttemptAsked): Promise<PaypalOrder | 'unknown' | 'no_answer'> => {
    if (attempt.providerReference === null) return 'unknown';
    return readOrder(await call({ method: 'GET', path: pathOf(attempt.providerReference) }));
  };

  const capture = async (attempt: AttemptAsked, order: PaypalOrder): Promise<ProviderAnswer> => {
    const answer = await call({
      method: 'POST',
      path: `${pathOf(order.id)}/capture`,
      requestId: `capture-${attempt.id}`,
    });
    if (answer === 'no_answer') return answer;
    if (answer.status < 300) {
      const captured = readOrder(answer);
      return typeof captured === 'object' ? eventOf(attempt, captured) : 'no_answer';
    }
    const issue = issueOf(answer.body);
    if (isDecline(issue)) return declined(attempt, order.id, issue);
    if (issue === 'ORDER_NOT_APPROVED' || issue === 'PAYER_ACTION_REQUIRED') return 'nothing';
    if (issue !== 'ORDER_ALREADY_CAPTURED') return 'no_answer';
    const current = await orderOf(attempt);
    return typeof current === 'object' ? eventOf(attempt, current) : current;
  };

  /** A refund of ours that PayPal has, also after it has dropped the request id (45 days). */
  const refundMade = async ({ refundId, attempt }: RefundToMake) => {
    const order = await orderOf(attempt);
    if (typeof order === 'string') return order;
    const known = paypalRefunds(order).find(
      ({ custom_id }) => markedRefund(custom_id) === refundId,
    );
    return known ? made(known) : 'unknown';
  };

  return {
    name: 'paypal',

    async begin(attempt) {
      const answer = await call({
        method: 'POST',
        path: '/v2/checkout/orders',
        body: orderRequest(attempt),
        requestId: attempt.id,
      });
      if (answer === 'no_answer') {
        return refused({ code: 'no_answer', message: 'PayPal could not be reached' });
      }
      if (answer.status >= 400) {
        return refused({ code: 'refused', message: `PayPal refused: ${answer.status}` });
      }
      const order = readOrder(answer);
      const url = typeof order === 'object' ? approvalLink(order) : null;
      if (typeof order === 'string' || url === null) {
        return refused({ code: 'no_answer', message: 'PayPal gave no payment link' });
      }
      return ok({ providerReference: order.id, checkoutRedirect: { kind: 'link', url } });
    },

    async ask(attempt, { mayCapture }) {
      const order = await orderOf(attempt);
      if (typeof order === 'string') return order;
      if (order.status === 'APPROVED' && !decisiveCapture(order) && mayCapture) {
        return capture(attempt, order);
      }
      return eventOf(attempt, order);
    },

    // A returning browser proves nothing: PayPal adds a token and a payer id, both unsigned.
    readReturn: () => null,

    async readNotification(raw) {
      const isGenuine = await isFromPaypal(raw, settings.webhookId, keyAt);
      if (isGenuine === 'unavailable') return { kind: 'unavailable' };
      return isGenuine === 'yes' ? readWebhook(parseJson(raw.body)) : { kind: 'unverified' };
    },

    async refund(refund) {
      const answer = await call({
        method: 'POST',
        path: `/v2/payments/captures/${encodeURIComponent(refund.attempt.captureId)}/refund`,
        body: refundRequest(refund.refundId, refund.amount),
        requestId: refund.refundId,
      });
      if (answer === 'no_answer') {
        return refused({ code: 'no_answer', message: 'PayPal could not be reached' });
      }
      if (answer.status < 300) {
        const parsed = paypalRefund.safeParse(answer.body).data;
        return parsed
          ? ok(made(parsed))
          : refused({ code: 'no_answer', message: 'No usable answer' });
      }
      const earlier = await refundMade(refund);
      if (typeof earlier === 'object') return ok(earlier);
      if (earlier === 'no_answer') {
        return refused({ code: 'no_answer', message: 'PayPal could not be reached' });
      }
      const issue = issueOf(answer.body) ?? answer.status;
      return refused({ code: 'refused', message: `Refund refused: ${issue}` });
    },

    async askRefund(refund) {
      if (refund.providerRefundId === null) return refundMade(refund);
      const path = `/v2/payments/refunds/${encodeURIComponent(refund.providerRefundId)}`;
      const answer = await call({ method: 'GET', path });
      if (answer === 'no_answer') return answer;
      if (answer.status === 404) return 'unknown';
      const parsed = answer.status < 300 ? paypalRefund.safeParse(answer.body).data : null;
      return parsed ? made(parsed) : 'no_answer';
    },

    async books(attempt) {
      const order = await orderOf(attempt);
      return typeof order === 'string' ? order : toBooks(order);
    },
  };
}

const pathOf = (orderId: string) => `/v2/checkout/orders/${encodeURIComponent(orderId)}`;

const made = (refund: PaypalRefund): RefundMade => ({
  providerRefundId: refund.id,
  state: refundState(refund.status),
});

function readOrder(
  answer: { status: number; body: unknown } | 'no_answer',
): PaypalOrder | 'unknown' | 'no_answer' {
  if (answer === 'no_answer') return answer;
  if (answer.status === 404) return 'unknown';
  return answer.status < 300
    ? (paypalOrder.safeParse(answer.body).data ?? 'no_answer')
    : 'no_answer';
}

/** The event in an order's representation: its capture, or that it is void; otherwise undecided. */
function eventOf(attempt: AttemptAsked, order: PaypalOrder): ProviderAnswer {
  const capture = decisiveCapture(order);
  if (capture) {
    return toCaptureEvent(capture, { attemptId: attempt.id, orderId: order.id }) ?? 'no_answer';
  }
  return order.status === 'VOIDED' ? ended(attempt, order.id, 'cancel', 'voided') : 'nothing';
}

const declined = (attempt: AttemptAsked, orderId: string, issue: string) =>
  ended(attempt, orderId, 'decline', issue.toLowerCase());

const ended = (
  attempt: AttemptAsked,
  orderId: string,
  event: 'cancel' | 'decline',
  reason: string,
): ProviderEvent => ({
  eventId: `order:${orderId}:${reason}`,
  attemptId: attempt.id,
  event,
  amount: null,
  providerReference: orderId,
  captureId: null,
  reason,
  payload: { status: event, orderId, reason },
});

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
