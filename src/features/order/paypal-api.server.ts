import { Hono } from 'hono';
import { z } from 'zod';
import { toDecimal, usd } from '~/base/money.ts';
import { unsealCheckoutRedirect } from '~/features/payment/settlement/begin.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { isOpen, type PaymentState } from '~/features/payment/machine.ts';
import {
  attemptById,
  attemptByProviderReference,
  storeReturn,
} from '~/features/payment/settlement/store.server.ts';
import { askProvider } from '~/features/payment/settlement/sweep.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { readJson, unreadableProblem } from '~/platform/input/read-body.server.ts';
import { amount, givenAmount, zodIssues } from '~/platform/input/wire.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { checkout } from './checkout.server.ts';
import { ownsAttempt } from './payer/payer.server.ts';
import {
  payableOrder,
  type FindOrderToPay,
  checkoutProblem,
  paymentProblem,
} from './order-to-pay.server.ts';

/** PayPal's statuses, as its buttons expect them; only COMPLETED is paid. */
const paypalStatuses = [
  'PAYER_ACTION_REQUIRED',
  'APPROVED',
  'PENDING',
  'COMPLETED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'REFUNDED',
] as const;
type PaypalStatus = (typeof paypalStatuses)[number];

const statuses: Record<PaymentState, PaypalStatus> = {
  created: 'PAYER_ACTION_REQUIRED',
  redirected: 'PAYER_ACTION_REQUIRED',
  authorised: 'APPROVED',
  pending: 'PENDING',
  completed: 'COMPLETED',
  partially_refunded: 'COMPLETED',
  failed: 'DECLINED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
  captured_late: 'REFUNDED',
  refunded: 'REFUNDED',
};

const paypalStatus = (state: PaymentState): PaypalStatus => statuses[state];

const messages: Record<PaypalStatus, string> = {
  PAYER_ACTION_REQUIRED: 'The payment is not approved, or PayPal has not confirmed it yet',
  APPROVED: 'The payment is approved and not taken yet',
  PENDING: 'PayPal is reviewing the payment',
  COMPLETED: 'Payment completed',
  DECLINED: 'PayPal declined the payment',
  CANCELLED: 'The payment was cancelled',
  EXPIRED: 'The payment has expired',
  REFUNDED: 'This payment goes back to the payer',
};

/** One sentence in English, for clients that show the server's message. */
const paypalMessage = (status: PaypalStatus): string => messages[status];

const reference = z.string().trim().max(200).optional();

/** The body of `POST /paypal/order`: the specification's fields, and a reference to what is paid. */
export const paypalOrderRequest = z.object({
  amount: givenAmount.describe('Must be the order’s'),
  currency: z.literal('USD').default('USD'),
  intent: z.literal('CAPTURE').default('CAPTURE'),
  orderReference: reference.describe(
    'Number of the order, or of its only traveller’s application; without one the unpaid order of the session',
  ),
  orderId: reference.describe('The same under its other name'),
});

const link = z.object({ rel: z.string(), href: z.url(), method: z.enum(['GET', 'POST']) });

export const paypalOrderAnswer = z.object({
  id: z.string().describe('PayPal’s id of the order'),
  status: z.enum(paypalStatuses).describe('Paid only where it says COMPLETED'),
  links: z.array(link).describe('`approve` is where the payer goes, while they still can'),
  amount: z.object({ currency_code: z.literal('USD'), value: amount }),
  orderReference: z.string(),
  paymentId: z.uuid(),
});

export const paypalCaptureAnswer = z.object({
  status: z.enum(paypalStatuses).describe('Paid only where it says COMPLETED'),
  id: z.string().describe('PayPal’s id of the order'),
  message: z.string(),
  captureId: z.string().nullable(),
  orderReference: z.string(),
  paymentId: z.uuid(),
});

export const paypalSetupRequest = z.object({
  sdk: z
    .enum(['script', 'fields'])
    .default('script')
    .describe('`fields`: a token for the hosted card fields of the script’s version 5'),
});

export const paypalSetupAnswer = z.object({ clientToken: z.string() });

export const checkLiveAnswer = z.object({
  isLive: z.boolean().describe('Whether real money moves'),
  clientId: z.string().nullable().describe('Public; null without PayPal'),
});

/** The calls of PayPal's buttons. Amounts are the order's; a browser only names the order. */
export function paypalApi(platform: Platform, payments: Payments, find: FindOrderToPay) {
  const { providers, onPaid, paypalScript } = payments;
  const app = new Hono();

  app.post('/paypal/order', async (c) => {
    const read = await readJson(c.req.raw);
    if (!read.ok) return unreadableProblem(read.error, { success: false, error: read.error });
    const parsed = paypalOrderRequest.safeParse(read.value);
    if (!parsed.success) return paymentProblem('invalid', { errors: zodIssues(parsed.error) });
    const asked = parsed.data;
    const payable = await payableOrder(c, platform, find, asked);
    if (!payable.ok) return payable.error;
    const { order, by } = payable.value;
    const started = await checkout(platform, providers, order, {
      by,
      address: clientAddress(c, platform),
      provider: 'paypal',
    });
    if (!started.ok) return checkoutProblem(started.error);
    const attempt = await attemptById(platform.db, started.value.attemptId);
    const id = attempt?.providerReference;
    if (!attempt || !id) return paymentProblem('payment_start_failed');
    return c.json({
      id,
      status: paypalStatus(attempt.state),
      links: linksOf(platform, id, started.value.paymentUrl),
      amount: amountOf(attempt.amountMinor),
      orderReference: order.number,
      paymentId: attempt.id,
    } satisfies z.infer<typeof paypalOrderAnswer>);
  });

  app.post('/paypal/order/:id/capture', async (c) => {
    const known = await ownAttempt(platform, c.req.raw, c.req.param('id'));
    if (!known) return unknownOrder();
    const attempt = isOpen(known.state)
      ? await askProvider(platform, providers, known, onPaid)
      : known;
    // Approved, says the browser; PayPal has not said anything.
    if (isOpen(attempt.state)) await storeReturn(platform.db, attempt.id, platform.now());
    const status = paypalStatus(attempt.state);
    return c.json({
      status,
      id: c.req.param('id'),
      message: paypalMessage(status),
      captureId: attempt.captureId,
      orderReference: attempt.reference,
      paymentId: attempt.id,
    } satisfies z.infer<typeof paypalCaptureAnswer>);
  });

  app.get('/paypal/order/:id', async (c) => {
    const id = c.req.param('id');
    const known = await ownAttempt(platform, c.req.raw, id);
    if (!known) return unknownOrder();
    c.header('Cache-Control', 'no-store');
    const attempt = isOpen(known.state)
      ? await askProvider(platform, providers, known, onPaid, { mayCapture: false })
      : known;
    const checkoutRedirect =
      attempt.checkoutRedirect &&
      unsealCheckoutRedirect(platform, attempt.id, attempt.checkoutRedirect);
    const url = checkoutRedirect?.kind === 'link' ? checkoutRedirect.url : null;
    return c.json({
      id,
      status: paypalStatus(attempt.state),
      links: linksOf(platform, id, url),
      amount: amountOf(attempt.amountMinor),
      orderReference: attempt.reference,
      paymentId: attempt.id,
    } satisfies z.infer<typeof paypalOrderAnswer>);
  });

  app.get('/paypal/setup', async (c) => {
    const asked = paypalSetupRequest.safeParse(c.req.query());
    const clientToken = await paypalScript?.token(asked.success ? asked.data.sdk : 'script');
    c.header('Cache-Control', 'no-store');
    if (clientToken) return c.json({ clientToken });
    return paypalScript ? paymentProblem('no_answer') : paymentProblem('no_provider');
  });

  app.get('/api/check-live-paypal', (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json({
      isLive: paypalScript?.isLive ?? false,
      clientId: paypalScript?.clientId ?? null,
    });
  });
  return app;
}

/** PayPal's id is visible on status pages, so it only opens attempts of this browser. */
async function ownAttempt(platform: Platform, request: Request, id: string) {
  const attempt = await attemptByProviderReference(platform.db, 'paypal', id);
  return attempt && (await ownsAttempt(platform, request, attempt)) ? attempt : null;
}

const unknownOrder = () => problem({ code: 'paypal_order_not_found' });

const amountOf = (minor: number) => ({
  currency_code: 'USD' as const,
  value: toDecimal(usd(minor)),
});

/** Links as in PayPal's API; the approval has its old and its new name. */
function linksOf({ config }: Pick<Platform, 'config'>, id: string, approval: string | null) {
  const own = `${config.publicUrl}/paypal/order/${id}`;
  return [
    { rel: 'self', href: own, method: 'GET' as const },
    ...(approval === null
      ? []
      : [
          { rel: 'approve', href: approval, method: 'GET' as const },
          { rel: 'payer-action', href: approval, method: 'GET' as const },
        ]),
    { rel: 'capture', href: `${own}/capture`, method: 'POST' as const },
  ];
}
