import { useTranslation } from 'react-i18next';
import { data, redirect } from 'react-router';
import { successView } from '~/features/application/success-view.server.ts';
import { ConfirmingPayment } from '~/features/application/confirming-payment.tsx';
import { Confirmation } from '~/features/application/confirmation.tsx';
import { paymentResult } from '~/features/order/payment-result.server.ts';
import { redirectToOrderLanguage } from '~/features/order/result-language.server.ts';
import { paymentsContext } from '~/features/payment/context.server.ts';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import type { Route } from './+types/payment-success.ts';

const headersOf = { 'Cache-Control': 'no-store' };

/** What the query claims is not believed: it names an attempt or an order, and the database says what became of it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const result = await paymentResult(platform, context.get(paymentsContext), query);
  if (!result) return redirect('/payment-cancel?status=error', { headers: headersOf });
  const { kind, order, attempt, isPayer } = result;
  if (kind === 'stopped') {
    const ids = new URLSearchParams({ order: order.number });
    if (attempt && isPayer) ids.set('payment', attempt.id);
    return redirect(`/payment-cancel?${ids}`, { headers: headersOf });
  }
  const elsewhere = redirectToOrderLanguage(request, context.get(languageContext), order);
  if (elsewhere) return elsewhere;
  if (kind === 'open') {
    return data({ orderNumber: order.number, confirmation: null }, { headers: headersOf });
  }
  const confirmation = await successView(platform, result);
  return data({ orderNumber: order.number, confirmation }, { headers: headersOf });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export default function PaymentSuccess({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('application');
  const { orderNumber, confirmation } = loaderData;
  const title = confirmation ? t('success.pageTitle') : t('confirming.pageTitle');
  return (
    <>
      <title>{`${title} · Lale`}</title>
      {confirmation ? (
        <Confirmation view={confirmation} />
      ) : (
        <ConfirmingPayment orderNumber={orderNumber} />
      )}
    </>
  );
}
