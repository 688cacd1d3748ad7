import { data, redirect } from 'react-router';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { readNumber } from '~/features/application/number.ts';
import { checkout, findOrder, ownPath, tooManyPayments } from '~/features/order/checkout.server.ts';
import { orderTotal, type Order } from '~/features/order/store.server.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { changePath } from '~/features/order/payer/payer-links.ts';
import { isAwaited, payRefusal } from '~/features/order/may-pay.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { orderInitiator, isPayer } from '~/features/order/payer/payer.server.ts';
import { ensureSession, payerSessionHash } from '~/features/order/payer/session.server.ts';
import {
  chosenProvider,
  fallbackProvider,
  alternativeProvider,
  waysToPay,
} from '~/features/order/fallback-provider.ts';
import { countRetries, type PaymentStart } from '~/features/order/payment-start.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { boughtCovers } from '../store/store.server.ts';
import { noDraftCookie } from '~/features/form/draft/draft.server.ts';
import { insuranceDrafts } from '../store/draft.server.ts';
import type { FormArgs } from './open-form.server.ts';

export type PaymentAnswer = { payment?: PaymentStart; offline?: true };

/** The payment page of an insurance. Redirects to the confirmation where it is paid, to the form without a number. */
export async function openPayment({ request, context }: FormArgs) {
  const platform = context.get(platformContext);
  const url = new URL(request.url);
  const { order, number } = await orderOf(platform, url);
  const { providers } = context.get(paymentsContext);
  const offered = await offeredProviders(platform, providers);
  const [first] = offered;
  const payer = await isPayer(platform.db, payerSessionHash(platform, request), order);
  const failedStarts = payer ? order.failedStarts : 0;
  const isStartFailed = failedStarts > 0;
  const wanted = isStartFailed ? undefined : chosenProvider(url.searchParams, providers);
  return {
    applicationNumber: number,
    orderNumber: order.number,
    total: orderTotal(order),
    covers: await boughtCovers(platform.db, [number], context.get(languageContext)),
    change: payer ? changePath(number, order.number) : null,
    isStartFailed,
    retries: countRetries(failedStarts),
    /** What the page before has chosen, where it is not the first. */
    chosen: wanted && wanted !== first?.name ? wanted : null,
    ways: waysToPay(providers),
    other: isStartFailed
      ? fallbackProvider(providers, providers[0]?.name ?? '')
      : alternativeProvider(offered, wanted ?? first?.name),
  };
}

/**
 * Starts the payment, or another traveller's application. With scripts the page shows what happens and continues
 * automatically; without, the response redirects.
 */
export async function startPayment({ request, context }: FormArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  if (form.get('intent') === 'another') {
    // Otherwise the draft would lead back to this application while it is unpaid.
    const forgotten = cookieHeader(noDraftCookie(insuranceDrafts, platform));
    throw redirect('/insurance', { status: 303, headers: forgotten });
  }
  const { order, number } = await orderOf(platform, new URL(request.url));
  const { providers } = context.get(paymentsContext);
  const address = context.get(addressContext);
  const session = ensureSession(platform, request);
  const by = await orderInitiator(platform.db, session.hash, order);
  const started = await checkout(platform, providers, order, {
    by,
    address,
    language: context.get(languageContext),
    provider: chosenProvider(form, providers),
  });
  const headers = cookieHeader(session.setCookie);
  const hasScripts = form.get('scripts') === 'yes';
  if (started.ok) {
    const paymentUrl = ownPath(started.value.paymentUrl, platform.config.publicUrl);
    if (!hasScripts) throw redirect(started.value.redirectPath, { status: 303, headers });
    const ready: PaymentStart = { kind: 'ready', applicationNumber: number, paymentUrl };
    return data<PaymentAnswer>({ payment: ready }, { headers });
  }
  const { error } = started;
  if (error.code === 'too_many_starts') throw tooManyPayments(error.retryAfterSeconds);
  if (error.code === 'already_paid') throw redirect(confirmationOf(number));
  if (isAwaited(error.code)) throw redirect(`/status?ref=${number}`);
  // Without scripts, the page of failed payments offers the retries.
  if (!hasScripts)
    throw redirect(`/payment-cancel?order=${order.number}`, { status: 303, headers });
  const isStart = error.code === 'start_failed';
  const failed: PaymentStart = {
    kind: 'failed',
    applicationNumber: number,
    message: isStart ? error.message : error.code,
    retries: isStart ? error.retries : 0,
    provider: isStart ? error.provider : null,
    other: isStart ? error.other : null,
  };
  return data<PaymentAnswer>({ payment: failed }, { headers });
}

async function orderOf(platform: Platform, url: URL): Promise<{ order: Order; number: string }> {
  const read = readNumber(url.searchParams.get('ref') ?? '');
  const application = read.ok ? await applicationByNumber(platform.db, read.number) : null;
  const order = application ? await findOrder(platform, application.orderNumber) : null;
  if (!application || !order || application.kind !== 'insurance') throw redirect('/insurance');
  const refusal = payRefusal(order, await attemptsByReference(platform.db, order.number));
  if (refusal === 'paid') throw redirect(confirmationOf(order.number));
  // Rejected before it was paid, or being confirmed: the status page explains it.
  if (refusal !== null) throw redirect(`/status?ref=${application.number}`);
  return { order, number: application.number };
}

const confirmationOf = (number: string): string => `/payment-success?order=${number}`;
