import { data, redirect } from 'react-router';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { checkout, ownPath, tooManyPayments } from '~/features/order/checkout.server.ts';
import {
  chosenProvider,
  fallbackProvider,
  alternativeProvider,
} from '~/features/order/fallback-provider.ts';
import { isAwaited } from '~/features/order/may-pay.ts';
import { orderInitiator } from '~/features/order/payer/payer.server.ts';
import type { ensureSession } from '~/features/order/payer/session.server.ts';
import { countRetries, type PaymentStart } from '~/features/order/payment-start.ts';
import { orderByApplication, orderTotal, type Order } from '~/features/order/store.server.ts';
import { orderToPay } from '~/features/form/save-sent.server.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { redirectToPage, type StepArgs } from './wizard.server.ts';

/** The unpaid order of submitted answers. Redirects to the status page where it may not be paid. */
export async function openSubmitted({ context }: StepArgs, applicationNumber: string) {
  const order = await orderToPay(context.get(platformContext), applicationNumber);
  if (!order) throw redirect(`/status?ref=${applicationNumber}`);
  const isStartFailed = order.failedStarts > 0;
  const { providers } = context.get(paymentsContext);
  const together = await applicationsByOrder(context.get(platformContext).db, order.number);
  return {
    kind: 'submitted' as const,
    applicationNumber,
    orderNumber: order.number,
    total: orderTotal(order),
    travellers: new Set(together.map((one) => one.travellerPosition)).size,
    retries: countRetries(order.failedStarts),
    isStartFailed,
    other: isStartFailed
      ? fallbackProvider(providers, providers[0]?.name ?? '')
      : alternativeProvider(await offeredProviders(context.get(platformContext), providers)),
  };
}

type ToPay = {
  applicationNumber: string;
  /** Set where it was just placed. */
  order: Order | null;
  session: ReturnType<typeof ensureSession>;
  headers: Headers;
};

/** Starts the payment of submitted answers; calling it twice does no harm. */
export async function startSubmittedPayment(
  { context }: StepArgs,
  form: FormData,
  { applicationNumber, order: placed, session, headers }: ToPay,
) {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const order = placed ?? (await orderByApplication(platform.db, applicationNumber));
  if (!order) throw new Error('A submitted application has no order');
  const { providers } = context.get(paymentsContext);
  const started = await checkout(platform, providers, order, {
    by: await orderInitiator(platform.db, session.hash, order),
    address: context.get(addressContext),
    language,
    provider: chosenProvider(form, providers),
  });
  const hasScripts = form.get('scripts') === 'yes';
  if (started.ok) {
    const paymentUrl = ownPath(started.value.paymentUrl, platform.config.publicUrl);
    if (!hasScripts) return redirectToPage(started.value.redirectPath, headers);
    const payment: PaymentStart = { kind: 'ready', applicationNumber, paymentUrl };
    return data<{ payment?: PaymentStart }>({ payment }, { headers });
  }
  const { error } = started;
  if (error.code === 'too_many_starts') throw tooManyPayments(error.retryAfterSeconds);
  if (error.code === 'already_paid' || error.code === 'closed' || isAwaited(error.code))
    return redirectToPage(`/status?ref=${applicationNumber}`, headers);
  // Without scripts, the page of failed payments offers the retries.
  if (!hasScripts) return redirectToPage(`/payment-cancel?order=${order.number}`, headers);
  const isStart = error.code === 'start_failed';
  const payment: PaymentStart = {
    kind: 'failed',
    applicationNumber,
    message: isStart ? error.message : error.code,
    retries: isStart ? error.retries : 0,
    provider: isStart ? error.provider : null,
    other: isStart ? error.other : null,
  };
  // Status 200, although it failed: the page must be shown again, now that the application is stored.
  return data<{ payment?: PaymentStart }>({ payment }, { headers });
}
