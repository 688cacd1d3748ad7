import { Hono } from 'hono';
import { z } from 'zod';
import { parseMoney } from '~/base/money.ts';
import { problem } from '~/platform/problem.server.ts';
import { isSigned } from '../providers/signed-fields.server.ts';
import { addRefund, registerTransaction, transactionByOrder } from './gateway-store.server.ts';
import { newTransactionId, returnAddress, statementOf, type Gateway } from './gateway.server.ts';

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

/** The simulated gateway's server side, under `/v1` like the real one's. */
export function gatewayApi(gateway: Gateway) {
  const app = new Hono();

  const read = async (request: Request): Promise<Record<string, string> | null> => {
    const raw: unknown = request.headers.get('content-type')?.includes('json')
      ? await request.json().catch(() => null)
      : Object.fromEntries(await request.formData().catch(() => new FormData()));
    const fields = z.record(z.string(), z.string()).safeParse(raw);
    if (!fields.success || fields.data.merchantId !== gateway.merchantId) return null;
    return isSigned(fields.data, [gateway.merchantPublicKey], gateway.digest) ? fields.data : null;
  };

  app.post('/v1/checkout', async (c) => {
    const signed = await read(c.req.raw);
    const parsed = checkout.safeParse(signed);
    if (!signed || !parsed.success || !parseMoney(parsed.data.amount)) {
      return problem({ status: 400, code: 'bad_request' });
    }
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
    if (transaction.amount !== amount) return problem({ status: 409, code: 'other_amount' });
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
    const signed = await read(c.req.raw);
    if (!signed?.orderRef) return problem({ status: 400, code: 'bad_request' });
    const transaction = await transactionByOrder(gateway.db, signed.orderRef);
    if (!transaction) return problem({ status: 404, code: 'unknown_order' });
    return c.json({ payload: statementOf(gateway, transaction) });
  });

  app.post('/v1/refunds', async (c) => {
    const signed = await read(c.req.raw);
    const amount = parseMoney(signed?.amount ?? '');
    const transaction = signed?.orderRef
      ? await transactionByOrder(gateway.db, signed.orderRef)
      : null;
    const captured = parseMoney(transaction?.amount ?? '');
    if (!signed?.refundRef || !amount || !transaction || !captured) {
      return problem({ status: 400, code: 'bad_request' });
    }
    const done = await addRefund(gateway.db, {
      orderRef: transaction.orderRef,
      refundRef: signed.refundRef,
      minor: amount.minor,
      capturedMinor: captured.minor,
    });
    return done
      ? c.json({ refundId: `RF-${signed.refundRef}`, status: 'completed' })
      : problem({ status: 422, code: 'refund_exceeds_capture' });
  });
  app.post('/v1/refunds/query', async (c) => {
    const signed = await read(c.req.raw);
    const { orderRef, refundRef } = signed ?? {};
    if (!orderRef || !refundRef) return problem({ status: 400, code: 'bad_request' });
    const transaction = await transactionByOrder(gateway.db, orderRef);
    return transaction && Object.hasOwn(transaction.refunds, refundRef)
      ? c.json({ refundId: `RF-${refundRef}`, status: 'completed' })
      : problem({ status: 404, code: 'unknown_refund' });
  });
  return app;
}
