import { Hono } from 'hono';
import { z } from 'zod';
import { isEmailAddress, tidyEmail } from '~/base/email-address.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { readJson, unreadableProblem } from '~/platform/input/read-body.server.ts';
import { givenAmount, zodIssues } from '~/platform/input/wire.ts';
import { jsonText } from '~/platform/http/answer-once.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { checkout } from './checkout.server.ts';
import {
  payableOrder,
  type FindOrderToPay,
  checkoutProblem,
  paymentProblem,
} from './order-to-pay.server.ts';

const text = z.string().trim().max(200).optional();
/** Checked as in every form; optional. */
const email = z
  .string()
  .max(254)
  .overwrite(tidyEmail)
  .refine((typed) => typed === '' || isEmailAddress(typed), 'invalid_email')
  .optional();

/** The body of `POST /api/payment/create`: the specification's fields, and a reference to what is paid. */
export const paymentRequest = z.object({
  amount: givenAmount.describe('Must be the order’s'),
  currency: z.literal('USD').default('USD'),
  description: text,
  customerEmail: email,
  customerName: text,
  billingStreet1: text,
  billingCity: text,
  billingCountry: text,
  billingZipCode: text,
  billingPhone: text,
  orderReference: text.describe('Number of the order, or of its only traveller’s application'),
  orderId: text.describe('The same under its other name'),
  payer: z
    .literal('guest')
    .optional()
    .describe(
      'Has the payment be a guest’s although the session is the payer’s: paymentUrl then works in any browser, and the partner is told the name and email of this call',
    ),
});

export const paymentAnswer = z.object({
  success: z.literal(true),
  paymentUrl: z
    .url()
    .describe('Where the browser goes next; of a payer’s payment in the payer’s browsers alone'),
  paymentId: z.uuid(),
  orderReference: z.string(),
});

export function orderApi(platform: Platform, { providers }: Payments, find: FindOrderToPay) {
  const app = new Hono();

  app.post('/api/payment/create', async (c) => {
    const read = await readJson(c.req.raw);
    if (!read.ok) return unreadableProblem(read.error, { success: false, error: read.error });
    const parsed = paymentRequest.safeParse(read.value);
    if (!parsed.success) return paymentProblem('invalid', { errors: zodIssues(parsed.error) });
    const asked = parsed.data;
    const payable = await payableOrder(c, platform, find, asked);
    if (!payable.ok) return payable.error;
    const { order, by } = payable.value;
    const started = await checkout(platform, providers, order, {
      by,
      address: clientAddress(c, platform),
      billing: {
        name: asked.customerName,
        email: asked.customerEmail,
        street: asked.billingStreet1,
        city: asked.billingCity,
        country: asked.billingCountry,
        zipCode: asked.billingZipCode,
        phone: asked.billingPhone,
      },
    });
    if (started.ok) {
      const { paymentUrl, attemptId } = started.value;
      const { text, headers } = jsonText({
        success: true,
        paymentUrl,
        paymentId: attemptId,
        orderReference: order.number,
      });
      return c.body(text, 200, headers);
    }
    return checkoutProblem(started.error);
  });
  return app;
}
