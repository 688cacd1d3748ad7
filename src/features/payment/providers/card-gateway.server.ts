import { z } from 'zod';
import { parseMoney, toDecimal, usd } from '~/base/money.ts';
import { ok, refused } from '~/base/outcome.ts';
import type { CardGatewayConfig } from '~/platform/config-card-gateway.server.ts';
import type { PaymentEvent } from '../machine.ts';
import type { Answer, AttemptToBegin, Evidence, Provider } from '../provider.ts';
import { isSigned, signFields } from './signed-fields.server.ts';

export type CardGatewaySettings = CardGatewayConfig & {
  /** Where the gateway answers: our own addresses. */
  errorUrl: string;
  notificationUrl: string;
};

const text = z.union([z.string(), z.number()]).transform(String);

/** What the gateway says of a transaction, once its signature held. */
const statement = z.object({
  eventId: z.string().min(1).max(200),
  status: z.enum(['created', 'completed', 'declined', 'cancelled']),
  transactionId: z.string().min(1).max(200),
  orderId: z.uuid(),
  amount: text,
  currency: z.string().optional(),
  captureId: z.string().max(200).optional(),
  cardLast4: z.string().max(4).optional(),
  /** What went back so far. */
  refundedAmount: text.optional(),
  reason: z.string().max(200).optional(),
  timestamp: text.optional(),
});

const events: Record<'completed' | 'declined' | 'cancelled', PaymentEvent> = {
  completed: 'capture',
  declined: 'decline',
  cancelled: 'cancel',
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

/** The card gateway: a signed form posted by the browser, a signed return, a signed notification, a query. */
export function cardGateway(settings: CardGatewaySettings): Provider {
  const sign = (fields: Record<string, string>) =>
    signFields(fields, settings.privateKey, settings.digest);

  const post = async (path: string, fields: Record<string, string>) =>
    fetch(settings.endpoint + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(sign(fields)),
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs),
    });

  /** A statement whose signature holds. */
  const verify = (payload: string): z.infer<typeof statement> | null => {
    const fields = decode(payload);
    if (!fields || !isSigned(fields, settings.providerPublicKeys, settings.digest)) return null;
    return statement.safeParse(fields).data ?? null;
  };

  const query = async (id: string) => {
    try {
      const response = await post('/v1/transactions/query', {
        merchantId: settings.merchantId,
        orderRef: id,
      });
      if (response.status === 404) return 'unknown';
      if (!response.ok) return 'no_answer';
      const answer = z.object({ payload: z.string() }).safeParse(await response.json());
      return answer.success ? (verify(answer.data.payload) ?? 'no_answer') : 'no_answer';
    } catch {
      return 'no_answer';
    }
  };

  const interpret = (said: z.infer<typeof statement> | null): Evidence | 'nothing' | null => {
    if (!said) return null;
    if (said.status === 'created') return 'nothing';
    return {
      eventId: said.eventId,
      attemptId: said.orderId,
      event: events[said.status],
      amount: said.currency === 'USD' ? parseMoney(said.amount) : null,
      providerReference: said.transactionId,
      captureId: said.captureId ?? (said.status === 'completed' ? said.transactionId : null),
      reason: said.reason ?? null,
      payload: {
        status: said.status,
        transactionId: said.transactionId,
        amount: said.amount,
        currency: said.currency ?? null,
        cardLast4: said.cardLast4 ?? null,
        reason: said.reason ?? null,
        timestamp: said.timestamp ?? null,
      },
    };
  };

  return {
    name: 'card',

    async begin(attempt) {
      const fields = checkoutFields(settings, attempt);
      const handover = {
        kind: 'form' as const,
        url: `${settings.publicEndpoint}/v1/checkout`,
        fields: sign(fields),
      };
      if (settings.mode === 'form') return ok({ providerReference: null, handover });
      try {
        const response = await post('/v1/checkout', { ...fields, connectionMode: 'API' });
        if (response.status >= 400 && response.status < 500) {
          return refused({
            code: 'refused',
            message: `Payment gateway refused: ${response.status}`,
          });
        }
        const answer = registered.safeParse(await response.json());
        if (!answer.success) {
          return refused({ code: 'no_answer', message: 'Payment gateway gave no usable answer' });
        }
        return ok({ providerReference: answer.data.transactionId, handover });
      } catch {
        return refused({ code: 'no_answer', message: 'Payment gateway could not be reached' });
      }
    },

    async ask({ id }): Promise<Answer> {
      const said = await query(id);
      return typeof said === 'object' ? (interpret(said) ?? 'no_answer') : said;
    },

    readReturn(returned) {
      const said = interpret(verify(returned.get('payload') ?? ''));
      return said === 'nothing' ? null : said;
    },

    async readNotification({ body }) {
      const sent = z.object({ payload: z.string().max(20_000) }).safeParse(parseJson(body));
      const said = sent.success ? interpret(verify(sent.data.payload)) : null;
      if (!said) return { kind: 'unverified' };
      return said === 'nothing' ? { kind: 'irrelevant' } : { kind: 'evidence', evidence: said };
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
        if (response.status >= 400 && response.status < 500) {
          return refused({ code: 'refused', message: `Refund refused: ${response.status}` });
        }
        const answer = refundAnswer.safeParse(await response.json());
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
        const answer = refundAnswer.safeParse(response.ok ? await response.json() : null);
        if (!answer.success) return 'no_answer';
        return { providerRefundId: answer.data.refundId, state: answer.data.status };
      } catch {
        return 'no_answer';
      }
    },

    async books({ id }) {
      const said = await query(id);
      if (typeof said !== 'object') return said;
      const isCaptured = said.status === 'completed';
      const captured = isCaptured && said.currency === 'USD' ? parseMoney(said.amount) : null;
      return {
        captured,
        captureId: isCaptured ? (said.captureId ?? said.transactionId) : null,
        refunded: parseMoney(said.refundedAmount ?? '') ?? usd(0),
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

/** base64 JSON of one flat object of texts and numbers, as the gateway sends it; anything else is null. */
function decode(payload: string): Record<string, string> | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
    const fields = z.record(z.string(), text).safeParse(json);
    return fields.success ? fields.data : null;
  } catch {
    return null;
  }
}
