import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { toFormData, usePage } from '~/ui/page/page-context.tsx';
import { formatMoney } from '~/base/money.ts';
import { BoughtCovers } from '~/features/application/cover-table.tsx';
import { firstWay, OtherWay, PayOtherWay } from '~/features/order/pay-form.tsx';
import { MAX_RETRIES, retryFields, type PaymentStart } from '~/features/order/payment-start.ts';
import { TooManyPayments } from '~/features/order/too-many-payments.tsx';
import { ScriptsInput } from '~/ui/scripts-input.tsx';
import { Button, ButtonAnchor, ButtonLink } from '~/ui/button.tsx';
import { Card } from '~/ui/card.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { openPayment, startPayment, type PaymentAnswer } from './form/payment-screen.server.ts';
import type { Route } from './+types/payment.ts';
import { useEffect, useEffectEvent } from 'react';
import { usePaymentStart } from '~/features/order/use-payment-start.tsx';

/**
 * With scripts: begins the payment automatically, once. After coming back from the provider, it does not begin again.
 */
function usePayment(number: string, payment: PaymentStart | undefined, pay: () => void) {
  const { t } = useTranslation(['insurance', 'payment']);

  // Once for each application, however often the component renders.
  const begin = useEffectEvent((begun: string) => {
    if (hasBegun(begun)) return;
    remember(begun);
    pay();
  });
  useEffect(() => begin(number), [number]);

  return usePaymentStart(payment, {
    pay,
    wordsOf: ({ message }) => ({
      title: t('payment.toast.failedTitle'),
      description: t([`payment:start.${message}`, 'insurance:payment.state.failed']),
      offersRetry: false,
    }),
  });
}

const keyOf = (number: string) => `insurance-payment:${number}`;

/** In browsers without storage the visitor uses the button. */
function hasBegun(number: string): boolean {
  try {
    return sessionStorage.getItem(keyOf(number)) !== null;
  } catch {
    return true;
  }
}

function remember(number: string) {
  sessionStorage.setItem(keyOf(number), 'begun');
}

export const loader = (args: Route.LoaderArgs) => openPayment(args);
export const action = (args: Route.ActionArgs) => startPayment(args);

export const handle = { tellsOffline: true };

function PageErrors({ error }: { error: unknown }) {
  return <TooManyPayments error={error} />;
}

/** The payment page of a stored, unpaid application. */
function PaymentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { applicationNumber, orderNumber, total, isStartFailed, retries, chosen, ways } =
    loaderData;
  const { t, language } = useTranslation(['insurance', 'payment']);
  const answer: PaymentAnswer | undefined = actionData;
  const amount = formatMoney(total, language);
  const { send, sending } = usePage();
  const payment = answer?.payment;
  const pay = () =>
    void send(toFormData({ ...(chosen ? { provider: chosen } : {}), ...retryFields(payment) }));
  const { isWaiting, retry } = usePayment(applicationNumber, payment, pay);
  const isLeaving = sending?.get('intent') === 'another';
  const isBusy = (sending !== null && !isLeaving) || isWaiting;
  const isFailed = payment ? payment.kind === 'failed' : isStartFailed;
  const left = MAX_RETRIES - (payment?.kind === 'failed' ? payment.retries : retries);
  const other = payment?.kind === 'failed' ? payment.other : loaderData.other;
  return (
    <NarrowPage>
      <title>{`${t('payment.pageTitle')} · Lale`}</title>
      <PageHead lead={t('payment.lead', { amount })} title={t('payment.title')} />
      <Card>
        <p className="text-small text-ink-2">{t('payment.number')}</p>
        <p>
          <NumberCode size="display" testId="application-number" value={applicationNumber} />
        </p>
        <p className="text-small text-ink-2">{t('payment.keep')}</p>
      </Card>
      <div aria-live="polite">
        {isFailed ? (
          <Notice className="mt-6" title={t('payment.state.failed')} tone="red">
            <p>{t('payment.failedText')}</p>
            <p>{left > 0 ? t('payment.retriesLeft', { count: left }) : t('payment.noRetries')}</p>
            {other === 'paypal' ? <p>{t('payment:other.note')}</p> : null}
          </Notice>
        ) : payment?.kind === 'ready' ? (
          <Notice className="mt-6" title={t('payment.state.created')} tone="green">
            <p>{t('payment.link')}</p>
          </Notice>
        ) : (
          <Notice className="mt-6" title={t('payment.state.ready')} tone="blue">
            <p>{t(`payment:partner.${ways}`)}</p>
          </Notice>
        )}
      </div>
      {isFailed && other ? (
        <div className="form-actions">
          <OtherWay
            look={left > 0 ? 'secondary' : 'primary'}
            orderNumber={orderNumber}
            provider={other}
          />
        </div>
      ) : null}
      <Form method="post">
        <ScriptsInput />
        <FormActions>
          {payment?.kind === 'ready' ? (
            <ButtonAnchor href={payment.paymentUrl}>{t('payment.continue')}</ButtonAnchor>
          ) : (
            <Button
              busy={isBusy}
              disabled={isFailed && left <= 0}
              onClick={
                isFailed
                  ? (event) => {
                      // Pauses before each retry, to give the provider time.
                      event.preventDefault();
                      retry();
                    }
                  : undefined
              }
              type="submit"
              {...(chosen ? { name: 'provider', value: chosen } : {})}
            >
              {isBusy
                ? t('payment.opening')
                : isFailed
                  ? t('payment.retry')
                  : t(`payment:with.${chosen ?? firstWay(other)}`, { amount })}
            </Button>
          )}
          {isFailed || payment?.kind === 'ready' ? null : (
            <PayOtherWay busy={isBusy} provider={other} total={total} />
          )}
          {loaderData.change ? (
            <ButtonLink look="plain" to={loaderData.change}>
              {t('payment.change')}
            </ButtonLink>
          ) : null}
          <ButtonLink look="plain" to={`/status?ref=${applicationNumber}`}>
            {t('payment.status')}
          </ButtonLink>
          <Button look="plain" name="intent" value="another">
            {t('payment.another')}
          </Button>
        </FormActions>
      </Form>
      <BoughtCovers covers={loaderData.covers} />
    </NarrowPage>
  );
}

export { PaymentPage as default, PageErrors as ErrorBoundary };
