import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { PaymentStart } from '~/features/order/payment-start.ts';
import { usePaymentStart } from '~/features/order/use-payment-start.tsx';

/** With scripts: begins the payment once by itself. Who comes back from the payment page finds this one at rest. */
export function usePayment(number: string, payment: PaymentStart | undefined, pay: () => void) {
  const { t } = useTranslation(['insurance', 'payment']);

  // Once for each application, whatever is drawn anew.
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
