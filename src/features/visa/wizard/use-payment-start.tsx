import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '~/ui/toast.tsx';
import {
  isAboutPayment,
  MANUAL_DELAY_MS,
  MANUAL_SHOWN_MS,
  MAX_RETRIES,
  REDIRECT_DELAY_MS,
  RETRY_DELAY_MS,
  type PaymentStart,
} from '~/features/order/payment-start.ts';

/** With scripts: leads to the payment page, or says why not and tries again; three times, after two seconds each. */
export function usePaymentStart(payment: PaymentStart | undefined, pay: () => void) {
  const { t } = useTranslation('visa');
  const { toast } = useToast();
  const [isWaiting, setWaiting] = useState(false);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const after = (delay: number, work: () => void) => timers.current.push(setTimeout(work, delay));

  function retry() {
    if (isWaiting) return;
    setWaiting(true);
    toast({ title: t('payment.retrying.title'), description: t('payment.retrying.text') });
    after(RETRY_DELAY_MS, () => {
      setWaiting(false);
      pay();
    });
  }

  useEffect(() => {
    if (!payment) return;
    if (payment.kind === 'ready') {
      const { paymentUrl, applicationNumber } = payment;
      const go = () => location.assign(paymentUrl);
      toast({
        tone: 'success',
        title: t('payment.created.title'),
        description: t('payment.created.text', { number: applicationNumber }),
      });
      after(REDIRECT_DELAY_MS, go);
      after(MANUAL_DELAY_MS, () =>
        toast({
          title: t('payment.manual.title'),
          description: t('payment.manual.text'),
          duration: MANUAL_SHOWN_MS,
          action: { label: t('payment.manual.action'), onSelect: go },
        }),
      );
      return;
    }
    window.scrollTo({ top: 0 });
    if (isAboutPayment(payment.message)) {
      const mayRetry = payment.retries < MAX_RETRIES;
      toast({
        tone: 'error',
        title: t('payment.error.title'),
        description: t('payment.error.text'),
        action: mayRetry ? { label: t('payment.error.retry'), onSelect: retry } : undefined,
      });
    } else {
      const { message } = payment;
      const description = t(`payment.${message}`, { defaultValue: message });
      toast({ tone: 'error', title: t('payment.application.title'), description });
    }
    // One answer, one message: the words and the retry are of the moment it came.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [payment]);

  // Back from the payment page, a browser may show this page as it was left: nothing may lead on by itself then, and
  // what it shows is old.
  useEffect(() => {
    const stop = () => timers.current.forEach(clearTimeout);
    const renew = ({ persisted }: PageTransitionEvent) =>
      persisted ? location.reload() : undefined;
    addEventListener('pagehide', stop);
    addEventListener('pageshow', renew);
    return () => {
      removeEventListener('pagehide', stop);
      removeEventListener('pageshow', renew);
      stop();
    };
  }, []);

  return { isWaiting, retry };
}
