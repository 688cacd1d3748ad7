import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { Button } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useToast } from '~/ui/toast/toast.tsx';
import { HomeLink } from './home-link.tsx';
import { LabFacts } from './lab-facts.tsx';
import { CallError, withParameters } from './paypal-calls.ts';
import { PaymentTag } from './payment-tags.tsx';
import { findPaymentLink } from './payment-link.ts';
import { FAILED_NOTICE_MS, PAYPAL_REDIRECT_MS } from './timings.ts';
import { paymentErrorWithStatus, turkish, type TurkishKey } from './specification.ts';
import { useLeave } from './use-leave.tsx';
import type { PaypalScreen } from './variants.ts';

/** Makes an order, checks whether it can be paid, and redirects to PayPal's page. */
export function RedirectPayment({ redirect }: { redirect: NonNullable<PaypalScreen['redirect']> }) {
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
