import { boughtCovers } from '~/features/insurance/store/cover-view.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { openOwnReceipt, successView } from '~/features/status/success-view.server.ts';
import { ConfirmingPayment } from '~/features/status/confirming-payment.tsx';
import { Confirmation, isCertified } from '~/features/status/confirmation.tsx';
import { paymentResult, queryOf } from '~/features/order/result/payment-result.server.ts';
import { redirectToOrderLanguage } from '~/features/order/result/result-language.server.ts';
import { totalOf } from '~/features/order/store.server.ts';
import { readReferences } from '~/features/order/result/result-parameters.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/payment-success.ts';
import { type Money, formatMoney } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Card, Facts } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

const headersOf = { 'Cache-Control': 'no-store' };

/**
 * The query is not trusted: it names an attempt or an order, and what became of it is read from the database. Only in
 * test mode `test` shows the result that a test page claims, marked as a test.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const result = await paymentResult(platform, context.get(paymentsContext), request);
  if (!result && platform.config.mode === 'test' && query.has('test')) {
    const view = { ...readReferences(query), total: null };
    return data({ kind: 'test' as const, view }, { headers: headersOf });
  }
  if (!result) return redirect('/payment-cancel', { headers: headersOf });
  const { order, attempt, number } = result;
  if (result.kind === 'stopped') {
    return redirect(`/payment-cancel?${queryOf(result)}`, { headers: headersOf });
  }
  const elsewhere = redirectToOrderLanguage(request, context.get(languageContext), order);
  if (elsewhere) return elsewhere;
  if (result.awaited) {
    const { awaited } = result;
    return data({ kind: 'open' as const, number, awaited }, { headers: headersOf });
  }
  if (order.lab) {
    const transactionId = attempt?.providerReference ?? attempt?.captureId ?? null;
    const view = { orderNumber: number, transactionId, total: totalOf(order) };
    return data({ kind: 'test' as const, view }, { headers: headersOf });
  }
  const view = await successView(platform, result, (numbers) =>
    boughtCovers(platform.db, numbers, context.get(languageContext)),
  );
  return data({ kind: 'paid' as const, view }, { headers: headersOf });
}

/** Opens the receipt for its payer's browser; others are asked for the date of birth. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const result = await paymentResult(platform, context.get(paymentsContext), request);
  if (!result) return redirect('/status', { headers: headersOf });
  const path = await openOwnReceipt(platform, result);
  return redirect(path ?? `/status?ref=${result.number}`, { headers: headersOf });
}

function PaymentSuccess({ loaderData: shown }: Route.ComponentProps) {
  const { t } = useTranslation(['application', 'payment']);
  const titles = {
    paid:
      shown.kind === 'paid' && isCertified(shown.view)
        ? t('success.pageTitleReady')
        : t('success.pageTitle'),
    open: t('confirming.pageTitle'),
    test: t('payment:test.title'),
  };
  return (
    <>
      <title>{`${titles[shown.kind]} · Lale`}</title>
      {shown.kind === 'paid' ? <Confirmation view={shown.view} /> : null}
      {shown.kind === 'open' ? (
        <ConfirmingPayment awaited={shown.awaited} orderNumber={shown.number} />
      ) : null}
      {shown.kind === 'test' ? <TestSuccess view={shown.view} /> : null}
    </>
  );
}

export { PaymentSuccess as default };

type TestPaymentView = {
  orderNumber: string | null;
  transactionId: string | null;
  total: Money | null;
};

/** A payment made on the test pages, which belongs to no application. */
function TestSuccess({ view }: { view: TestPaymentView }) {
  const { t } = useTranslation('payment');
  const language = useLanguage();
  const { orderNumber, transactionId, total } = view;
  return (
    <NarrowPage>
      <PageHead lead={t('test.text')} title={t('test.title')}>
        <StatusTag icon="check" tone="green">
          {t('test.tag')}
        </StatusTag>
      </PageHead>
      {(orderNumber ?? transactionId ?? total) ? (
        <Card>
          <Facts
            facts={[
              ...(orderNumber
                ? [
                    {
                      term: t('fact.order'),
                      value: orderNumber,
                      mono: true,
                      testId: 'application-number',
                    },
                  ]
                : []),
              ...(transactionId
                ? [{ term: t('fact.transaction'), value: transactionId, mono: true }]
                : []),
              ...(total
                ? [{ term: t('fact.amount'), value: <bdi>{formatMoney(total, language)}</bdi> }]
                : []),
            ]}
            layout="rows"
          />
        </Card>
      ) : null}
      <div className="form-actions">
        <ButtonLink to={orderNumber ? `/status?ref=${orderNumber}` : '/status'}>
          {t('stopped.status')}
        </ButtonLink>
        <ButtonLink look="plain" to="/">
          {t('stopped.home')}
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}
