import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useToast } from '~/ui/page/toast.tsx';
import {
  MANUAL_DELAY_MS,
  MANUAL_SHOWN_MS,
  MAX_RETRIES,
  REDIRECT_DELAY_MS,
  RETRY_DELAY_MS,
  type PaymentStart,
} from './payment-start.ts';

type Failed = Extract<PaymentStart, { kind: 'failed' }>;

/** The texts of a form for a payment that could not be started. */
type FailureWords = { title: string; description: string; offersRetry: boolean };

/**
 * With scripts, for every form: goes to the payment page after a moment with a link to go at once, or says why it
 * cannot and retries; three times, after a pause that gives the provider time.
 */
export function usePaymentStart(
  payment: PaymentStart | undefined,
  { pay, wordsOf }: { pay: () => void; wordsOf: (failed: Failed) => FailureWords },
) {
  const { t } = useTranslation('payment');
  const { toast } = useToast();
  const [isWaiting, setWaiting] = useState(false);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const after = (delay: number, work: () => void) => timers.current.push(setTimeout(work, delay));

  function retry() {
    if (isWaiting) return;
    setWaiting(true);
    toast({ title: t('start.retrying.title'), description: t('start.retrying.text') });
    after(RETRY_DELAY_MS, () => {
      setWaiting(false);
      pay();
    });
  }

  // An effect event: texts and retry of the moment when the result came count, once for each result.
  const tell = useEffectEvent((payment: PaymentStart) => {
    if (payment.kind === 'failed') {
      const { offersRetry, ...words } = wordsOf(payment);
      const mayRetry = offersRetry && payment.retries < MAX_RETRIES;
      window.scrollTo({ top: 0 });
      toast({
        ...words,
        tone: 'error',
        action: mayRetry ? { label: t('start.error.retry'), onSelect: retry } : undefined,
      });
      return;
    }
    const { paymentUrl, applicationNumber } = payment;
    const go = () => location.assign(paymentUrl);
    toast({
      tone: 'success',
      title: t('start.created.title'),
      description: t('start.created.text', { number: applicationNumber }),
    });
    after(REDIRECT_DELAY_MS, go);
    after(MANUAL_DELAY_MS, () =>
      toast({
        title: t('start.manual.title'),
        description: t('start.manual.text'),
        duration: MANUAL_SHOWN_MS,
        action: { label: t('start.manual.action'), onSelect: go },
      }),
    );
  });
  useEffect(() => {
    if (payment) tell(payment);
  }, [payment]);

  // Back from the payment page, a browser may restore this page from its cache: it must not continue automatically
  // then, and its data are old.
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
