import { data, redirect } from 'react-router';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import {
  paymentResult,
  resultQuery,
  redirectToOrderLanguage,
  readResultParameters,
} from './result/payment-result.server.ts';
import { StoppedPayment, type StoppedPaymentView } from './result/stopped-payment.tsx';
import { stoppedView, systemFacts } from './result/stopped-view.server.ts';
import type { Route } from './+types/payment-stopped.ts';

const noStore = { 'Cache-Control': 'no-store' };

const nothing = {
  reason: null,
  orderNumber: null,
  transactionId: null,
  total: null,
  received: null,
  isLab: false,
  on: null,
};

/** One page for every payment that was not made, chosen by the attempt's stored state, not by the query. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const payments = context.get(paymentsContext);
  const query = new URL(request.url).searchParams;
  const system = await systemFacts(platform, payments.providers);
  const result = await paymentResult(platform, payments, request);
  if (!result) {
    const reported = platform.config.mode === 'test' ? readResultParameters(query) : null;
    const kind = query.size === 0 ? 'nothing' : 'error';
    const stopped: StoppedPaymentView = { ...nothing, kind, ...reported, isLab: reported !== null };
    return data({ stopped, system }, { headers: noStore });
  }
  // Paid, or being confirmed: nothing has stopped.
  if (result.kind !== 'stopped') {
    return redirect(`/payment-success?${resultQuery(result)}`, { headers: noStore });
  }
  // Closed before payment: the status page explains it.
  if (result.order.closedAt) {
    return redirect(`/status?ref=${result.number}`, { headers: noStore });
  }
  const elsewhere = redirectToOrderLanguage(request, context.get(languageContext), result.order);
  if (elsewhere) return elsewhere;
  const offered = await offeredProviders(platform, payments.providers);
  const stopped: StoppedPaymentView = stoppedView(result, payments.providers, offered);
  return data({ stopped, system }, { headers: noStore });
}

function PaymentStoppedPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('payment');
  return (
    <>
      <title>{`${t(`stopped.${loaderData.stopped.kind}.title`)} · Lale`}</title>
      <StoppedPayment {...loaderData} />
    </>
  );
}

export { PaymentStoppedPage as default };
