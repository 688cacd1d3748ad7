import { ok, refused } from '~/base/outcome.ts';
import type {
  Answer,
  AttemptAsked,
  ProviderEvent,
  Provider,
  RefundMade,
  RefundToMake,
} from '../provider.ts';
import { paypalCertificates } from './paypal-certificates.server.ts';
import { paypalClient, type PaypalAccount } from './paypal-client.server.ts';
import { readWebhook } from './paypal-notification.ts';
import {
  approvalLink,
  booksOf,
  captureEventOf,
  decisiveCapture,
  markedRefund,
  paypalOrder,
  paypalRefund,
  refundState,
  refundsOf,
  type PaypalOrder,
  type PaypalRefund,
} from './paypal-order.ts';
import { isDecline, issueOf } from './paypal-refusal.ts';
import { orderRequest, refundRequest } from './paypal-request.ts';
import { isFromPaypal } from './paypal-signature.server.ts';

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

  const capture = async (attempt: AttemptAsked, order: PaypalOrder): Promise<Answer> => {
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
    const known = refundsOf(order).find(({ custom_id }) => markedRefund(custom_id) === refundId);
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
      return typeof order === 'string' ? order : booksOf(order);
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
function eventOf(attempt: AttemptAsked, order: PaypalOrder): Answer {
  const capture = decisiveCapture(order);
  if (capture) {
    return captureEventOf(capture, { attemptId: attempt.id, orderId: order.id }) ?? 'no_answer';
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
