import { z } from 'zod';
import { parseMoney, toDecimal, usd } from '~/base/money.ts';
import { ok, refused } from '~/base/outcome.ts';
import type { CardGatewayConfig } from '~/platform/config/config-providers.server.ts';
import { postJson, type PostAnswer } from '~/platform/http/post-json.server.ts';
import type {
  ProviderAnswer,
  AttemptToBegin,
  Provider,
  ProviderEvent,
  ProviderRefundEvent,
  NoAnswer,
} from '../provider.ts';
import { signFields, isSigned } from './signed-fields.server.ts';
import type { PaymentEvent } from '../machine.ts';
import { randomUUID } from 'node:crypto';
import { errorReason } from '~/base/error-reason.ts';

const text = z.union([z.string(), z.number()]).transform(String);

/** The gateway's message about a transaction, once its signature is verified. */
export const paymentStatement = z.object({
  eventId: z.string().min(1).max(200),
  status: z.enum(['created', 'completed', 'declined', 'cancelled']),
  transactionId: z.string().min(1).max(200),
  orderId: z.uuid(),
  amount: text,
  currency: z.string().optional(),
  captureId: z.string().max(200).optional(),
  cardLast4: z.string().max(4).optional(),
  /** The sum refunded so far. */
  refundedAmount: text.optional(),
  reason: z.string().max(200).optional(),
  timestamp: text.optional(),
});

/** Its message about one refund. `refundRef` is our id, where we asked for it. */
export const refundStatement = z.object({
  type: z.literal('refund'),
  eventId: z.string().min(1).max(200),
  status: z.enum(['pending', 'completed', 'failed']),
  refundId: z.string().min(1).max(200),
  refundRef: z.string().max(200).optional(),
  transactionId: text.optional(),
  captureId: z.string().max(200).optional(),
  amount: text.optional(),
  currency: z.string().optional(),
});

const events: Record<'completed' | 'declined' | 'cancelled', PaymentEvent> = {
  completed: 'capture',
  declined: 'decline',
  cancelled: 'cancel',
};

type PaymentStatement = z.infer<typeof paymentStatement>;
type RefundStatement = z.infer<typeof refundStatement>;

type Keys = Pick<CardGatewayConfig, 'providerPublicKeys' | 'digest'>;

/** A payload's content about a payment or a refund, if its signature is valid; otherwise null. */
export function readStatement(
  payload: string,
  { providerPublicKeys, digest }: Keys,
): { payment: PaymentStatement } | { refund: RefundStatement } | null {
  const fields = decode(payload);
  if (!fields || !isSigned(fields, providerPublicKeys, digest)) return null;
  const refund = refundStatement.safeParse(fields);
  if (refund.success) return { refund: refund.data };
  const payment = paymentStatement.safeParse(fields);
  return payment.success ? { payment: payment.data } : null;
}

/** `nothing`: registered and not decided yet. */
export function interpretPayment(payment: PaymentStatement): ProviderEvent | 'nothing' {
  if (payment.status === 'created') return 'nothing';
  return {
    eventId: payment.eventId,
    attemptId: payment.orderId,
    event: events[payment.status],
    amount: payment.currency === 'USD' ? parseMoney(payment.amount) : null,
    providerReference: payment.transactionId,
    captureId: payment.captureId ?? (payment.status === 'completed' ? payment.transactionId : null),
    reason: payment.reason ?? null,
    payload: {
      status: payment.status,
      transactionId: payment.transactionId,
      amount: payment.amount,
      currency: payment.currency ?? null,
      cardLast4: payment.cardLast4 ?? null,
      reason: payment.reason ?? null,
      timestamp: payment.timestamp ?? null,
    },
  };
}

export function interpretRefund(refund: RefundStatement): ProviderRefundEvent {
  return {
    eventId: refund.eventId,
    providerRefundId: refund.refundId,
    refundId: refund.refundRef ?? null,
    captureId: refund.captureId ?? null,
    state: refund.status,
    amount: refund.currency === 'USD' ? parseMoney(refund.amount ?? '') : null,
    payload: {
      status: refund.status,
      refundId: refund.refundId,
      amount: refund.amount ?? null,
      currency: refund.currency ?? null,
    },
  };
}

/** Decodes base64 JSON of one flat object of texts and numbers, as the gateway sends it; null for anything else. */
function decode(payload: string): Record<string, string> | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
    const fields = z.record(z.string(), text).safeParse(json);
    return fields.success ? fields.data : null;
  } catch {
    return null;
  }
}

export type CardGatewaySettings = CardGatewayConfig & {
  /** Our own addresses, to which the gateway sends browser and notifications. */
  errorUrl: string;
  notificationUrl: string;
};

const refundAnswer = z.object({
  refundId: z.string().min(1).max(200),
  status: z.enum(['pending', 'completed', 'failed']),
});

const registered = z.object({
  status: z.literal('created'),
  transactionId: z.string().min(1).max(200),
  paymentLink: z.url(),
});

/** Characters of a message in base64. */
export const MAX_PAYLOAD_LENGTH = 20_000;

/** Return, notification and query all carry the message as text. */
const carried = z.object({ payload: z.string().max(MAX_PAYLOAD_LENGTH) });

/** A final refusal; 408 and 429 only mean "not now". */
const isRefusal = ({ status }: PostAnswer) =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

const isDone = ({ status }: PostAnswer) => status >= 200 && status < 300;

/** The card gateway: a signed form that the browser submits, a signed return, a signed notification, a query. */
export function cardGateway(settings: CardGatewaySettings): Provider {
  const sign = (fields: Record<string, string>) =>
    signFields(fields, settings.privateKey, settings.digest);

  const post = (path: string, fields: Record<string, string>) =>
    postJson(settings.endpoint + path, sign(fields), settings);

  const read = (message: unknown) => {
    const sent = carried.safeParse(message);
    return sent.success ? readStatement(sent.data.payload, settings) : null;
  };
  const paymentIn = (message: unknown): PaymentStatement | null => {
    const statement = read(message);
    return statement && 'payment' in statement ? statement.payment : null;
  };

  const query = async (id: string): Promise<PaymentStatement | 'unknown' | 'no_answer'> => {
    try {
      const response = await post('/v1/transactions/query', {
        merchantId: settings.merchantId,
        orderRef: id,
      });
      if (response.status === 404) return 'unknown';
      if (!isDone(response)) return 'no_answer';
      const payment = paymentIn(response.json());
      return payment?.orderId === id ? payment : 'no_answer';
    } catch {
      return 'no_answer';
    }
  };

  return {
    name: 'card',

    async begin(attempt) {
      const fields = checkoutFields(settings, attempt);
      const checkoutRedirect = {
        kind: 'form' as const,
        url: `${settings.publicEndpoint}/v1/checkout`,
        fields: sign(fields),
      };
      if (settings.mode === 'form') return ok({ providerReference: null, checkoutRedirect });
      try {
        const response = await post('/v1/checkout', { ...fields, connectionMode: 'API' });
        if (isRefusal(response)) {
          return refused({
            code: 'refused',
            message: `Payment gateway refused: ${response.status}`,
          });
        }
        const answer = registered.safeParse(response.json());
        if (!answer.success) {
          return refused({ code: 'no_answer', message: 'Payment gateway gave no usable answer' });
        }
        return ok({ providerReference: answer.data.transactionId, checkoutRedirect });
      } catch {
        return refused({ code: 'no_answer', message: 'Payment gateway could not be reached' });
      }
    },

    async ask({ id }): Promise<ProviderAnswer> {
      const payment = await query(id);
      return typeof payment === 'object' ? interpretPayment(payment) : payment;
    },

    readReturn(returned) {
      const payment = paymentIn({ payload: returned.get('payload') });
      const providerEvent = payment && interpretPayment(payment);
      return providerEvent === 'nothing' ? null : providerEvent;
    },

    async readNotification({ body }) {
      const statement = read(parseJson(body));
      if (!statement) return { kind: 'unverified' };
      if ('refund' in statement)
        return { kind: 'refunds', events: [interpretRefund(statement.refund)] };
      const providerEvent = interpretPayment(statement.payment);
      return providerEvent === 'nothing'
        ? { kind: 'irrelevant' }
        : { kind: 'payment', event: providerEvent };
    },

    async refund({ refundId, attempt, amount }) {
      try {
        const response = await post('/v1/refunds', {
          merchantId: settings.merchantId,
          refundRef: refundId,
          orderRef: attempt.id,
          amount: toDecimal(amount),
          currency: amount.currency,
        });
        if (isRefusal(response)) {
          return refused({ code: 'refused', message: `Refund refused: ${response.status}` });
        }
        const answer = refundAnswer.safeParse(response.json());
        if (!answer.success) return refused({ code: 'no_answer', message: 'No usable answer' });
        return ok({ providerRefundId: answer.data.refundId, state: answer.data.status });
      } catch {
        return refused({ code: 'no_answer', message: 'Payment gateway could not be reached' });
      }
    },

    async askRefund({ refundId, attempt }) {
      try {
        const response = await post('/v1/refunds/query', {
          merchantId: settings.merchantId,
          refundRef: refundId,
          orderRef: attempt.id,
        });
        if (response.status === 404) return 'unknown';
        const answer = refundAnswer.safeParse(isDone(response) ? response.json() : null);
        if (!answer.success) return 'no_answer';
        return { providerRefundId: answer.data.refundId, state: answer.data.status };
      } catch {
        return 'no_answer';
      }
    },

    async books({ id }) {
      const payment = await query(id);
      if (typeof payment !== 'object') return payment;
      const isCaptured = payment.status === 'completed';
      const captured = isCaptured && payment.currency === 'USD' ? parseMoney(payment.amount) : null;
      return {
        captured,
        captureId: isCaptured ? (payment.captureId ?? payment.transactionId) : null,
        refunded: parseMoney(payment.refundedAmount ?? '') ?? usd(0),
      };
    },
  };
}

function checkoutFields(settings: CardGatewaySettings, attempt: AttemptToBegin) {
  const { customer } = attempt;
  return {
    merchantId: settings.merchantId,
    orderRef: attempt.id,
    amount: toDecimal(attempt.amount),
    currency: attempt.amount.currency,
    description: attempt.description,
    language: attempt.language,
    callbackUrl: attempt.returnUrl,
    cancelUrl: attempt.cancelUrl,
    errorUrl: settings.errorUrl,
    notificationUrl: settings.notificationUrl,
    customerIp: customer.address,
    customerName: customer.name,
    customerEmail: customer.email,
    billingStreet1: customer.street ?? '',
    billingCity: customer.city ?? '',
    billingCountry: customer.country ?? '',
    billingZipCode: customer.zipCode ?? '',
    billingPhone: customer.phone ?? '',
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/**
 * `accepted`: the gateway answers our signature and refuses a broken one. `refused`: it refuses ours. `same`: it answers
 * both in one way, so that nothing can be told about our account.
 */
type CardGatewayFound = 'accepted' | 'refused' | 'same' | NoAnswer;

/** Asks the gateway about a payment that does not exist, once signed by us and once with a broken signature. */
export async function askCardGateway(gateway: CardGatewayConfig): Promise<CardGatewayFound> {
  const fields = signFields(
    { merchantId: gateway.merchantId, orderRef: randomUUID() },
    gateway.privateKey,
    gateway.digest,
  );
  const ask = (sent: Record<string, string>) =>
    postJson(`${gateway.endpoint}/v1/transactions/query`, sent, gateway).then(
      ({ status }) => status,
      (error: unknown): NoAnswer => ({ noAnswer: errorReason(error) }),
    );
  const ours = await ask(fields);
  if (typeof ours !== 'number') return ours;
  if (ours >= 500 || ours === 408 || ours === 429) return { noAnswer: String(ours) };
  const isKnownToUs = ours === 404 || (ours >= 200 && ours < 300);
  if (!isKnownToUs) return 'refused';
  const broken = await ask({ ...fields, signature: Buffer.from('none').toString('base64') });
  if (typeof broken !== 'number') return broken;
  if (broken >= 500) return { noAnswer: String(broken) };
  return broken === ours ? 'same' : 'accepted';
}
