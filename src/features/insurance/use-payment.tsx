import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '~/ui/toast.tsx';
import {
  MANUAL_DELAY_MS,
  MANUAL_SHOWN_MS,
  REDIRECT_DELAY_MS,
  RETRY_DELAY_MS,
  type PaymentStart,
} from '~/features/order/payment-start.ts';

/**
 * With scripts: begins the payment once by itself, leads to the payment page, or says why not and tries again after a pause.
 * Who comes back from the payment page finds this one at rest.
 */
export function usePayment(number: string, payment: PaymentStart | undefined, pay: () => void) {
  const { t } = useTranslation('insurance');
  const { toast } = useToast();
  const [isWaiting, setWaiting] = useState(false);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const after = (delay: number, work: () => void) => timers.current.push(setTimeout(work, delay));

  function retry() {
    if (isWaiting) return;
    setWaiting(true);
    toast({ title: t('payment.toast.retrying'), description: t('payment.toast.retryingText') });
    after(RETRY_DELAY_MS, () => {
      setWaiting(false);
      pay();
    });
  }

  useEffect(() => {
    if (hasBegun(number)) return;
    remember(number);
    pay();
    // Once for each application, whatever is drawn anew.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [number]);

  useEffect(() => {
    if (!payment) return;
    if (payment.kind === 'failed') {
      const { message } = payment;
      const description = t([`payment.reason.${message}`, 'payment.state.failed']);
      toast({ tone: 'error', title: t('payment.toast.failedTitle'), description });
      return;
    }
    const go = () => location.assign(payment.paymentUrl);
    toast({
      tone: 'success',
      title: t('payment.toast.createdTitle'),
      description: t('payment.toast.createdText', { number }),
    });
    after(REDIRECT_DELAY_MS, go);
    after(MANUAL_DELAY_MS, () =>
      toast({
        title: t('payment.toast.manualTitle'),
        description: t('payment.toast.manualText'),
        duration: MANUAL_SHOWN_MS,
        action: { label: t('payment.toast.manualAction'), onSelect: go },
      }),
    );
    // One answer, one message: the words are of the moment it came.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [payment]);

  // Back from the payment page, a browser may show this page as it was left: nothing may lead on by itself then.
  useEffect(() => {
    const stop = () => timers.current.forEach(clearTimeout);
    addEventListener('pagehide', stop);
    return () => {
      removeEventListener('pagehide', stop);
      stop();
    };
  }, []);

  return { isWaiting, retry };
}

const keyOf = (number: string) => `insurance-payment:${number}`;

/** Where a browser keeps nothing for us, the button is there. */
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
