import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { parseMoney } from '~/base/money.ts';
import { readFormBody, readJson } from '~/platform/input/read-body.server.ts';
import { partnerProblem } from '~/platform/http/problem.server.ts';
import { isSigned } from '~/features/payment/providers/signed-fields.server.ts';
import {
  addRefund,
  type Gateway,
  registerTransaction,
  transactionByOrder,
  type GatewayEvent,
  type GatewayFault,
} from './simulated-gateway.server.ts';
import { refundState, signStatement, newTransactionId, returnAddress } from './gateway.server.ts';

const checkout = z.looseObject({
  merchantId: z.string(),
  orderRef: z.uuid(),
  amount: z.string(),
  currency: z.literal('USD'),
  callbackUrl: z.url(),
  cancelUrl: z.url(),
  notificationUrl: z.url(),
  connectionMode: z.string().optional(),
});

type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: { orderRef?: string; fault?: GatewayFault | null };
};

const events: Record<string, GatewayEvent> = {
  '/v1/checkout': 'checkout',
  '/v1/transactions/query': 'query',
  '/v1/refunds': 'refund',
  '/v1/refunds/query': 'refund_query',
};

/** The simulated gateway's server calls, under `/v1` like the real one's. */
export function gatewayApi(gateway: Gateway) {
  const app = new Hono<Env>();

  /** The signed fields of a call; null where the signature is not this merchant's. */
  const read = async (c: Context<Env>): Promise<Record<string, string> | null> => {
    const request = c.req.raw.clone();
    const isJson = request.headers.get('content-type')?.includes('json');
    const sent = isJson ? await readJson(request) : await readFormBody(request);
    if (!sent.ok) return null;
    const raw = sent.value instanceof FormData ? Object.fromEntries(sent.value) : sent.value;
    const fields = z.record(z.string(), z.string()).safeParse(raw);
    if (!fields.success || fields.data.merchantId !== gateway.merchantId) return null;
    return isSigned(fields.data, gateway.merchantPublicKeys, gateway.digest) ? fields.data : null;
  };

  // Faults planned by tests in the same process.
  app.use('/v1/*', async (c, next) => {
    const event = Object.entries(events).find(([path]) => c.req.path.endsWith(path))?.[1];
    const orderRef = (await read(c))?.orderRef;
    const fault = event && orderRef ? gateway.faults.take(event, orderRef) : null;
    c.set('fault', fault);
    if (fault === 'refused') return partnerProblem({ status: 422, code: 'refused' });
    if (fault === 'error') return partnerProblem({ status: 500, code: 'internal' });
    await next();
    if (fault === 'lost') c.res = partnerProblem({ status: 500, code: 'internal' });
    if (fault === 'held') await new Promise<void>((go) => gateway.faults.hold(async () => go()));
    if (fault === 'reset') {
      c.env.incoming?.socket.resetAndDestroy();
      c.res = RESPONSE_ALREADY_SENT;
    }
    return undefined;
  });

  app.post('/v1/checkout', async (c) => {
    const signed = await read(c);
    const parsed = checkout.safeParse(signed);
    if (!signed || !parsed.success || !parseMoney(parsed.data.amount)) {
      return partnerProblem({ status: 400, code: 'bad_request' });
    }
    if (isCheckoutDown(signed.customerEmail))
      return partnerProblem({ status: 503, code: 'unavailable' });
    const { orderRef, amount, currency, connectionMode } = parsed.data;
    const transaction = await registerTransaction(gateway.db, {
      id: newTransactionId(),
      orderRef,
      amount,
      currency,
      fields: signed,
      status: 'created',
      createdAt: gateway.now(),
    });
    if (transaction.amount !== amount) return partnerProblem({ status: 409, code: 'other_amount' });
    const page = new URL(gateway.checkoutUrl);
    page.searchParams.set('order', orderRef);
    page.searchParams.set('amount', amount);
    page.searchParams.set('merchant', gateway.merchantId);
    page.searchParams.set('return', parsed.data.callbackUrl);
    page.searchParams.set('cancel', parsed.data.cancelUrl);
    if (connectionMode === 'API') {
      return c.json({ status: 'created', transactionId: transaction.id, paymentLink: page.href });
    }
    const decided = transaction.status !== 'created';
    return c.redirect(decided ? returnAddress(gateway, transaction) : page.href, 303);
  });

  app.post('/v1/transactions/query', async (c) => {
    const signed = await read(c);
    if (!signed?.orderRef) return partnerProblem({ status: 400, code: 'bad_request' });
    const transaction = await transactionByOrder(gateway.db, signed.orderRef);
    if (!transaction) return partnerProblem({ status: 404, code: 'unknown_order' });
    return c.json({ payload: signStatement(gateway, transaction, c.get('fault')) });
  });

  app.post('/v1/refunds', async (c) => {
    const signed = await read(c);
    const amount = parseMoney(signed?.amount ?? '');
    const transaction = signed?.orderRef
      ? await transactionByOrder(gateway.db, signed.orderRef)
      : null;
    const captured = parseMoney(transaction?.amount ?? '');
    if (!signed?.refundRef || !amount || !transaction || !captured) {
      return partnerProblem({ status: 400, code: 'bad_request' });
    }
    const fault = c.get('fault');
    const { refundRef } = signed;
    const done = await addRefund(gateway.db, {
      orderRef: transaction.orderRef,
      refundRef,
      minor: amount.minor,
      capturedMinor: captured.minor,
      state: fault === 'pending' || fault === 'failed' ? fault : 'completed',
    });
    return done
      ? c.json({ refundId: `RF-${refundRef}`, status: refundState(done, refundRef) })
      : partnerProblem({ status: 422, code: 'refund_exceeds_capture' });
  });

  app.post('/v1/refunds/query', async (c) => {
    const { orderRef, refundRef } = (await read(c)) ?? {};
    if (!orderRef || !refundRef) return partnerProblem({ status: 400, code: 'bad_request' });
    const transaction = await transactionByOrder(gateway.db, orderRef);
    const status = transaction && refundState(transaction, refundRef);
    return status
      ? c.json({ refundId: `RF-${refundRef}`, status })
      : partnerProblem({ status: 404, code: 'unknown_refund' });
  });
  return app;
}

/**
 * Payers for whom the simulated checkout never opens, chosen by their email address as test cards are by number, to
 * show what a traveller sees during an outage.
 */
const isCheckoutDown = (email: string | undefined): boolean =>
  email?.startsWith('no-payment-page') ?? false;
