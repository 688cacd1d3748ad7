import { data, redirect } from 'react-router';
import { useTranslation } from 'react-i18next';
import { usd } from '~/base/money.ts';
import { paymentsContext } from '~/features/payment/context.server.ts';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { retriesOf } from '../payment-start.ts';
import { paymentResult } from '../payment-result.server.ts';
import { redirectToOrderLanguage } from '../result-language.server.ts';
import { StoppedPayment } from '../stopped-payment.tsx';
import { stoppedKind } from '../stopped.ts';
import type { Route } from './+types/payment-stopped.ts';

const headersOf = { 'Cache-Control': 'no-store' };

/** One screen for every payment that did not happen, chosen by the attempt's state and not by what the query claims. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const { config } = platform;
  const system = {
    merchantId: config.gateway?.merchantId ?? null,
    environment: config.mode === 'live' ? ('production' as const) : ('development' as const),
    supportEmail: config.operator.supportEmail,
  };
  const query = new URL(request.url).searchParams;
  const result = await paymentResult(platform, context.get(paymentsContext), query);
  if (!result) {
    return data({ kind: 'error' as const, stopped: null, system }, { headers: headersOf });
  }
  const { order, attempt, isPayer } = result;
  if (result.kind === 'paid') {
    const ids = new URLSearchParams({ order: order.number });
    if (attempt && isPayer) ids.set('payment', attempt.id);
    return redirect(`/payment-success?${ids}`, { headers: headersOf });
  }
  const elsewhere = redirectToOrderLanguage(request, context.get(languageContext), order);
  if (elsewhere) return elsewhere;
  const stopped = {
    orderNumber: order.number,
    total: usd(order.amountMinor),
    reason: attempt?.reason ?? null,
    transactionId: attempt?.providerReference ?? null,
    retries: retriesOf(order.failedStarts),
  };
  const kind = stoppedKind(attempt, order.failedStarts);
  return data({ kind, stopped, system }, { headers: headersOf });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export default function PaymentStoppedPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('payment');
  return (
    <>
      <title>{`${t(`stopped.${loaderData.kind}.title`)} · Lale`}</title>
      <StoppedPayment {...loaderData} />
    </>
  );
}
