import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useToast } from '~/ui/page/toast.tsx';
import { HomeLink, LabFacts } from '../paypal-page/lab-frame.tsx';
import { CallError, paypalCalls, withParameters } from '../paypal-page/paypal-calls.ts';
import {
  FAILED_NOTICE_MS,
  paymentErrorWithStatus,
  PAYPAL_REDIRECT_MS,
  turkish,
  type TurkishKey,
} from '../paypal-page/specification.ts';
import { useLeave, PaymentTag } from '../paypal-page/use-paypal-payment.tsx';
import { type PaypalScreen, paypalScreenByPath } from '../paypal-page/variants.ts';

/** Pages that redirect to PayPal, without PayPal's script and the policy that it needs. */
function PaypalRedirectPage() {
  const screen = paypalScreenByPath(usePage().address.pathname);
  return screen?.redirect ? <RedirectPayment redirect={screen.redirect} /> : null;
}

/** Makes an order, checks whether it can be paid, and redirects to PayPal's page. */
function RedirectPayment({ redirect }: { redirect: NonNullable<PaypalScreen['redirect']> }) {
  const { t } = useTranslation('lab');
  const { toast } = useToast();
  const { search } = usePage().address;
  const leave = useLeave();
  const hasScripts = useHasScripts();
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const { starts, readsQuery, parameters, toastMs } = redirect;

  function fail(title: TurkishKey, description: string) {
    setBusy(false);
    setFailed(true);
    toast({
      tone: 'error',
      title: <span lang="tr">{turkish[title]}</span>,
      description: <span lang="tr">{description}</span>,
      duration: FAILED_NOTICE_MS,
    });
  }

  async function pay() {
    setBusy(true);
    setFailed(false);
    try {
      const asked = readsQuery ? Object.fromEntries(new URLSearchParams(search)) : {};
      const link = await findPaymentLink(asked);
      if (!link) return fail('payment', turkish.noPaymentLink);
      toast({ title: t('leaving.title'), description: t('leaving.text'), duration: toastMs });
      leave(withParameters(link, parameters), PAYPAL_REDIRECT_MS);
    } catch (error) {
      if (!(error instanceof CallError)) return fail('paypal', turkish.paypalFailed);
      fail('payment', paymentErrorWithStatus(error.status));
    }
  }

  const begin = useEffectEvent(() => {
    // After coming back from PayPal's page it does not redirect again.
    const [entry] = performance.getEntriesByType('navigation');
    const cameBack = entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward';
    if (starts === 'itself' && !cameBack) void pay();
  });
  useEffect(() => {
    begin();
    const rest = () => setBusy(false);
    addEventListener('pageshow', rest);
    return () => removeEventListener('pageshow', rest);
  }, []);

  return (
    <>
      <LabFacts
        facts={[
          {
            term: t('fact.payment'),
            value: <PaymentTag status={hasFailed ? 'failed' : 'none'} />,
            testId: 'status',
          },
        ]}
      />
      <FormActions>
        <Button busy={isBusy} disabled={!hasScripts} onClick={() => void pay()} type="button">
          {isBusy ? t('leaving.title') : t('payAtPaypal')}
        </Button>
      </FormActions>
      <HomeLink />
    </>
  );
}

/** The prefixes of our order numbers; anything else is an id of PayPal's. */
const OUR_NUMBER = /^TR[VIG]/i;

/**
 * PayPal's page for the order in the query, or for a new one; null where there is none. PayPal's order is checked
 * first.
 * @throws A `CallError`.
 */
async function findPaymentLink({
  amount,
  orderId,
}: {
  amount?: string;
  orderId?: string;
}): Promise<string | null> {
  const isPaypals = orderId && !OUR_NUMBER.test(orderId);
  if (isPaypals) return (await paypalCalls.readOrder(orderId)).approveUrl;
  const made = await paypalCalls.createOrder({ amount, orderReference: orderId });
  if (!made.id) return null;
  const seen = await paypalCalls.readOrder(made.id);
  return seen.approveUrl ?? made.approveUrl;
}

export { PaypalRedirectPage as default };
