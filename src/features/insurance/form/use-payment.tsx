import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { PaymentStart } from '~/features/order/payment-start.ts';
import { usePaymentStart } from '~/features/order/use-payment-start.tsx';

/**
 * With scripts: begins the payment automatically, once. After coming back from the provider, it does not begin again.
 */
export function usePayment(number: string, payment: PaymentStart | undefined, pay: () => void) {
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
