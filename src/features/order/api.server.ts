import { Hono } from 'hono';
import { z } from 'zod';
import { parseMoney, sameMoney, toDecimal } from '~/base/money.ts';
import type { Payments } from '~/features/payment/context.server.ts';
import { addressOf } from '~/platform/address.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/problem.server.ts';
import { checkout, findOrder } from './checkout.server.ts';
import { sessionHashOf } from './session.server.ts';
import { totalOf, unpaidOrderOfSession, type Order } from './store.server.ts';

const text = z.string().trim().max(200).optional();

/** `POST /api/payment/create`: the specification's fields, and a reference to what is paid. */
export const paymentRequest = z.object({
  amount: z.union([z.string(), z.number()]),
  currency: z.literal('USD').default('USD'),
  description: text,
  customerEmail: text,
  customerName: text,
  billingStreet1: text,
  billingCity: text,
  billingCountry: text,
  billingZipCode: text,
  billingPhone: text,
  /** Number of the order or of an application in it. */
  orderReference: text,
  orderId: text,
});

export const paymentAnswer = z.object({
  success: z.literal(true),
  paymentUrl: z.string().describe('Where the browser goes next'),
  paymentId: z.uuid(),
  orderReference: z.string(),
});

/** A failed start is a problem that also says `success: false`, as the specification's client reads it. */
const failed = (status: number, code: string, detail: string, extra: object = {}) =>
  problem({ status, code, detail, extra: { success: false, error: detail, ...extra } });

/** `normalise` reads a number as people type it; the features that give out numbers know how. */
export function orderApi(
  platform: Platform,
  { providers }: Payments,
  normalise: (typed: string) => string,
) {
  const app = new Hono();

  app.post('/api/payment/create', async (c) => {
    const parsed = paymentRequest.safeParse(await c.req.json().catch(() => null));
    if (!parsed.success) {
      const errors = Object.fromEntries(
        parsed.error.issues.map((issue) => [issue.path.join('.'), issue.code]),
      );
      return problem({
        status: 422,
        code: 'invalid',
        errors,
        extra: { success: false, error: 'invalid' },
      });
    }
    const asked = parsed.data;
    const order = await orderFor(asked.orderReference ?? asked.orderId, c.req.raw);
    if (!order)
      return failed(
        422,
        'order_reference_required',
        'Payment needs the reference of an unpaid order',
      );
    const amount = parseMoney(asked.amount);
    const total = totalOf(order);
    if (!amount || !sameMoney(amount, total)) {
      return failed(409, 'wrong_amount', 'Payment amount differs from the order', {
        totalAmount: toDecimal(total),
      });
    }
    const started = await checkout(platform, providers, order, {
      address: addressOf(c, platform),
      billing: {
        street: asked.billingStreet1,
        city: asked.billingCity,
        country: asked.billingCountry,
        zipCode: asked.billingZipCode,
        phone: asked.billingPhone,
      },
    });
    if (started.ok) {
      const { paymentUrl, attemptId } = started.value;
      return c.json({
        success: true,
        paymentUrl,
        paymentId: attemptId,
        orderReference: order.number,
      });
    }
    const { error } = started;
    if (error.code === 'already_paid')
      return failed(409, 'already_paid', 'This order is already paid');
    if (error.code === 'closed') {
      return failed(409, 'order_closed', 'This order was closed: its application was rejected');
    }
    if (error.code === 'start_failed') {
      return failed(502, 'payment_start_failed', error.message, { retries: error.retries });
    }
    return failed(503, 'no_provider', 'Payment is not available');
  });

  async function orderFor(reference: string | undefined, request: Request): Promise<Order | null> {
    if (reference) return findOrder(platform, normalise(reference));
    const session = sessionHashOf(request);
    return session ? unpaidOrderOfSession(platform.db, session) : null;
  }
  return app;
}
